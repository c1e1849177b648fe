//! AES key wrap (NIST SP 800-38F, RFC 3394 and RFC 5649).

use std::ffi::c_void;

use ropewalk::aes_kw;

use crate::{
    enter::{Failure, Result, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span, Text, as_long},
    status::{ropewalk_error, ropewalk_status},
};

/// Words of a ropewalk_wrap_key.
pub const ROPEWALK_WRAP_KEY_WORDS: usize = 88;

/// A key that wraps others. It must not be copied or moved.
#[repr(C)]
pub struct ropewalk_wrap_key {
    /// Private.
    pub words: [u64; ROPEWALK_WRAP_KEY_WORDS],
}

words! { ropewalk_wrap_key has a key, aes_kw::Key, "wrapping key", b"RWwrapky" }

/// Makes a key of 16, 24 or 32 bytes. Previous contents of the key are not wiped.
///
/// # Safety
/// `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_wrap_key_init(
    key: *mut ropewalk_wrap_key,
    secret: *const c_void,
    secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, secret_len)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::input("secret", secret, secret_len) }?;
        // SAFETY: the caller's key.
        unsafe { object::make(key, || Ok(aes_kw::Key::new(secret)?)) }
    })
}

/// Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_wrap_key_wipe(key: *mut ropewalk_wrap_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Wraps `in`, a multiple of 8 bytes from 16 on, to `out`, which is longer by 8 (RFC 3394). Both may begin at one address.
///
/// # Safety
/// `key` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_wrap(
    key: *const ropewalk_wrap_key,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        if in_len < 16 || !in_len.is_multiple_of(8) {
            return Err(Failure::length(
                "key to wrap",
                in_len,
                "a multiple of 8 bytes, from 16 on",
            ));
        }
        as_long("output", out_len, in_len.saturating_add(8), "that of the key and 8 bytes")?;
        // SAFETY: as the caller says.
        match unsafe { given(key, (r#in, in_len), (out, out_len)) }? {
            (key, Text::InPlace(buffer)) => {
                buffer.copy_within(..in_len, 8);
                Ok(key.wrap(buffer)?)
            }
            (key, Text::Copying(from, to)) => Ok(key.wrap_to(from, to)?),
        }
    })
}

/// Unwraps `in` to `out`, which is shorter by 8 bytes. Both may begin at one address.
///
/// Fails with ROPEWALK_FORGED if it was not wrapped with this key: `out` is then zeroed.
///
/// # Safety
/// As ropewalk_wrap(); where both begin at one address, all of `in` is for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_unwrap(
    key: *const ropewalk_wrap_key,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let must = in_len.saturating_sub(8);
        as_long("output", out_len, must, "that of the input less 8 bytes")?;
        // SAFETY: as the caller says.
        match unsafe { given(key, (r#in, in_len), (out, out_len)) }? {
            (key, Text::InPlace(buffer)) => {
                key.unwrap(buffer)?;
                to_front(buffer);
                Ok(())
            }
            (key, Text::Copying(from, to)) => Ok(key.unwrap_to(from, to)?),
        }
    })
}

/// The length of a wrapped key of `len` bytes with padding: the next multiple of 8 from there on, and 8 more.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_wrap_padded_len(len: usize) -> usize {
    aes_kw::padded_len(len)
}

/// Wraps `in`, of 1 to 2^32 - 1 bytes, padded, to `out`, which has ropewalk_wrap_padded_len() bytes (RFC 5649). Both may begin at one
/// address.
///
/// # Safety
/// As ropewalk_wrap().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_wrap_padded(
    key: *const ropewalk_wrap_key,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        if in_len == 0 || in_len as u64 >= 1 << 32 {
            return Err(Failure::length("key to wrap", in_len, "1 to 2^32 - 1 bytes"));
        }
        let allowed = "as ropewalk_wrap_padded_len says";
        as_long("output", out_len, aes_kw::padded_len(in_len), allowed)?;
        // SAFETY: as the caller says.
        match unsafe { given(key, (r#in, in_len), (out, out_len)) }? {
            (key, Text::InPlace(buffer)) => {
                buffer.copy_within(..in_len, 8);
                Ok(key.wrap_padded(buffer, in_len)?)
            }
            (key, Text::Copying(from, to)) => Ok(key.wrap_padded_to(from, to)?),
        }
    })
}

/// Unwraps `in` to `out`, which is shorter by 8 bytes, and writes to `key_len` how many of them are the key, without its padding.
/// Both may begin at one address.
///
/// Fails with ROPEWALK_FORGED if it was not wrapped with this key: `out` is then zeroed.
///
/// # Safety
/// As ropewalk_unwrap(); `key_len` is for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_unwrap_padded(
    key: *const ropewalk_wrap_key,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    key_len: *mut usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let must = in_len.saturating_sub(8);
        as_long("output", out_len, must, "that of the input less 8 bytes")?;
        let told = Span::of(key_len);
        memory::not_null("key_len", key_len)?;
        let [i, o] = [Span::new(r#in, in_len), Span::new(out, out_len)];
        overlap::apart("key_len", told, [i, o, Span::of(key)])?;
        // SAFETY: as the caller says.
        let len = match unsafe { given(key, (r#in, in_len), (out, out_len)) }? {
            (key, Text::InPlace(buffer)) => {
                let len = key.unwrap_padded(buffer)?.len();
                to_front(buffer);
                len
            }
            (key, Text::Copying(from, to)) => key.unwrap_padded_to(from, to)?,
        };
        // SAFETY: for writing, as the caller says.
        unsafe { memory::put("key_len", key_len, len) }
    })
}

/// Moves the unwrapped key to the beginning, and zeroes the rest.
fn to_front(buffer: &mut [u8]) {
    let len = buffer.len() - 8;
    buffer.copy_within(8.., 0);
    buffer[len..].fill(0);
}

/// # Safety
/// As [`ropewalk_wrap`].
#[inline(always)]
unsafe fn given<'a>(
    key: *const ropewalk_wrap_key,
    from: (*const c_void, usize),
    to: (*mut c_void, usize),
) -> Result<(&'a aes_kw::Key, Text<'a>)> {
    // SAFETY: as the caller says.
    let text = unsafe { overlap::text(from, to, [Span::of(key)]) }?;
    // SAFETY: as the caller says; the output is apart from it.
    Ok((unsafe { object::get(key) }?, text))
}
