//! Signatures of batches.

use std::{ffi::c_void, slice};

use arrayvec::ArrayVec;
use ropewalk::{
    Error,
    p256::{Many, PrivateKey, SIGNATURE_LEN, Signature, Signed, ToSign, verify_many},
};

use super::{
    super::{ropewalk_p256_key, ropewalk_p256_public_key},
    Sign, check_signed, check_to_sign, read, sign, verify,
};
use crate::{
    enter::{Failure, Result, call},
    many::{self, GROUP},
    memory, object,
    overlap::Span,
    public_keys::{batch::Operation, put, status_of},
    status::{ropewalk_error, ropewalk_status},
};

/// A digest that is signed, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_p256_to_sign {
    /// Its key. Digests may share a key.
    pub key: *const ropewalk_p256_key,
    /// The digest of the message.
    pub digest: *const c_void,
    /// Its length in bytes: 20 or more.
    pub digest_len: usize,
    /// Its signature, of 64 bytes: written. It may overlap the digest.
    pub signature: *mut c_void,
}

/// A digest with its signature, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_p256_signed {
    /// The public key of its signer. Digests may share a key.
    pub key: *const ropewalk_p256_public_key,
    /// The digest of the message.
    pub digest: *const c_void,
    /// Its length in bytes: 20 or more.
    pub digest_len: usize,
    /// Its signature, of 64 bytes.
    pub signature: *const c_void,
    /// Written: ROPEWALK_OK or ROPEWALK_FORGED.
    pub status: u32,
}

/// Writes the signature of each digest, as a loop over ropewalk_p256_sign(), and in lanes where that is faster. Digests may differ in
/// key and length.
///
/// Fails as ropewalk_p256_sign() for the first digest that would, with its index in the error, and with ROPEWALK_OVERLAP where a
/// signature overlaps `digests`, or the key of another digest, or a key lies in `digests`. Nothing is then written, except that
/// ROPEWALK_NO_RANDOMNESS may come after some signatures.
///
/// # Safety
/// There are `count` digests, each as for ropewalk_p256_sign(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_sign_many(
    digests: *const ropewalk_p256_to_sign,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let signatures = Signatures { sign: PrivateKey::sign, sign_many: Many::sign };
    // SAFETY: as the caller says; no digest of the array is written.
    call(error, || unsafe { many::run(&signatures, "digests", digests.cast_mut(), count) })
}

/// Writes the signature of each digest, with the results of a loop over ropewalk_p256_sign_deterministic(), and in lanes where that is
/// faster. Digests may differ in key and length.
///
/// Fails as ropewalk_p256_sign_deterministic() for the first digest that would, with its index in the error, and with
/// ROPEWALK_OVERLAP where a signature overlaps `digests`, or the key of another digest, or a key lies in `digests`. Nothing is then
/// written.
///
/// # Safety
/// As ropewalk_p256_sign_many().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_sign_deterministic_many(
    digests: *const ropewalk_p256_to_sign,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let signatures =
        Signatures { sign: PrivateKey::sign_deterministic, sign_many: Many::sign_deterministic };
    // SAFETY: as the caller says; no digest of the array is written.
    call(error, || unsafe { many::run(&signatures, "digests", digests.cast_mut(), count) })
}

/// Verifies the signature of each digest, in lanes where that is faster. `status` of each digest is its result.
///
/// Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_p256_verify() for the first
/// digest that would, with its index, and with ROPEWALK_OVERLAP where a key lies in `digests`. Nothing is then written.
///
/// # Safety
/// There are `count` digests, each as for ropewalk_p256_verify(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_verify_many(
    digests: *mut ropewalk_p256_signed,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Verdicts, "digests", digests, count) })
}

/// Signs.
struct Signatures {
    sign: Sign,
    sign_many: SignMany,
}

type SignMany =
    fn(&Many, &[ToSign<'_>], &mut [Option<Signature>]) -> std::result::Result<(), Error>;

impl Operation<3, 1> for Signatures {
    type Message = ropewalk_p256_to_sign;
    type Key = ropewalk_p256_key;

    #[inline(always)]
    fn key(one: &ropewalk_p256_to_sign) -> *const ropewalk_p256_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_p256_to_sign) -> [Span; 3] {
        let signature = Span::new(one.signature, SIGNATURE_LEN);
        [signature, Span::new(one.digest, one.digest_len), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_p256_to_sign) -> Result<()> {
        check_to_sign(Span::of(one.key), (one.digest, one.digest_len), one.signature)
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_p256_to_sign) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { sign(key, (one.digest, one.digest_len), one.signature, self.sign) }
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut ropewalk_p256_to_sign,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's digests, apart from all that they have.
        let group = unsafe { slice::from_raw_parts(messages, count) };
        let mut all = ArrayVec::<ToSign<'_>, GROUP>::new();
        for one in group {
            // SAFETY: the caller's key, which has been found ready and stays until the call returns.
            let key = unsafe { object::found(one.key) };
            // SAFETY: the caller's bytes, which have been checked.
            let digest = unsafe { memory::bytes(one.digest, one.digest_len) };
            all.push(ToSign { key, digest });
        }
        let mut signatures = [None; GROUP];
        (self.sign_many)(&Many::new(), &all, &mut signatures[..count])
            .map_err(|error| Failure::from(error).at(from))?;
        for (one, signature) in group.iter().zip(signatures.iter().flatten()) {
            // SAFETY: the caller's bytes, for writing, which have been checked; digests are not used any more.
            unsafe { put(one.signature, &signature.to_bytes()) };
        }
        Ok(())
    }
}

/// Verifies signatures. Only the results are written to messages.
struct Verdicts;

impl Operation<3, 0> for Verdicts {
    type Message = ropewalk_p256_signed;
    type Key = ropewalk_p256_public_key;

    #[inline(always)]
    fn key(one: &ropewalk_p256_signed) -> *const ropewalk_p256_public_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_p256_signed) -> [Span; 3] {
        let signature = Span::new(one.signature, SIGNATURE_LEN);
        [signature, Span::new(one.digest, one.digest_len), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_p256_signed) -> Result<()> {
        check_signed((one.digest, one.digest_len), one.signature)
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_p256_signed) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked.
        let signature = unsafe { read(one.signature) };
        // SAFETY: the same.
        let done = unsafe { verify(key, (one.digest, one.digest_len), signature) };
        // SAFETY: as the caller says, for writing.
        unsafe { (*message).status = status_of(&done) };
        done
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut ropewalk_p256_signed,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's digests, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(messages, count) };
        let mut signatures = ArrayVec::<Option<Signature>, GROUP>::new();
        // SAFETY: the caller's bytes, which have been checked.
        signatures.extend(group.iter().map(|one| unsafe { read(one.signature) }.ok()));
        let mut all = ArrayVec::<Signed<'_>, GROUP>::new();
        for (one, signature) in group.iter().zip(&signatures) {
            // Other bytes are forged.
            let Some(signature) = signature else { continue };
            // SAFETY: the caller's key, which has been found ready and stays until the call returns.
            let key = unsafe { object::found(one.key) };
            // SAFETY: the caller's bytes, which have been checked.
            let digest = unsafe { memory::bytes(one.digest, one.digest_len) };
            all.push(Signed { key, digest, signature });
        }
        let mut results = [Err(Error::Forged); GROUP];
        verify_many(&all, &mut results[..all.len()])?;
        let mut results = results.into_iter();
        let mut of_all = Ok(());
        for (i, (one, signature)) in group.iter_mut().zip(&signatures).enumerate() {
            let result = signature.and_then(|_| results.next()).unwrap_or(Err(Error::Forged));
            let done = result.map_err(|error| Failure::from(error).at(from + i));
            one.status = status_of(&done);
            of_all = of_all.and(done);
        }
        of_all
    }
}
