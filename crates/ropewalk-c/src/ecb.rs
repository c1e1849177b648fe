//! AES block by block. Do not encrypt messages with it.

use std::ffi::c_void;

use ropewalk::aes_ecb;

use crate::{
    enter::{Result, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span, Text},
    status::{ropewalk_error, ropewalk_status},
};

/// Words of a ropewalk_ecb_key.
pub const ROPEWALK_ECB_KEY_WORDS: usize = 96;

/// A key of AES for single blocks (NIST SP 800-38A, section 6.1): a building block for other modes. Do not encrypt messages with
/// it: equal blocks give equal ciphertext. It must not be copied or moved; ropewalk_ecb_key_clone() copies.
#[repr(C)]
pub struct ropewalk_ecb_key {
    /// Private.
    pub words: [u64; ROPEWALK_ECB_KEY_WORDS],
}

words! { ropewalk_ecb_key has a key, aes_ecb::Key, "key of blocks", b"RWaesecb" }

/// Makes a key of 16, 24 or 32 bytes. Previous contents of the key are not wiped.
///
/// # Safety
/// `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ecb_key_init(
    key: *mut ropewalk_ecb_key,
    secret: *const c_void,
    secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, secret_len)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::input("secret", secret, secret_len) }?;
        // SAFETY: the caller's key.
        unsafe { object::make(key, || Ok(aes_ecb::Key::new(secret)?)) }
    })
}

/// Makes a copy of a key.
///
/// # Safety
/// `copy` is for writing; `key` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ecb_key_clone(
    copy: *mut ropewalk_ecb_key,
    key: *const ropewalk_ecb_key,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    making(copy, error, || unsafe { object::clone(copy, key) })
}

/// Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ecb_key_wipe(key: *mut ropewalk_ecb_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Encrypts whole blocks of 16 bytes, each independently: `len` bytes of `in` to `out`, which may be the same.
///
/// # Safety
/// `key` was made; `in` has `len` bytes, and `out` for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ecb_encrypt(
    key: *const ropewalk_ecb_key,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || match unsafe { given(key, r#in, out, len) }? {
        (key, Text::InPlace(text)) => Ok(key.encrypt(text)?),
        (key, Text::Copying(from, to)) => Ok(key.encrypt_to(from, to)?),
    })
}

/// Decrypts whole blocks of 16 bytes, each independently: `len` bytes of `in` to `out`, which may be the same.
///
/// # Safety
/// As ropewalk_ecb_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ecb_decrypt(
    key: *const ropewalk_ecb_key,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || match unsafe { given(key, r#in, out, len) }? {
        (key, Text::InPlace(text)) => Ok(key.decrypt(text)?),
        (key, Text::Copying(from, to)) => Ok(key.decrypt_to(from, to)?),
    })
}

/// # Safety
/// As [`ropewalk_ecb_encrypt`].
#[inline(always)]
unsafe fn given<'a>(
    key: *const ropewalk_ecb_key,
    from: *const c_void,
    to: *mut c_void,
    len: usize,
) -> Result<(&'a aes_ecb::Key, Text<'a>)> {
    // SAFETY: as the caller says.
    let text = unsafe { overlap::text((from, len), (to, len), [Span::of(key)]) }?;
    // SAFETY: as the caller says; the output is apart from it.
    Ok((unsafe { object::get(key) }?, text))
}
