//! Functions of the system.

use core::{
    ffi::{CStr, c_char, c_int, c_void},
    marker::PhantomData,
    ptr::{self, NonNull},
};

use crate::quiet::{Then, quietly};

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    safe fn dlerror() -> *const c_char;
    fn access(path: *const c_char, how: c_int) -> c_int;
    fn writev(file: c_int, pieces: *const Piece<'_>, count: c_int) -> isize;
}

// glibc 2.34 has moved these symbols. A module that is linked to them there would require 2.34, although
// older versions have them too.
#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    target_arch = "x86_64",
    target_pointer_width = "64"
))]
core::arch::global_asm!(
    ".symver dlopen, dlopen@GLIBC_2.2.5",
    ".symver dlsym, dlsym@GLIBC_2.2.5",
    ".symver dlerror, dlerror@GLIBC_2.2.5",
);
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "aarch64"))]
core::arch::global_asm!(
    ".symver dlopen, dlopen@GLIBC_2.17",
    ".symver dlsym, dlsym@GLIBC_2.17",
    ".symver dlerror, dlerror@GLIBC_2.17",
);

const RTLD_NOW: c_int = 2;
/// Keeps its symbols private.
const RTLD_LOCAL: c_int = if cfg!(target_vendor = "apple") { 4 } else { 0 };

/// Checks only that a file exists.
const F_OK: c_int = 0;

const STANDARD_ERROR: c_int = 2;

/// A library that stays loaded.
pub(crate) struct Library(NonNull<c_void>);

/// Loads a library for as long as the process runs.
pub(crate) fn open(path: &CStr) -> Option<Library> {
    // SAFETY: it is a string; the configuration asks for the code that the file runs.
    NonNull::new(unsafe { dlopen(path.as_ptr(), RTLD_NOW | RTLD_LOCAL) }).map(Library)
}

impl Library {
    /// The address of a symbol.
    pub(crate) fn symbol(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: it is open, and the name a string.
        NonNull::new(unsafe { dlsym(self.0.as_ptr(), name.as_ptr()) })
    }
}

/// The error of the last of these calls.
pub(crate) fn complaint<'a>() -> &'a [u8] {
    let said = dlerror();
    if said.is_null() {
        return b"nobody says why";
    }
    // SAFETY: it is a string, which is valid until this thread calls one of these functions again; it is
    // printed before.
    unsafe { CStr::from_ptr(said) }.to_bytes()
}

/// Whether a file exists.
pub(crate) fn is_there(path: &CStr) -> bool {
    // SAFETY: it is a string.
    unsafe { access(path.as_ptr(), F_OK) == 0 }
}

/// `iovec`: bytes to write.
#[repr(C)]
struct Piece<'a> {
    bytes: *const u8,
    len: usize,
    of: PhantomData<&'a [u8]>,
}

/// Writes to the standard error with one system call. Errors are ignored: there is no other place to report
/// them.
pub(crate) fn write_error<const N: usize>(pieces: [&[u8]; N]) {
    let pieces = pieces.map(|bytes| Piece {
        bytes: ptr::from_ref(bytes).cast(),
        len: bytes.len(),
        of: PhantomData,
    });
    quietly(Then::RunsOn, || {
        // SAFETY: each part has the length that it states.
        let written = unsafe { writev(STANDARD_ERROR, pieces.as_ptr(), N as c_int) };
        written >= 0
    });
}
