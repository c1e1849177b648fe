//! Memory that C lends: pointers and lengths become slices and references here, and nowhere else.
//!
//! The caller promises that a pointer which is not NULL has as many bytes as it says, that they stay until the call returns, and
//! that nothing else writes them meanwhile. Each `unsafe` here relies on that. Before a slice is made of memory that is written,
//! [`overlap`](crate::overlap) has checked that it overlaps no other memory.

use std::{
    ffi::{CStr, c_char, c_void},
    slice,
};

use crate::enter::{Failure, Result, Why};

/// The largest length of memory.
pub(crate) const MOST: usize = isize::MAX as usize;

/// The bytes of the argument `what`.
///
/// # Safety
/// `at` has `len` bytes, which nothing writes for as long as `'a`; or it is NULL.
#[inline(always)]
pub(crate) unsafe fn input<'a>(
    what: &'static str,
    at: *const c_void,
    len: usize,
) -> Result<&'a [u8]> {
    check(what, at, len)?;
    // SAFETY: as the caller says; NULL has been refused, but for no bytes.
    Ok(unsafe { bytes(at, len) })
}

/// The bytes of the argument `what`, for writing.
///
/// # Safety
/// `at` has `len` bytes, which nothing else reads or writes for as long as `'a`; or it is NULL.
#[inline(always)]
pub(crate) unsafe fn output<'a>(
    what: &'static str,
    at: *mut c_void,
    len: usize,
) -> Result<&'a mut [u8]> {
    check(what, at, len)?;
    // SAFETY: as the caller says; NULL has been refused, but for no bytes.
    Ok(unsafe { bytes_mut(at, len) })
}

/// The `N` bytes of the argument `what`.
///
/// # Safety
/// As [`input`].
#[inline(always)]
pub(crate) unsafe fn array<'a, const N: usize>(
    what: &'static str,
    at: *const c_void,
) -> Result<&'a [u8; N]> {
    // SAFETY: as the caller says; NULL is not read.
    unsafe { at.cast::<[u8; N]>().as_ref() }.ok_or_else(|| Why::Null(what).into())
}

/// Checks that there may be so many bytes.
#[inline(always)]
pub(crate) fn check(what: &'static str, at: *const c_void, len: usize) -> Result<()> {
    if at.is_null() && len > 0 {
        return Err(Why::Null(what).into());
    }
    if len > MOST {
        return Err(Failure::length(what, len, "at most half of all memory"));
    }
    Ok(())
}

/// Checks that there is a place for a value.
#[inline(always)]
pub(crate) fn not_null<T>(what: &'static str, at: *const T) -> Result<()> {
    match at.is_null() {
        false => Ok(()),
        true => Err(Why::Null(what).into()),
    }
}

/// Bytes that have been checked.
///
/// # Safety
/// As [`input`]; NULL has no bytes.
#[inline(always)]
pub(crate) unsafe fn bytes<'a>(at: *const c_void, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: as the caller says, and not NULL.
    unsafe { slice::from_raw_parts(at.cast(), len) }
}

/// The same, for writing.
///
/// # Safety
/// As [`output`]; NULL has no bytes.
#[inline(always)]
pub(crate) unsafe fn bytes_mut<'a>(at: *mut c_void, len: usize) -> &'a mut [u8] {
    if len == 0 {
        return &mut [];
    }
    // SAFETY: as the caller says, and not NULL.
    unsafe { slice::from_raw_parts_mut(at.cast(), len) }
}

/// A slice of values, for a type of which any bytes that C may have written are valid.
///
/// # Safety
/// `at` has `count` of them, which nothing writes for as long as `'a`; or it is NULL.
#[inline(always)]
pub(crate) unsafe fn row<'a, T>(what: &'static str, at: *const T, count: usize) -> Result<&'a [T]> {
    check(what, at.cast(), count.saturating_mul(size_of::<T>()))?;
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: as the caller says; NULL and lengths beyond all memory have been refused.
    Ok(unsafe { slice::from_raw_parts(at, count) })
}

/// Writes a value, unless the caller does not want it.
///
/// # Safety
/// `at` is for writing, or NULL.
#[inline(always)]
pub(crate) unsafe fn put<T>(what: &'static str, at: *mut T, value: T) -> Result<()> {
    if at.is_null() {
        return Err(Why::Null(what).into());
    }
    // SAFETY: as the caller says, and not NULL.
    unsafe { at.write(value) };
    Ok(())
}

/// A string.
///
/// # Safety
/// `at` ends with a zero, and nothing writes it for as long as `'a`; or it is NULL.
pub(crate) unsafe fn string<'a>(what: &'static str, at: *const c_char) -> Result<&'a CStr> {
    if at.is_null() {
        return Err(Why::Null(what).into());
    }
    // SAFETY: as the caller says, and not NULL.
    Ok(unsafe { CStr::from_ptr(at) })
}

/// Writes a tag where there is space for it: nearly always 16 bytes, which take a move and no call.
///
/// # Safety
/// `at` has as many bytes as the tag, for writing; they have been checked.
#[inline(always)]
pub(crate) unsafe fn put_tag(at: *mut c_void, tag: &[u8]) {
    if let Ok(tag) = <[u8; 16]>::try_from(tag) {
        // SAFETY: as the caller says; bytes are aligned anywhere.
        unsafe { at.cast::<[u8; 16]>().write(tag) };
        return;
    }
    // SAFETY: as the caller says.
    unsafe { bytes_mut(at, tag.len()) }.copy_from_slice(tag);
}
