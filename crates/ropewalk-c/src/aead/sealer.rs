//! AES-GCM that never uses a nonce twice.

use std::ffi::c_void;

use ropewalk::aes_gcm::Sealer;

use super::{Any, Key, ropewalk_aead_key};
use crate::{
    enter::{Result, Why, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span},
    status::{ropewalk_error, ropewalk_status},
};

/// Words of a ropewalk_sealer.
pub const ROPEWALK_SEALER_WORDS: usize = 216;

/// A key of AES-GCM that generates the nonce of each message. It must not be copied or moved, and one thread at a time seals with
/// it.
#[repr(C)]
pub struct ropewalk_sealer {
    /// Private.
    pub words: [u64; ROPEWALK_SEALER_WORDS],
}

words! { ropewalk_sealer has a key, Sealing, "sealer", b"RWsealer" }

pub(crate) struct Sealing {
    sealer: Sealer,
    tag_len: usize,
}

/// Makes a sealer with nonces of four fixed bytes, `fixed`, and an eight-byte counter from `first` on. Any other sealer with this
/// key, at any time, must have other fixed bytes, or a `first` that is greater than all values counted by this one. It seals at
/// most `limit` messages or, if that is 0, as many as there are nonces.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-GCM.
///
/// # Safety
/// `sealer` is for writing; `key` was made; `fixed` has 4 bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_sealer_init_counter(
    sealer: *mut ropewalk_sealer,
    key: *const ropewalk_aead_key,
    fixed: *const c_void,
    first: u64,
    limit: u64,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(sealer, error, || {
        overlap::apart("sealer", Span::of(sealer), [Span::of(key), Span::new(fixed, 4)])?;
        // SAFETY: the caller's bytes.
        let fixed = *unsafe { memory::array::<4>("fixed", fixed) }?;
        // SAFETY: the caller's sealer and key.
        unsafe { make(sealer, key, limit, |key| Sealer::counter(key, fixed, first)) }
    })
}

/// Makes a sealer with random nonces. It seals at most `limit` messages or, if that is 0, 2^32: the limit for all sealers of a
/// key together.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-GCM.
///
/// # Safety
/// `sealer` is for writing; `key` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_sealer_init_random(
    sealer: *mut ropewalk_sealer,
    key: *const ropewalk_aead_key,
    limit: u64,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(sealer, error, || {
        overlap::apart("sealer", Span::of(sealer), [Span::of(key)])?;
        // SAFETY: the caller's sealer and key.
        unsafe { make(sealer, key, limit, Sealer::random) }
    })
}

/// Wipes a sealer. NULL, and a sealer that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `sealer` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_sealer_wipe(sealer: *mut ropewalk_sealer) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(sealer) };
}

/// Encrypts `text` in place, and writes its nonce, of 12 bytes, and its tag. ropewalk_aead_open() opens.
///
/// Fails with ROPEWALK_EXHAUSTED once it has sealed as many messages as it may, with ROPEWALK_NO_RANDOMNESS, and as
/// ropewalk_aead_seal().
///
/// # Safety
/// `sealer` was made; each pointer has as many bytes as follow it; `text`, `nonce` and `tag` are for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_sealer_seal(
    sealer: *mut ropewalk_sealer,
    aad: *const c_void,
    aad_len: usize,
    text: *mut c_void,
    text_len: usize,
    nonce: *mut c_void,
    nonce_len: usize,
    tag: *mut c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let [s, a] = [Span::of(sealer), Span::new(aad, aad_len)];
        let [x, n, t] = [(text, text_len), (nonce, nonce_len), (tag, tag_len)]
            .map(|(at, len)| Span::new(at, len));
        overlap::apart("nonce", n, [s, a, x, t])?;
        overlap::apart("tag", t, [s, a, x])?;
        overlap::apart("text", x, [s, a])?;
        overlap::apart("sealer", s, [a])?;
        overlap::as_long("nonce", nonce_len, 12, "12 bytes")?;
        // SAFETY: the caller's bytes, apart from all others.
        let nonce = unsafe { memory::output("nonce", nonce, nonce_len) }?;
        // SAFETY: the same.
        let tag = unsafe { memory::output("tag", tag, tag_len) }?;
        // SAFETY: the same.
        let text = unsafe { memory::output("text", text, text_len) }?;
        // SAFETY: the same.
        let aad = unsafe { memory::input("aad", aad, aad_len) }?;
        // SAFETY: the caller's sealer.
        let Sealing { sealer, tag_len } = unsafe { object::get_mut(sealer) }?;
        overlap::as_long("tag", tag.len(), *tag_len, "as the key has it")?;
        let (its_nonce, its_tag) = sealer.seal(aad, text)?;
        nonce.copy_from_slice(&its_nonce);
        tag.copy_from_slice(&its_tag);
        Ok(())
    })
}

/// Encrypts `in` to `out`: the nonce, of 12 bytes, the text and the tag. `out` is longer by nonce and tag.
///
/// Fails as ropewalk_sealer_seal(), and with ROPEWALK_LENGTH for another `out_len`.
///
/// # Safety
/// `sealer` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_sealer_seal_message(
    sealer: *mut ropewalk_sealer,
    aad: *const c_void,
    aad_len: usize,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let [s, a, i] = [Span::of(sealer), Span::new(aad, aad_len), Span::new(r#in, in_len)];
        overlap::apart("output", Span::new(out, out_len), [s, a, i])?;
        overlap::apart("sealer", s, [a, i])?;
        // SAFETY: the caller's bytes, apart from all others.
        let message = unsafe { memory::output("output", out, out_len) }?;
        // SAFETY: the same.
        let plaintext = unsafe { memory::input("input", r#in, in_len) }?;
        // SAFETY: the same.
        let aad = unsafe { memory::input("aad", aad, aad_len) }?;
        // SAFETY: the caller's sealer.
        let Sealing { sealer, .. } = unsafe { object::get_mut(sealer) }?;
        Ok(sealer.seal_message(aad, plaintext, message)?)
    })
}

/// Decrypts the output of ropewalk_sealer_seal_message(), sealed with the same secret, to `out`, which is shorter by a nonce and
/// a tag.
///
/// Fails as ropewalk_aead_open_appended().
///
/// # Safety
/// As ropewalk_sealer_seal_message().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_sealer_open_message(
    sealer: *const ropewalk_sealer,
    aad: *const c_void,
    aad_len: usize,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let [s, a, i] = [Span::of(sealer), Span::new(aad, aad_len), Span::new(r#in, in_len)];
        overlap::apart("output", Span::new(out, out_len), [s, a, i])?;
        // SAFETY: the caller's bytes, apart from all others.
        let plaintext = unsafe { memory::output("output", out, out_len) }?;
        // SAFETY: the same.
        let message = unsafe { memory::input("input", r#in, in_len) }?;
        // SAFETY: the same.
        let aad = unsafe { memory::input("aad", aad, aad_len) }?;
        // SAFETY: the caller's sealer.
        let Sealing { sealer, .. } = unsafe { object::get(sealer) }?;
        Ok(sealer.open_message(aad, message, plaintext)?)
    })
}

/// # Safety
/// `sealer` is for writing and `key` was made, or they are NULL.
unsafe fn make(
    sealer: *mut ropewalk_sealer,
    key: *const ropewalk_aead_key,
    limit: u64,
    of: impl FnOnce(ropewalk::aes_gcm::Key) -> Sealer,
) -> Result<()> {
    // SAFETY: as the caller says.
    let Key { any, tag_len, .. } = unsafe { object::get(key) }?;
    let Any::Gcm(gcm) = any else {
        return Err(Why::Kind { what: "key", allowed: "AES-GCM" }.into());
    };
    let limited = |sealer: Sealer| if limit == 0 { sealer } else { sealer.limit(limit) };
    let new = || Ok(Sealing { sealer: limited(of(gcm.clone())), tag_len: *tag_len });
    // SAFETY: as the caller says.
    unsafe { object::make(sealer, new) }
}
