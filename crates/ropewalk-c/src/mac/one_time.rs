//! Poly1305 (RFC 8439, section 2.5), whose keys are for one message each.

use std::ffi::c_void;

use ropewalk::poly1305;

use crate::{
    enter::call,
    memory,
    overlap::as_long,
    status::{ropewalk_error, ropewalk_status},
};

/// Writes the tag of a message, of 16 bytes, by Poly1305. The key, of 32 bytes, must be new: it is for one message. The tag may
/// lie within the message.
///
/// # Safety
/// Each pointer has as many bytes as follow it; `tag` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_poly1305(
    key: *const c_void,
    key_len: usize,
    message: *const c_void,
    message_len: usize,
    tag: *mut c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        as_long("key", key_len, poly1305::KEY_LEN, "32 bytes")?;
        as_long("tag", tag_len, poly1305::TAG_LEN, "16 bytes")?;
        memory::check("tag", tag, tag_len)?;
        // SAFETY: the caller's bytes; the slice is not used after the tag is computed.
        let key = unsafe { memory::array("key", key) }?;
        // SAFETY: the same.
        let message = unsafe { memory::input("message", message, message_len) }?;
        let made = poly1305::mac(key, message);
        // SAFETY: the caller's bytes, for writing.
        unsafe { memory::bytes_mut(tag, tag_len) }.copy_from_slice(&*made);
        Ok(())
    })
}

/// Verifies `tag` as the tag of a message by Poly1305. Fails with ROPEWALK_FORGED if it is not.
///
/// # Safety
/// Each pointer has as many bytes as follow it; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_poly1305_verify(
    key: *const c_void,
    key_len: usize,
    message: *const c_void,
    message_len: usize,
    tag: *const c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        as_long("key", key_len, poly1305::KEY_LEN, "32 bytes")?;
        as_long("tag", tag_len, poly1305::TAG_LEN, "16 bytes")?;
        // SAFETY: the caller's bytes.
        let key = unsafe { memory::array("key", key) }?;
        // SAFETY: the same.
        let message = unsafe { memory::input("message", message, message_len) }?;
        // SAFETY: the same.
        let tag = unsafe { memory::array("tag", tag) }?;
        Ok(poly1305::verify(key, message, tag)?)
    })
}
