//! Keys as files: PKCS#8 (RFC 5958) and SubjectPublicKeyInfo (RFC 5280, section 4.1), in DER or PEM.

use std::{ffi::c_void, str};

use ropewalk::{
    Error,
    keys::{PrivateKey, PublicKey, ToPkcs8, ToSpki, Zeroizing},
    swept,
};

use crate::{
    enter::{Result, Why},
    memory,
    object::{self, Object},
    overlap::{self, Span},
};

/// The form of a key in a file: ROPEWALK_DER or ROPEWALK_PEM.
pub type ropewalk_key_form = u32;
/// Bytes.
pub const ROPEWALK_DER: ropewalk_key_form = 1;
/// Text, in base64 between two lines that name it.
pub const ROPEWALK_PEM: ropewalk_key_form = 2;

/// Bytes of the longest file of a key that this library writes, rounded up.
pub const ROPEWALK_KEY_FILE_LEN: usize = 4096;

/// Bytes of stack that reading or writing a private key takes, except those that operations of RSA overwrite.
const STACK: usize = 12 << 10;

/// Makes a private key of a file.
///
/// # Safety
/// `key` is for writing, or NULL; `file` has `len` bytes.
pub(crate) unsafe fn read_private<O: Object>(
    key: *mut O,
    (file, len): (*const c_void, usize),
    pick: impl FnOnce(PrivateKey) -> Result<O::Value>,
) -> Result<()> {
    overlap::apart("key", Span::of(key), [Span::new(file, len)])?;
    // SAFETY: the caller's bytes, which are not the key's.
    let file = unsafe { memory::input("file", file, len) }?;
    let read = || {
        let key = match text(file) {
            None => PrivateKey::from_der(file),
            Some(text) => {
                text.map_err(|why| invalid("private key", why)).and_then(PrivateKey::from_pem)
            }
        };
        pick(key?)
    };
    // SAFETY: the caller's key.
    swept(STACK, || unsafe { object::make(key, read) })
}

/// Makes a public key of a file.
///
/// # Safety
/// `file` has `len` bytes.
pub(crate) unsafe fn read_public(file: *const c_void, len: usize) -> Result<PublicKey> {
    // SAFETY: the caller's bytes; the slice is not used after they are read.
    let file = unsafe { memory::input("file", file, len) }?;
    Ok(match text(file) {
        None => PublicKey::from_der(file),
        Some(text) => text.map_err(|why| invalid("public key", why)).and_then(PublicKey::from_pem),
    }?)
}

/// The text of a file that is not DER: every key in DER begins with the tag of a sequence.
fn text(file: &[u8]) -> Option<std::result::Result<&str, &'static str>> {
    const SEQUENCE: u8 = 0x30;
    match file.first() {
        Some(&SEQUENCE) => None,
        _ => Some(str::from_utf8(file).map_err(|_| "it is neither DER nor PEM")),
    }
}

#[cold]
fn invalid(what: &'static str, why: &'static str) -> Error {
    Error::Invalid { what, why }
}

/// The failure of reading a key of another algorithm.
#[cold]
pub(crate) fn other<T>(allowed: &'static str) -> Result<T> {
    Err(Why::Kind { what: "key", allowed }.into())
}

/// The place of a file, and of its length.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) file: *mut c_void,
    pub(crate) len: *mut usize,
}

impl Room {
    /// Checks it, apart from a key.
    pub(crate) fn check(self, key: Span) -> Result<()> {
        let file = Span::new(self.file, ROPEWALK_KEY_FILE_LEN);
        overlap::apart("file", file, [key])?;
        overlap::apart("file_len", Span::of(self.len), [file, key])?;
        memory::not_null("file", self.file)?;
        memory::not_null("file_len", self.len)
    }

    /// Writes a private key.
    ///
    /// # Safety
    /// The caller's memory, for writing, which [`check`](Self::check) has accepted.
    pub(crate) unsafe fn put_private(
        self,
        form: ropewalk_key_form,
        key: &impl ToPkcs8,
    ) -> Result<()> {
        swept(STACK, || {
            let file = match form {
                ROPEWALK_DER => key.to_der()?,
                ROPEWALK_PEM => Zeroizing::new(key.to_pem()?.as_bytes().to_vec()),
                _ => return unknown(form),
            };
            // SAFETY: as the caller says.
            unsafe { self.put(&file) }
        })
    }

    /// Writes a public key.
    ///
    /// # Safety
    /// As [`put_private`](Self::put_private).
    pub(crate) unsafe fn put_public(
        self,
        form: ropewalk_key_form,
        key: &impl ToSpki,
    ) -> Result<()> {
        let file = match form {
            ROPEWALK_DER => key.to_der()?,
            ROPEWALK_PEM => key.to_pem()?.into_bytes(),
            _ => return unknown(form),
        };
        // SAFETY: as the caller says.
        unsafe { self.put(&file) }
    }

    /// # Safety
    /// As [`put_private`](Self::put_private).
    unsafe fn put(self, file: &[u8]) -> Result<()> {
        if file.len() > ROPEWALK_KEY_FILE_LEN {
            return Err(Why::Broken("file").into());
        }
        // SAFETY: the caller's bytes, of which there are at least as many.
        unsafe { memory::bytes_mut(self.file, file.len()) }.copy_from_slice(file);
        // SAFETY: for writing, as the caller says.
        unsafe { memory::put("file_len", self.len, file.len()) }
    }
}

#[cold]
fn unknown(form: ropewalk_key_form) -> Result<()> {
    Err(Why::NoNumber { what: "form of a key", got: form }.into())
}
