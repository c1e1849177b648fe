//! Random bytes.

use std::ffi::c_void;

use ropewalk::random::{self, CtrDrbg};

use crate::{
    enter::{call, making},
    memory,
    object::{self, words},
    overlap::{self, Span, as_long},
    status::{ropewalk_error, ropewalk_status},
};

/// Bytes of a seed of a ropewalk_drbg.
pub const ROPEWALK_SEED_LEN: usize = 48;

const _: () = assert!(ROPEWALK_SEED_LEN == random::SEED_LEN, "the library has another one");

/// Fills `out` with unpredictable bytes, from a generator of this thread, seeded by the operating system.
///
/// Fails with ROPEWALK_NO_RANDOMNESS where that provides none; `out` must then not be used.
///
/// # Safety
/// `out` has `out_len` bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_random(
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's bytes.
        let out = unsafe { memory::output("output", out, out_len) }?;
        Ok(random::fill(out)?)
    })
}

/// Words of a ropewalk_drbg.
pub const ROPEWALK_DRBG_WORDS: usize = 96;

/// A generator of random bytes, CTR_DRBG with AES-256 (NIST SP 800-90A), for programs with their own entropy. Others call
/// ropewalk_random(). It must not be copied or moved.
#[repr(C)]
pub struct ropewalk_drbg {
    /// Private.
    pub words: [u64; ROPEWALK_DRBG_WORDS],
}

words! { ropewalk_drbg has a key, CtrDrbg, "generator", b"RWctrdrb", leaves 1536 }

/// Makes a generator from ROPEWALK_SEED_LEN bytes of full entropy, and a personalization string of up to as many bytes.
///
/// # Safety
/// `drbg` is for writing; each pointer has as many bytes as follow it; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_drbg_init(
    drbg: *mut ropewalk_drbg,
    entropy: *const c_void,
    entropy_len: usize,
    personalization: *const c_void,
    personalization_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(drbg, error, || {
        as_long("entropy", entropy_len, ROPEWALK_SEED_LEN, "48 bytes")?;
        let read = [(entropy, entropy_len), (personalization, personalization_len)];
        overlap::apart("generator", Span::of(drbg), read.map(|(at, len)| Span::new(at, len)))?;
        // SAFETY: the caller's bytes, which are not the generator's.
        let entropy = unsafe { memory::array("entropy", entropy) }?;
        // SAFETY: the same.
        let own =
            unsafe { memory::input("personalization", personalization, personalization_len) }?;
        // A generator derives keys from keys.
        ropewalk::swept(6144, || {
            // SAFETY: the caller's generator.
            unsafe { object::make(drbg, || Ok(CtrDrbg::new(entropy, own)?)) }
        })
    })
}

/// Reseeds a generator with ROPEWALK_SEED_LEN bytes of full entropy, and up to as many bytes of additional data, which need not
/// be secret.
///
/// # Safety
/// `drbg` was made; each pointer has as many bytes as follow it; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_drbg_reseed(
    drbg: *mut ropewalk_drbg,
    entropy: *const c_void,
    entropy_len: usize,
    additional: *const c_void,
    additional_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        as_long("entropy", entropy_len, ROPEWALK_SEED_LEN, "48 bytes")?;
        let read = [(entropy, entropy_len), (additional, additional_len)];
        overlap::apart("generator", Span::of(drbg), read.map(|(at, len)| Span::new(at, len)))?;
        // SAFETY: the caller's bytes, which are not the generator's.
        let entropy = unsafe { memory::array("entropy", entropy) }?;
        // SAFETY: the same.
        let additional = unsafe { memory::input("additional data", additional, additional_len) }?;
        // SAFETY: the caller's generator.
        Ok(unsafe { object::get_mut(drbg) }?.reseed(entropy, additional)?)
    })
}

/// Fills `out`, of up to 2^16 bytes.
///
/// Fails with ROPEWALK_EXHAUSTED once a reseed is required.
///
/// # Safety
/// `drbg` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_drbg_generate(
    drbg: *mut ropewalk_drbg,
    additional: *const c_void,
    additional_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let [d, a] = [Span::of(drbg), Span::new(additional, additional_len)];
        overlap::apart("output", Span::new(out, out_len), [d, a])?;
        overlap::apart("generator", d, [a])?;
        // SAFETY: the caller's bytes, apart from all others.
        let out = unsafe { memory::output("output", out, out_len) }?;
        // SAFETY: the same.
        let additional = unsafe { memory::input("additional data", additional, additional_len) }?;
        // SAFETY: the caller's generator.
        Ok(unsafe { object::get_mut(drbg) }?.generate(additional, out)?)
    })
}

/// Wipes a generator. NULL, and a generator that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `drbg` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_drbg_wipe(drbg: *mut ropewalk_drbg) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(drbg) };
}
