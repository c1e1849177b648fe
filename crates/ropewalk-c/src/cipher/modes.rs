//! Functions of certain ciphers: other counters, padding, sectors.

use std::ffi::c_void;

use ropewalk::{aes_cbc, aes_ctr::Counter};

use super::{Key, array, chacha, keystream, ropewalk_cipher_key, with, wrong_kind};
use crate::{
    enter::{Failure, Result, call},
    memory,
    overlap::{Span, Text, apart},
    status::{ropewalk_error, ropewalk_status},
};

/// Encrypts or decrypts `in` by AES-CTR to `out`, which may be the same. `iv`, of 16 bytes, is the first counter block; its last
/// `counter_bits` bits, 32, 64 or 128, are the counter.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-CTR; with ROPEWALK_LENGTH for other counters, and for more text
/// than there are counter values.
///
/// # Safety
/// As ropewalk_cipher_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ctr_apply(
    key: *const ropewalk_cipher_key,
    counter_bits: u32,
    iv: *const c_void,
    iv_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let apply = |key: &Key, iv: &[u8], text: Text<'_>| match key {
        Key::Ctr(key) => keystream(key, counter(counter_bits)?, array(iv)?, text),
        _ => Err(wrong_kind("AES-CTR")),
    };
    // SAFETY: as the caller says.
    call(error, || unsafe { with(key, (iv, iv_len), (r#in, len), (out, len), apply) })
}

/// Encrypts or decrypts `in` by ChaCha20, from the block `counter` on, to `out`, which may be the same. The nonce has 12 bytes.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of ChaCha20; with ROPEWALK_LENGTH for another nonce length, and for more
/// text than there are counter values.
///
/// # Safety
/// As ropewalk_cipher_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_chacha20_apply(
    key: *const ropewalk_cipher_key,
    counter: u32,
    nonce: *const c_void,
    nonce_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let apply = |key: &Key, nonce: &[u8], text: Text<'_>| match key {
        Key::ChaCha(key) => chacha(key, counter, array(nonce)?, text),
        _ => Err(wrong_kind("ChaCha20")),
    };
    // SAFETY: as the caller says.
    call(error, || unsafe { with(key, (nonce, nonce_len), (r#in, len), (out, len), apply) })
}

/// The length of a text of `len` bytes with padding: the next greater multiple of 16.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_cbc_padded_len(len: usize) -> usize {
    aes_cbc::padded_len(len)
}

/// Encrypts `in` by AES-CBC to `out`, with the padding of PKCS #7: `out_len` is ropewalk_cbc_padded_len() of `in_len`. Both may
/// begin at one address. The initialization vector has 16 bytes.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-CBC, and with ROPEWALK_LENGTH for other lengths.
///
/// # Safety
/// As ropewalk_cipher_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cbc_encrypt_padded(
    key: *const ropewalk_cipher_key,
    iv: *const c_void,
    iv_len: usize,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let encrypt = |key: &Key, iv: &[u8], text: Text<'_>| match (key, text) {
        (Key::Cbc(key), Text::InPlace(buffer)) => {
            // If the text is longer, the output is too short for it.
            let buffer = &mut buffer[..out_len];
            Ok(key.encrypt_padded(array(iv)?, buffer, in_len)?)
        }
        (Key::Cbc(key), Text::Copying(from, to)) => {
            Ok(key.encrypt_padded_to(array(iv)?, from, to)?)
        }
        _ => Err(wrong_kind("AES-CBC")),
    };
    // SAFETY: as the caller says.
    call(error, || unsafe { with(key, (iv, iv_len), (r#in, in_len), (out, out_len), encrypt) })
}

/// Decrypts `len` bytes of `in` by AES-CBC to `out`, which may be the same, and writes to `text_len` how many of them are the
/// text, without its padding. Check a MAC first wherever an attacker could learn whether a padding is right.
///
/// Fails with ROPEWALK_FORGED where the padding is wrong: `out` is then zeroed. Fails otherwise as ropewalk_cbc_encrypt_padded().
///
/// # Safety
/// As ropewalk_cipher_encrypt(); `text_len` is for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cbc_decrypt_padded(
    key: *const ropewalk_cipher_key,
    iv: *const c_void,
    iv_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    text_len: *mut usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let decrypt = |key: &Key, iv: &[u8], text: Text<'_>| match (key, text) {
        (Key::Cbc(key), Text::InPlace(text)) => Ok(key.decrypt_padded(array(iv)?, text)?.len()),
        (Key::Cbc(key), Text::Copying(from, to)) => {
            Ok(key.decrypt_padded_to(array(iv)?, from, to)?)
        }
        _ => Err(wrong_kind("AES-CBC")),
    };
    call(error, || {
        let told = Span::of(text_len);
        memory::not_null("text_len", text_len)?;
        apart("text_len", told, [Span::of(key), Span::new(iv, iv_len), Span::new(r#in, len)])?;
        apart("text_len", told, [Span::new(out, len)])?;
        // SAFETY: as the caller says.
        let len = unsafe { with(key, (iv, iv_len), (r#in, len), (out, len), decrypt) }?;
        // SAFETY: for writing, as the caller says.
        unsafe { memory::put("text_len", text_len, len) }
    })
}

/// Encrypts sectors of `sector_size` bytes each by AES-XTS, numbered from `first` on: `len` bytes of `in` to `out`, which may be
/// the same. The tweak of a sector is its number, little-endian.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-XTS, and with ROPEWALK_LENGTH for a size below 16 or above 16 MiB,
/// and unless there are whole sectors.
///
/// # Safety
/// As ropewalk_cipher_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_xts_encrypt_sectors(
    key: *const ropewalk_cipher_key,
    first: u64,
    sector_size: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let encrypt = |key: &Key, _: &[u8], text: Text<'_>| match (key, text) {
        (Key::Xts(key), Text::InPlace(text)) => {
            Ok(key.encrypt_sectors(first, sector_size, text)?)
        }
        (Key::Xts(key), Text::Copying(from, to)) => {
            Ok(key.encrypt_sectors_to(first, sector_size, from, to)?)
        }
        _ => Err(wrong_kind("AES-XTS")),
    };
    // SAFETY: as the caller says.
    call(error, || unsafe { with(key, NO_NONCE, (r#in, len), (out, len), encrypt) })
}

/// Decrypts sectors: the inverse of ropewalk_xts_encrypt_sectors().
///
/// # Safety
/// As ropewalk_cipher_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_xts_decrypt_sectors(
    key: *const ropewalk_cipher_key,
    first: u64,
    sector_size: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let decrypt = |key: &Key, _: &[u8], text: Text<'_>| match (key, text) {
        (Key::Xts(key), Text::InPlace(text)) => {
            Ok(key.decrypt_sectors(first, sector_size, text)?)
        }
        (Key::Xts(key), Text::Copying(from, to)) => {
            Ok(key.decrypt_sectors_to(first, sector_size, from, to)?)
        }
        _ => Err(wrong_kind("AES-XTS")),
    };
    // SAFETY: as the caller says.
    call(error, || unsafe { with(key, NO_NONCE, (r#in, len), (out, len), decrypt) })
}

const NO_NONCE: (*const c_void, usize) = (std::ptr::null(), 0);

/// The counter of that many bits.
pub(super) fn counter(bits: u32) -> Result<Counter> {
    match bits {
        32 => Ok(Counter::Bits32),
        64 => Ok(Counter::Bits64),
        128 => Ok(Counter::Bits128),
        _ => Err(Failure::length("counter", bits as usize, "32, 64 or 128 bits")),
    }
}
