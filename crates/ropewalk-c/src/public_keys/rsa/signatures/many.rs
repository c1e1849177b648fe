//! Signatures of batches.

use std::{ffi::c_void, slice};

use arrayvec::ArrayVec;
use ropewalk::rsa::{self, PrivateKey, ToSign};

use super::{
    super::{ropewalk_rsa_key, ropewalk_rsa_public_key},
    Digest, Encoding, ropewalk_rsa_padding, sign, verify,
};
use crate::{
    algorithms::ropewalk_hash,
    enter::{Failure, Result, call},
    many::{self, GROUP},
    memory, object,
    overlap::Span,
    public_keys::{batch::Operation, status_of},
    status::{ropewalk_error, ropewalk_status},
};

/// A digest that is signed, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_rsa_to_sign {
    /// Its key. Digests may share a key.
    pub key: *const ropewalk_rsa_key,
    /// ROPEWALK_RSA_PKCS1V15 or ROPEWALK_RSA_PSS.
    pub padding: ropewalk_rsa_padding,
    /// Its hash function.
    pub hash: ropewalk_hash,
    /// Bytes of the salt of RSASSA-PSS; ignored otherwise.
    pub salt_len: usize,
    /// The digest of the message.
    pub digest: *const c_void,
    /// Its length in bytes: that of the hash function.
    pub digest_len: usize,
    /// Its signature: written. It may overlap the digest.
    pub signature: *mut c_void,
    /// Its length in bytes: that of the modulus.
    pub signature_len: usize,
}

/// A digest with its signature, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_rsa_signed {
    /// The public key of its signer. Digests may share a key.
    pub key: *const ropewalk_rsa_public_key,
    /// ROPEWALK_RSA_PKCS1V15 or ROPEWALK_RSA_PSS.
    pub padding: ropewalk_rsa_padding,
    /// Its hash function.
    pub hash: ropewalk_hash,
    /// Bytes of the salt of RSASSA-PSS; ignored otherwise.
    pub salt_len: usize,
    /// The digest of the message.
    pub digest: *const c_void,
    /// Its length in bytes: that of the hash function.
    pub digest_len: usize,
    /// Its signature.
    pub signature: *const c_void,
    /// Its length in bytes.
    pub signature_len: usize,
    /// Written: ROPEWALK_OK or ROPEWALK_FORGED.
    pub status: u32,
}

/// Writes the signature of each digest, as a loop over ropewalk_rsa_sign_pkcs1v15() or ropewalk_rsa_sign_pss(), and in lanes where that
/// is faster. Digests may differ in key, size and encoding.
///
/// Fails as these for the first digest that would, with its index in the error, and with ROPEWALK_OVERLAP where a signature overlaps
/// `digests`, or the key of another digest, or a key lies in `digests`. Nothing is then written, except that ROPEWALK_NO_RANDOMNESS
/// and ROPEWALK_INVALID may come after some signatures.
///
/// # Safety
/// There are `count` digests, each as for ropewalk_rsa_sign_pss(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_sign_many(
    digests: *const ropewalk_rsa_to_sign,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says; no digest of the array is written.
    call(error, || unsafe { many::run(&Signatures, "digests", digests.cast_mut(), count) })
}

/// Verifies the signature of each digest, in lanes where that is faster. `status` of each digest is its result.
///
/// Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_rsa_verify_pkcs1v15() or
/// ropewalk_rsa_verify_pss() for the first digest that would, with its index, and with ROPEWALK_OVERLAP where a key lies in `digests`.
/// Nothing is then written.
///
/// # Safety
/// There are `count` digests, each as for ropewalk_rsa_verify_pss(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_verify_many(
    digests: *mut ropewalk_rsa_signed,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Verdicts, "digests", digests, count) })
}

impl ropewalk_rsa_to_sign {
    fn signed(&self) -> super::Signed {
        let Self { padding, hash, salt_len, digest, digest_len, signature, signature_len, .. } =
            *self;
        let encoding = Encoding { padding, hash, salt_len };
        super::Signed { encoding, digest, digest_len, signature, signature_len }
    }
}

impl ropewalk_rsa_signed {
    fn signed(&self) -> super::Signed {
        let Self { padding, hash, salt_len, digest, digest_len, signature, signature_len, .. } =
            *self;
        let (encoding, signature) = (Encoding { padding, hash, salt_len }, signature.cast_mut());
        super::Signed { encoding, digest, digest_len, signature, signature_len }
    }
}

/// Signs.
struct Signatures;

impl Operation<3, 1> for Signatures {
    type Message = ropewalk_rsa_to_sign;
    type Key = ropewalk_rsa_key;

    #[inline(always)]
    fn key(one: &ropewalk_rsa_to_sign) -> *const ropewalk_rsa_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_rsa_to_sign) -> [Span; 3] {
        let signature = Span::new(one.signature, one.signature_len);
        [signature, Span::new(one.digest, one.digest_len), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_rsa_to_sign) -> Result<()> {
        one.signed().check_to_sign(Span::of(one.key))
    }

    #[inline(always)]
    fn check_with(one: &ropewalk_rsa_to_sign, key: &PrivateKey) -> Result<()> {
        one.signed().check_with(key)
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_rsa_to_sign) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { sign(key, &one.signed()) }
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut ropewalk_rsa_to_sign,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's digests, apart from all that they have.
        let group = unsafe { slice::from_raw_parts(messages, count) };
        // SAFETY: the caller's bytes, which have been checked.
        let copies = group.iter().map(|one| unsafe { one.signed().digest() });
        let digests: ArrayVec<Digest, GROUP> = copies.collect();
        let mut all = ArrayVec::<ToSign<'_>, GROUP>::new();
        for (one, digest) in group.iter().zip(&digests) {
            let encoding = one.signed().encoding;
            let (padding, function) = (encoding.padding()?, encoding.hash()?);
            // SAFETY: the caller's key, which has been found ready and stays until the call returns.
            let key = unsafe { object::found(one.key) };
            // SAFETY: the caller's bytes, for writing, which have been checked, and overlap no others; digests have been copied.
            let signature = unsafe { memory::bytes_mut(one.signature, one.signature_len) };
            all.push(ToSign { key, padding, function, digest, signature });
        }
        let mut results = [const { Ok(()) }; GROUP];
        rsa::sign_many(&mut all, &mut results[..count])?;
        let failed = results.into_iter().enumerate().find_map(|(at, of)| Some((at, of.err()?)));
        failed.map_or(Ok(()), |(at, error)| Err(Failure::from(error).at(from + at)))
    }
}

/// Verifies signatures. Only the results are written to messages.
struct Verdicts;

impl Operation<3, 0> for Verdicts {
    type Message = ropewalk_rsa_signed;
    type Key = ropewalk_rsa_public_key;

    #[inline(always)]
    fn key(one: &ropewalk_rsa_signed) -> *const ropewalk_rsa_public_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_rsa_signed) -> [Span; 3] {
        let signature = Span::new(one.signature, one.signature_len);
        [signature, Span::new(one.digest, one.digest_len), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_rsa_signed) -> Result<()> {
        one.signed().check()
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_rsa_signed) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked.
        let done = unsafe { verify(key, &one.signed()) };
        // SAFETY: as the caller says, for writing.
        unsafe { (*message).status = status_of(&done) };
        done
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut ropewalk_rsa_signed,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's digests, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(messages, count) };
        let mut all = ArrayVec::<rsa::Signed<'_>, GROUP>::new();
        for one in &*group {
            let encoding = one.signed().encoding;
            let (padding, function) = (encoding.padding()?, encoding.hash()?);
            // SAFETY: the caller's key, which has been found ready and stays until the call returns.
            let key = unsafe { object::found(one.key) };
            // SAFETY: the caller's bytes, which have been checked; nothing but messages is written.
            let digest = unsafe { memory::bytes(one.digest, one.digest_len) };
            // SAFETY: the same.
            let signature = unsafe { memory::bytes(one.signature, one.signature_len) };
            all.push(rsa::Signed { key, padding, function, digest, signature });
        }
        let mut results = [const { Ok(()) }; GROUP];
        rsa::verify_many(&all, &mut results[..count])?;
        let mut all_done = Ok(());
        for (at, (one, result)) in group.iter_mut().zip(results).enumerate() {
            let done = result.map_err(Failure::from);
            one.status = status_of(&done);
            all_done = all_done.and(done.map_err(|wrong| wrong.at(from + at)));
        }
        all_done
    }
}
