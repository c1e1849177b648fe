//! Key derivation of TLS.

use std::ffi::c_void;

use ropewalk::{tls12, tls13};

use super::{OfPrk as _, not_hmac, ropewalk_prk, with_prk};
use crate::{
    enter::{Failure, call, making},
    mac::{ropewalk_mac_key, with_hmac},
    memory, object,
    overlap::{self, Span},
    status::{ropewalk_error, ropewalk_status},
};

/// HKDF-Expand-Label of TLS 1.3 (RFC 8446, section 7.1): fills `out`. The label is given without the prefix "tls13 ".
///
/// Fails with ROPEWALK_LENGTH for an empty label or one of more than 249 bytes, a context of more than 255, and more than 255
/// digests.
///
/// # Safety
/// `secret` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_tls13_expand_label(
    secret: *const ropewalk_prk,
    label: *const c_void,
    label_len: usize,
    context: *const c_void,
    context_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let read = [Span::of(secret), Span::new(label, label_len), Span::new(context, context_len)];
        overlap::apart("output", Span::new(out, out_len), read)?;
        // SAFETY: the caller's bytes, apart from all others.
        let out = unsafe { memory::output("output", out, out_len) }?;
        // SAFETY: the same.
        let label = unsafe { memory::input("label", label, label_len) }?;
        // SAFETY: the same.
        let context = unsafe { memory::input("context", context, context_len) }?;
        // SAFETY: the caller's key.
        Ok(with_prk!(unsafe { object::get(secret) }?,
            (H, secret) => tls13::expand_label(secret, label, context, out))?)
    })
}

/// Derive-Secret of TLS 1.3 (RFC 8446, section 7.1), given the digest of the transcript.
///
/// Fails as ropewalk_tls13_expand_label(), and with ROPEWALK_LENGTH where the digest does not have the length of its function.
///
/// # Safety
/// `derived` is for writing; `secret` was made; each pointer has as many bytes as follow it; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_tls13_derive_secret(
    derived: *mut ropewalk_prk,
    secret: *const ropewalk_prk,
    label: *const c_void,
    label_len: usize,
    transcript: *const c_void,
    transcript_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(derived, error, || {
        let read = [(label, label_len), (transcript, transcript_len)];
        let [l, t] = read.map(|(at, len)| Span::new(at, len));
        overlap::apart("derived secret", Span::of(derived), [Span::of(secret), l, t])?;
        // SAFETY: the caller's bytes, apart from what is written.
        let label = unsafe { memory::input("label", label, label_len) }?;
        // SAFETY: the same.
        let transcript = unsafe { memory::input("transcript", transcript, transcript_len) }?;
        // SAFETY: the caller's key.
        let secret = unsafe { object::get(secret) }?;
        let new = || {
            with_prk!(secret, (H, secret) => {
                let digest = transcript.try_into();
                let digest = digest.map_err(|_| Failure::length("transcript", transcript.len(), "as a digest"))?;
                Ok(H::wrap(tls13::derive_secret(secret, label, digest)?))
            })
        };
        // SAFETY: the caller's other key.
        unsafe { object::make(derived, new) }
    })
}

/// The PRF of TLS 1.2 (RFC 5246, section 5): fills `out`. The secret is a key of HMAC with the hash function to be used.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of HMAC, and with ROPEWALK_LENGTH for an empty label.
///
/// # Safety
/// `secret` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_tls12_prf(
    secret: *const ropewalk_mac_key,
    label: *const c_void,
    label_len: usize,
    seed: *const c_void,
    seed_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let read = [Span::of(secret), Span::new(label, label_len), Span::new(seed, seed_len)];
        overlap::apart("output", Span::new(out, out_len), read)?;
        // SAFETY: the caller's bytes, apart from all others.
        let out = unsafe { memory::output("output", out, out_len) }?;
        // SAFETY: the same.
        let label = unsafe { memory::input("label", label, label_len) }?;
        // SAFETY: the same.
        let seed = unsafe { memory::input("seed", seed, seed_len) }?;
        // SAFETY: the caller's key.
        with_hmac!(unsafe { object::get(secret) }?,
            (H, secret) => Ok(tls12::prf(secret, label, &[seed], out)?), _ => Err(not_hmac()))
    })
}
