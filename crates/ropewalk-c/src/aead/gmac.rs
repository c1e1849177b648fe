//! GMAC: authentication without encryption, by AES-GCM (NIST SP 800-38D).

use std::{
    ffi::c_void,
    ptr::{null, null_mut},
};

use super::{Any, open, ropewalk_aead_key, seal};
use crate::{
    enter::{Result, Why, call},
    object,
    status::{ropewalk_error, ropewalk_status},
};

/// Writes the tag of a message by GMAC, with a key of AES-GCM. The nonce must be new for this key.
///
/// Fails with ROPEWALK_WRONG_KIND for a key of another cipher, and as ropewalk_aead_seal().
///
/// # Safety
/// As ropewalk_aead_seal().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_gmac(
    key: *const ropewalk_aead_key,
    nonce: *const c_void,
    nonce_len: usize,
    message: *const c_void,
    message_len: usize,
    tag: *mut c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: as the caller says.
        unsafe { check(key) }?;
        let (nonce, message) = ((nonce, nonce_len), (message, message_len));
        // SAFETY: as the caller says.
        unsafe { seal(key, nonce, message, (null(), 0), (null_mut(), 0), (tag, tag_len)) }
    })
}

/// Verifies `tag` as the tag of a message by GMAC. Fails with ROPEWALK_FORGED if it is not.
///
/// # Safety
/// As ropewalk_aead_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_gmac_verify(
    key: *const ropewalk_aead_key,
    nonce: *const c_void,
    nonce_len: usize,
    message: *const c_void,
    message_len: usize,
    tag: *const c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: as the caller says.
        unsafe { check(key) }?;
        let (nonce, message) = ((nonce, nonce_len), (message, message_len));
        // SAFETY: as the caller says.
        unsafe { open(key, nonce, message, (null(), 0), (null_mut(), 0), (tag, tag_len)) }
    })
}

/// # Safety
/// As [`ropewalk_gmac`].
unsafe fn check(key: *const ropewalk_aead_key) -> Result<()> {
    // SAFETY: as the caller says.
    match unsafe { object::get(key) }?.any {
        Any::Gcm(_) => Ok(()),
        _ => Err(Why::Kind { what: "key", allowed: "AES-GCM" }.into()),
    }
}
