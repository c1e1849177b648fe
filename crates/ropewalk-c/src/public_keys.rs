//! Public keys: agreements and signatures. Except for RSA, private and public keys, secrets
//! and signatures have fixed lengths.

use std::ffi::c_void;

use crate::{
    enter::{Failure, Result},
    memory,
    overlap::{self, Span},
    status::ropewalk_status,
};

mod batch;
pub(crate) mod ed25519;
pub(crate) mod files;
pub(crate) mod p256;
pub(crate) mod rsa;
pub(crate) mod x25519;

/// Checks that there is a place for `N` bytes, apart from a key.
#[inline(always)]
fn check_output<const N: usize>(what: &'static str, at: *mut c_void, key: Span) -> Result<()> {
    check_room(what, (at, N), key)
}

/// Checks that there is a place for so many bytes, which are not none, apart from a key.
#[inline(always)]
fn check_room(what: &'static str, (at, len): (*mut c_void, usize), key: Span) -> Result<()> {
    overlap::apart(what, Span::new(at, len), [key])?;
    memory::not_null(what, at)
}

/// The output of `N` bytes, which [`check_output`] has accepted.
///
/// # Safety
/// `at` has as many bytes for writing; there is no reference to them.
#[inline(always)]
unsafe fn put<const N: usize>(at: *mut c_void, bytes: &[u8; N]) {
    // SAFETY: as the caller says; bytes are aligned anywhere.
    unsafe { memory::bytes_mut(at, N) }.copy_from_slice(bytes);
}

/// The status of a message of a batch.
fn status_of(done: &Result<()>) -> u32 {
    done.as_ref().map_or_else(Failure::status, |()| ropewalk_status::ROPEWALK_OK) as u32
}
