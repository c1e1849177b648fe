//! What is written must overlap nothing else of a call, but that a text may be written exactly where it is read.
//!
//! Addresses are compared before any slice is made of them, so that no two of ours ever share bytes.

use std::ffi::c_void;

use crate::{
    enter::{Failure, Result, Why},
    memory,
};

pub(crate) mod batch;

/// Bytes of memory, as numbers.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    at: usize,
    len: usize,
}

impl Span {
    #[inline(always)]
    pub(crate) fn new(at: *const c_void, len: usize) -> Self {
        Self { at: at.addr(), len }
    }

    /// All of a thing.
    #[inline(always)]
    pub(crate) fn of<T>(at: *const T) -> Self {
        Self { at: at.addr(), len: size_of::<T>() }
    }

    /// Whether both have some byte. No bytes are nowhere, not within others.
    #[inline(always)]
    pub(crate) fn overlaps(self, other: Self) -> bool {
        let other_begins = (other.at.wrapping_sub(self.at) < self.len) & (other.len > 0);
        let self_begins = (self.at.wrapping_sub(other.at) < other.len) & (self.len > 0);
        other_begins | self_begins
    }
}

/// Refuses what is written where it overlaps one of the others.
#[inline(always)]
pub(crate) fn apart<const N: usize>(
    what: &'static str,
    written: Span,
    others: [Span; N],
) -> Result<()> {
    match others.into_iter().fold(false, |some, other| some | written.overlaps(other)) {
        false => Ok(()),
        true => Err(Why::Overlap(what).into()),
    }
}

/// A text, and where its other is written.
pub(crate) enum Text<'a> {
    /// Bytes of which the first are the text.
    InPlace(&'a mut [u8]),
    Copying(&'a [u8], &'a mut [u8]),
}

/// Where a text is read and where it is written: at one address, or apart, and apart from all others. Either may be NULL.
///
/// # Errors
/// Of what is not so.
#[inline(always)]
pub(crate) fn check_text<const N: usize>(
    (from, from_len): (*const c_void, usize),
    (to, to_len): (*mut c_void, usize),
    others: [Span; N],
) -> Result<()> {
    memory::check("input", from, from_len)?;
    memory::check("output", to, to_len)?;
    apart("output", Span::new(to, to_len), others)?;
    match std::ptr::eq(from, to) {
        true => Ok(()),
        false => apart("output", Span::new(to, to_len), [Span::new(from, from_len)]),
    }
}

/// A text that [`check_text`] has found right. Where it is in one place, it has as many bytes as the longer of both lengths.
///
/// # Safety
/// `from` has `from_len` bytes, `to` has `to_len` and is for writing, for as long as `'a`; nobody else writes the one or touches
/// the other meanwhile, and of what is not among the others there is no reference.
#[inline(always)]
pub(crate) unsafe fn checked_text<'a>(
    (from, from_len): (*const c_void, usize),
    (to, to_len): (*mut c_void, usize),
) -> Text<'a> {
    if std::ptr::eq(from, to) {
        // SAFETY: the caller's bytes, which begin at one address and are as many as the longer are.
        return Text::InPlace(unsafe { memory::bytes_mut(to, from_len.max(to_len)) });
    }
    // SAFETY: the caller's bytes, which overlap nothing that is written.
    let from = unsafe { memory::bytes(from, from_len) };
    // SAFETY: the caller's bytes, which overlap nothing else.
    Text::Copying(from, unsafe { memory::bytes_mut(to, to_len) })
}

/// The bytes of `to`, to which those of `from` have been copied if they are others: for what works in place.
///
/// # Safety
/// As [`checked_text`], and both are equally long.
#[inline(always)]
pub(crate) unsafe fn copied<'a>(
    (from, to): (*const c_void, *mut c_void),
    len: usize,
) -> &'a mut [u8] {
    // SAFETY: as whoever calls says.
    match unsafe { checked_text((from, len), (to, len)) } {
        Text::InPlace(text) => text,
        Text::Copying(from, to) => {
            to.copy_from_slice(from);
            to
        }
    }
}

/// Both.
///
/// # Safety
/// As [`checked_text`].
#[inline(always)]
pub(crate) unsafe fn text<'a, const N: usize>(
    from: (*const c_void, usize),
    to: (*mut c_void, usize),
    others: [Span; N],
) -> Result<Text<'a>> {
    check_text(from, to, others)?;
    // SAFETY: as whoever calls says.
    Ok(unsafe { checked_text(from, to) })
}

/// Refuses output that has another length than it must, before anything else is found out of it.
#[inline(always)]
pub(crate) fn as_long(
    what: &'static str,
    got: usize,
    must: usize,
    allowed: &'static str,
) -> Result<()> {
    match got == must {
        true => Ok(()),
        false => Err(Failure::length(what, got, allowed)),
    }
}
