//! Public keys: agreements and signatures. Private and public keys, secrets and signatures have fixed lengths.

use std::ffi::c_void;

use crate::{
    enter::{Failure, Result},
    memory,
    object::{self, Object},
    overlap::{self, Span},
    status::ropewalk_status,
};

pub(crate) mod ed25519;
pub(crate) mod x25519;

/// Checks that there is a place for `N` bytes, apart from a key.
#[inline(always)]
fn check_output<const N: usize>(what: &'static str, at: *mut c_void, key: Span) -> Result<()> {
    overlap::apart(what, Span::new(at, N), [key])?;
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

/// The last key of a batch that was found ready: neighbours mostly have the same.
struct Ready<O>(Option<*const O>);

impl<O> Default for Ready<O> {
    fn default() -> Self {
        Self(None)
    }
}

impl<O: Object> Ready<O> {
    /// Whether a key is ready; it becomes the last one.
    ///
    /// # Safety
    /// The key is for reading, or NULL.
    #[inline(always)]
    unsafe fn has(&mut self, key: *const O) -> bool {
        // SAFETY: as the caller says.
        if self.0 != Some(key) && unsafe { object::get(key) }.is_err() {
            return false;
        }
        self.0 = Some(key);
        true
    }
}
