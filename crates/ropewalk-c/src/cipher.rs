//! Ciphers without authentication: AES-CTR, AES-CBC, AES-XTS and ChaCha20.

use std::ffi::c_void;

use ropewalk::{
    aes_cbc,
    aes_ctr::{self, Counter},
    aes_xts, chacha20,
    cipher::Algorithm,
};

use crate::{
    algorithms::{Kind as _, ropewalk_cipher},
    enter::{Failure, Result, Why, call, making},
    memory,
    object::{self, words},
    overlap::{self, Region, Span, Text, as_long},
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod many;
mod modes;
mod stream;

/// Words of a ropewalk_cipher_key.
pub const ROPEWALK_CIPHER_KEY_WORDS: usize = 144;

/// A key of a cipher. It must not be copied or moved. Any number of threads may use one at the same time.
#[repr(C)]
pub struct ropewalk_cipher_key {
    /// Private.
    pub words: [u64; ROPEWALK_CIPHER_KEY_WORDS],
}

words! { ropewalk_cipher_key has a key of states, Key, "cipher's key", b"RWcipher" }

#[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
pub(crate) enum Key {
    Ctr(aes_ctr::Key),
    Cbc(aes_cbc::Key),
    Xts(aes_xts::Key),
    ChaCha(chacha20::Key),
}

impl Key {
    /// Of a secret that [`check_secret`] has accepted.
    fn new(algorithm: Algorithm, secret: &[u8]) -> Self {
        use Algorithm::*;
        match algorithm {
            Aes128Ctr | Aes192Ctr | Aes256Ctr => Self::Ctr(aes_ctr::Key::of_checked(secret)),
            Aes128Cbc | Aes192Cbc | Aes256Cbc => Self::Cbc(aes_cbc::Key::of_checked(secret)),
            Aes128Xts | Aes256Xts => Self::Xts(aes_xts::Key::of_checked(secret)),
            _ => {
                let Ok(secret) = secret.try_into() else { unreachable!("it has been checked") };
                Self::ChaCha(chacha20::Key::of_checked(secret))
            }
        }
    }

    #[inline(always)]
    fn encrypt(&self, nonce: &[u8], text: Text<'_>) -> Result<()> {
        match self {
            Self::Ctr(key) => keystream(key, Counter::Bits128, array(nonce)?, text),
            Self::ChaCha(key) => chacha(key, 0, array(nonce)?, text),
            Self::Cbc(key) => match text {
                Text::InPlace(text) => Ok(key.encrypt(array(nonce)?, text)?),
                Text::Copying(from, to) => Ok(key.encrypt_to(array(nonce)?, from, to)?),
            },
            Self::Xts(key) => match text {
                Text::InPlace(text) => Ok(key.encrypt(array(nonce)?, text)?),
                Text::Copying(from, to) => Ok(key.encrypt_to(array(nonce)?, from, to)?),
            },
        }
    }

    #[inline(always)]
    fn decrypt(&self, nonce: &[u8], text: Text<'_>) -> Result<()> {
        match self {
            Self::Ctr(_) | Self::ChaCha(_) => self.encrypt(nonce, text),
            Self::Cbc(key) => match text {
                Text::InPlace(text) => Ok(key.decrypt(array(nonce)?, text)?),
                Text::Copying(from, to) => Ok(key.decrypt_to(array(nonce)?, from, to)?),
            },
            Self::Xts(key) => match text {
                Text::InPlace(text) => Ok(key.decrypt(array(nonce)?, text)?),
                Text::Copying(from, to) => Ok(key.decrypt_to(array(nonce)?, from, to)?),
            },
        }
    }
}

/// Makes a key of `secret`, which has ropewalk_cipher_key_len() bytes, with the best backend of this processor. Previous contents
/// of the key are not wiped.
///
/// Fails with ROPEWALK_EQUAL_HALVES where the halves of an XTS key are equal.
///
/// # Safety
/// `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cipher_key_init(
    key: *mut ropewalk_cipher_key,
    algorithm: ropewalk_cipher,
    secret: *const c_void,
    secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, secret_len)])?;
        let algorithm = Algorithm::numbered(algorithm)?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::input("secret", secret, secret_len) }?;
        check_secret(algorithm, secret)?;
        // SAFETY: the caller's key.
        unsafe { object::make_key(key, || Key::new(algorithm, secret)) }
    })
}

/// Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cipher_key_wipe(key: *mut ropewalk_cipher_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Encrypts `len` bytes of `in` to `out`, which may be the same. The nonce has ropewalk_cipher_nonce_len() bytes: for CTR it is
/// the first counter block, all of which is the counter; for CBC the initialization vector; for XTS the tweak. ChaCha20 counts
/// from 0.
///
/// Fails with ROPEWALK_LENGTH for a nonce or a text of a length that the cipher does not accept.
///
/// # Safety
/// `key` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cipher_encrypt(
    key: *const ropewalk_cipher_key,
    nonce: *const c_void,
    nonce_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { with(key, (nonce, nonce_len), (r#in, len), (out, len), Key::encrypt) })
}

/// Decrypts `len` bytes of `in` to `out`, which may be the same.
///
/// Fails as ropewalk_cipher_encrypt().
///
/// # Safety
/// As ropewalk_cipher_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cipher_decrypt(
    key: *const ropewalk_cipher_key,
    nonce: *const c_void,
    nonce_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { with(key, (nonce, nonce_len), (r#in, len), (out, len), Key::decrypt) })
}

/// Applies an operation to a key, a nonce and a text.
///
/// # Safety
/// As [`ropewalk_cipher_encrypt`].
#[inline(always)]
unsafe fn with<T>(
    key: *const ropewalk_cipher_key,
    nonce: (*const c_void, usize),
    from: (*const c_void, usize),
    to: (*mut c_void, usize),
    what: impl FnOnce(&Key, &[u8], Text<'_>) -> Result<T>,
) -> Result<T> {
    let reads = [Region::object(key), Region::new("nonce", nonce)];
    let (input, output) = (Region::new("input", from), Region::new("output", (to.0, to.1)));
    overlap::check(input, output, reads, [])?;
    // SAFETY: the caller's key.
    let key = unsafe { object::get(key) }?;
    // SAFETY: the caller's bytes, which have been checked, apart from the output.
    let nonce = unsafe { memory::bytes(nonce.0, nonce.1) };
    // SAFETY: the same, and for writing.
    what(key, nonce, unsafe { overlap::checked_text(from, to) })
}

#[inline(always)]
fn keystream(key: &aes_ctr::Key, counter: Counter, iv: &[u8; 16], text: Text<'_>) -> Result<()> {
    Ok(match text {
        Text::InPlace(text) => key.apply_keystream(counter, iv, text),
        Text::Copying(from, to) => key.apply_keystream_to(counter, iv, from, to),
    }?)
}

#[inline(always)]
fn chacha(key: &chacha20::Key, counter: u32, nonce: &[u8; 12], text: Text<'_>) -> Result<()> {
    Ok(match text {
        Text::InPlace(text) => key.apply_keystream(counter, nonce, text),
        Text::Copying(from, to) => key.apply_keystream_to(counter, nonce, from, to),
    }?)
}

/// The nonce, if it has the right length: 12 or 16 bytes.
#[inline(always)]
fn array<const N: usize>(nonce: &[u8]) -> Result<&[u8; N]> {
    let allowed = if N == 12 { "12 bytes" } else { "16 bytes" };
    nonce.try_into().map_err(|_| Failure::length("nonce", nonce.len(), allowed))
}

#[cold]
fn check_secret(algorithm: Algorithm, secret: &[u8]) -> Result<()> {
    as_long("key", secret.len(), algorithm.key_len(), "as the name of the cipher says")?;
    if matches!(algorithm, Algorithm::Aes128Xts | Algorithm::Aes256Xts) {
        aes_xts::check_key(secret)?;
    }
    Ok(())
}

fn wrong_kind(allowed: &'static str) -> Failure {
    Why::Kind { what: "key", allowed }.into()
}
