//! Keys that are used once and not kept.

use std::ffi::c_void;

use ropewalk::{
    aead::{Algorithm, Tag},
    aes_gcm,
};

use super::{Key, check_secret};
use crate::{
    algorithms::{Kind as _, ropewalk_aead},
    enter::{Result, call},
    memory,
    overlap::{self, Span, Text},
    status::{ropewalk_error, ropewalk_status},
};

/// Encrypts one message with a key that is not used again, and writes its tag of 16 bytes. With AES-GCM in place this is faster
/// than to make a key and to seal with it. `out` may be `in`.
///
/// Fails as ropewalk_aead_key_init() and ropewalk_aead_seal().
///
/// # Safety
/// As ropewalk_aead_key_init() and ropewalk_aead_seal().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_seal_once(
    algorithm: ropewalk_aead,
    secret: *const c_void,
    secret_len: usize,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    tag: *mut c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let read = [(secret, secret_len), (nonce, nonce_len), (aad, aad_len)];
        let t = Span::new(tag, tag_len);
        overlap::apart("tag", t, read.map(|(at, len)| Span::new(at, len)))?;
        overlap::apart("tag", t, [Span::new(r#in, len)])?;
        overlap::as_long("tag", tag_len, TAG_LEN, "16 bytes")?;
        memory::check("tag", tag, tag_len)?;
        // SAFETY: as the caller says.
        let made = unsafe { Once::new(algorithm, read, (r#in, len), (out, len), t) }?.seal()?;
        // SAFETY: the caller's bytes, for writing, which have been checked.
        unsafe { memory::bytes_mut(tag, tag_len) }.copy_from_slice(&made);
        Ok(())
    })
}

/// Decrypts one message with a key that is not used again, if `tag` is its tag of 16 bytes. `out` may be `in`.
///
/// Fails as ropewalk_aead_key_init() and ropewalk_aead_open().
///
/// # Safety
/// As ropewalk_aead_key_init() and ropewalk_aead_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_open_once(
    algorithm: ropewalk_aead,
    secret: *const c_void,
    secret_len: usize,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    tag: *const c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let read = [(secret, secret_len), (nonce, nonce_len), (aad, aad_len)];
        overlap::as_long("tag", tag_len, TAG_LEN, "16 bytes")?;
        // SAFETY: the caller's bytes, apart from the output.
        let bytes = unsafe { memory::input("tag", tag, tag_len) }?;
        let t = Span::new(tag, tag_len);
        // SAFETY: as the caller says.
        unsafe { Once::new(algorithm, read, (r#in, len), (out, len), t) }?.open(bytes)
    })
}

const TAG_LEN: usize = 16;

/// A message and all its inputs.
struct Once<'a> {
    algorithm: Algorithm,
    secret: &'a [u8],
    nonce: &'a [u8],
    aad: &'a [u8],
    text: Text<'a>,
}

impl Once<'_> {
    /// # Safety
    /// As [`ropewalk_aead_seal_once`].
    unsafe fn new(
        algorithm: ropewalk_aead,
        read: [(*const c_void, usize); 3],
        from: (*const c_void, usize),
        to: (*mut c_void, usize),
        tag: Span,
    ) -> Result<Self> {
        let algorithm = Algorithm::numbered(algorithm)?;
        let [secret, nonce, aad] = read;
        let [s, n, a] = read.map(|(at, len)| Span::new(at, len));
        // SAFETY: the caller's bytes, apart from the output.
        let secret = unsafe { memory::input("secret", secret.0, secret.1) }?;
        // SAFETY: the same.
        let nonce = unsafe { memory::input("nonce", nonce.0, nonce.1) }?;
        // SAFETY: the same.
        let aad = unsafe { memory::input("aad", aad.0, aad.1) }?;
        check_secret(algorithm, secret)?;
        // SAFETY: the same, and for writing.
        let text = unsafe { overlap::text(from, to, [s, n, a, tag]) }?;
        Ok(Self { algorithm, secret, nonce, aad, text })
    }

    fn seal(self) -> Result<Tag> {
        let Self { algorithm, secret, nonce, aad, text } = self;
        match text {
            Text::InPlace(text) if is_gcm(algorithm) => {
                Ok(aes_gcm::seal_once(secret, nonce, aad, text)?)
            }
            text => {
                let mut made = Tag::default();
                Key::new(algorithm, secret).seal(nonce, aad, text, |tag| made = *tag)?;
                Ok(made)
            }
        }
    }

    fn open(self, tag: &[u8]) -> Result<()> {
        let Self { algorithm, secret, nonce, aad, text } = self;
        match text {
            Text::InPlace(text) if is_gcm(algorithm) => {
                Ok(aes_gcm::open_once(secret, nonce, aad, text, tag)?)
            }
            text => Key::new(algorithm, secret).open(nonce, aad, text, tag),
        }
    }
}

fn is_gcm(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Aes128Gcm | Algorithm::Aes192Gcm | Algorithm::Aes256Gcm)
}
