//! Signatures of batches.

use std::{ffi::c_void, slice};

use arrayvec::ArrayVec;
use ropewalk::ed25519::{SIGNATURE_LEN, Signature, Signed, ToSign, sign_many, verify_many};

use super::{ropewalk_ed25519_key, ropewalk_ed25519_public_key};
use crate::{
    enter::{Failure, Result, call},
    many::{self, GROUP},
    memory, object,
    overlap::Span,
    public_keys::{batch::Operation, check_output, put, status_of},
    status::{ropewalk_error, ropewalk_status},
};

/// A message that is signed, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_ed25519_to_sign {
    /// Its key. Messages may share a key.
    pub key: *const ropewalk_ed25519_key,
    /// The message.
    pub message: *const c_void,
    /// Its length in bytes.
    pub message_len: usize,
    /// Its signature, of 64 bytes: written. It may lie within the message.
    pub signature: *mut c_void,
}

/// A message with its signature, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_ed25519_signed {
    /// The public key of its signer. Messages may share a key.
    pub key: *const ropewalk_ed25519_public_key,
    /// The message.
    pub message: *const c_void,
    /// Its length in bytes.
    pub message_len: usize,
    /// Its signature, of 64 bytes.
    pub signature: *const c_void,
    /// Written: ROPEWALK_OK or ROPEWALK_FORGED.
    pub status: u32,
}

/// Writes the signature of each message, with the results of a loop over ropewalk_ed25519_sign(), and in lanes where that is faster.
/// Messages may differ in key and length.
///
/// Fails as ropewalk_ed25519_sign() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP where a
/// signature overlaps `messages`, or the key of another message, or a key lies in `messages`. Nothing is then written.
///
/// # Safety
/// There are `count` messages, each as for ropewalk_ed25519_sign(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_sign_many(
    messages: *const ropewalk_ed25519_to_sign,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says; no message of the array is written.
    call(error, || unsafe { many::run(&Signatures, "messages", messages.cast_mut(), count) })
}

/// Verifies the signature of each message, in lanes where that is faster. `status` of each message is its result.
///
/// Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_ed25519_verify() for the first
/// message that would, with its index, and with ROPEWALK_OVERLAP where a key lies in `messages`. Nothing is then written.
///
/// # Safety
/// There are `count` messages, each as for ropewalk_ed25519_verify(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_verify_many(
    messages: *mut ropewalk_ed25519_signed,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Verdicts, "messages", messages, count) })
}

/// Signs.
struct Signatures;

impl Operation<3, 1> for Signatures {
    type Message = ropewalk_ed25519_to_sign;
    type Key = ropewalk_ed25519_key;

    #[inline(always)]
    fn key(one: &ropewalk_ed25519_to_sign) -> *const ropewalk_ed25519_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_ed25519_to_sign) -> [Span; 3] {
        let signature = Span::new(one.signature, SIGNATURE_LEN);
        [signature, Span::new(one.message, one.message_len), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_ed25519_to_sign) -> Result<()> {
        check_output::<SIGNATURE_LEN>("signature", one.signature, Span::of(one.key))?;
        memory::check("message", one.message, one.message_len)
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_ed25519_to_sign) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's bytes, which have been checked; the slice is not used after they are signed.
        let text = unsafe { memory::bytes(one.message, one.message_len) };
        // SAFETY: the caller's key, which has been found ready.
        let signature = unsafe { object::found(one.key) }.sign(text);
        // SAFETY: the caller's bytes, for writing, which have been checked; the message has been read.
        unsafe { put(one.signature, &signature) };
        Ok(())
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        _: usize,
        messages: *mut ropewalk_ed25519_to_sign,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's messages, apart from all that they have.
        let group = unsafe { slice::from_raw_parts(messages, count) };
        let mut all = ArrayVec::<ToSign<'_>, GROUP>::new();
        let mut signatures = ArrayVec::<Signature, GROUP>::new();
        for one in group {
            // SAFETY: the caller's key, which has been found ready and stays until the call returns.
            let key = unsafe { object::found(one.key) };
            // SAFETY: the caller's bytes, which have been checked.
            let message = unsafe { memory::bytes(one.message, one.message_len) };
            all.push(ToSign { key, message });
            signatures.push([0; SIGNATURE_LEN]);
        }
        sign_many(&all, &mut signatures)?;
        for (one, signature) in group.iter().zip(&signatures) {
            // SAFETY: the caller's bytes, for writing, which have been checked; messages are not used any more.
            unsafe { put(one.signature, signature) };
        }
        Ok(())
    }
}

/// Verifies signatures. Only the results are written to messages.
struct Verdicts;

impl Operation<3, 0> for Verdicts {
    type Message = ropewalk_ed25519_signed;
    type Key = ropewalk_ed25519_public_key;

    #[inline(always)]
    fn key(one: &ropewalk_ed25519_signed) -> *const ropewalk_ed25519_public_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_ed25519_signed) -> [Span; 3] {
        let signature = Span::new(one.signature, SIGNATURE_LEN);
        [signature, Span::new(one.message, one.message_len), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_ed25519_signed) -> Result<()> {
        memory::not_null("signature", one.signature)?;
        memory::check("message", one.message, one.message_len)
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_ed25519_signed) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's message, which has been checked.
        let Signed { key, message: text, signature } = unsafe { one.signed() };
        let done = key.verify(text, signature).map_err(Failure::from);
        // SAFETY: as the caller says, for writing; its text is not used any more.
        unsafe { (*message).status = status_of(&done) };
        done
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut ropewalk_ed25519_signed,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's messages, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(messages, count) };
        let mut signed = ArrayVec::<Signed<'_>, GROUP>::new();
        // SAFETY: each has been checked.
        signed.extend(group.iter().map(|one| unsafe { one.signed() }));
        let mut results = [Ok(()); GROUP];
        verify_many(&signed, &mut results[..count])?;
        let mut all = Ok(());
        for (i, (one, result)) in group.iter_mut().zip(results).enumerate() {
            let done = result.map_err(|error| Failure::from(error).at(from + i));
            one.status = status_of(&done);
            all = all.and(done);
        }
        all
    }
}

impl ropewalk_ed25519_signed {
    /// # Safety
    /// As [`ropewalk_ed25519_verify_many`], and it has been checked.
    #[inline(always)]
    unsafe fn signed<'a>(&self) -> Signed<'a> {
        // SAFETY: the caller's key, which has been found ready and stays until the call returns.
        let key = unsafe { object::found(self.key) };
        // SAFETY: the caller's bytes, which have been checked.
        let message = unsafe { memory::bytes(self.message, self.message_len) };
        // SAFETY: the same; bytes are aligned anywhere.
        Signed { key, message, signature: unsafe { &*self.signature.cast::<Signature>() } }
    }
}
