//! ECDSA with P-256 (FIPS 186-5, section 6).

use std::ffi::c_void;

use ropewalk::{
    Error,
    p256::{LONGEST, PrivateKey, PublicKey, SHORTEST_DIGEST, SIGNATURE_LEN, Signature},
};

use super::{ropewalk_p256_key, ropewalk_p256_public_key};
use crate::{
    enter::{Failure, Result, call},
    memory, object,
    overlap::{self, Span},
    public_keys::{check_output, put},
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod many;

/// Bytes of a signature of P-256 of fixed length: r and s, 32 bytes each, big-endian.
pub const ROPEWALK_P256_SIGNATURE_LEN: usize = 64;

/// Bytes of the longest signature of P-256 in DER.
pub const ROPEWALK_P256_DER_LEN: usize = 72;

const _: () = assert!(ROPEWALK_P256_SIGNATURE_LEN == SIGNATURE_LEN, "the library has another one");
const _: () = assert!(ROPEWALK_P256_DER_LEN == LONGEST, "as well");

/// Writes the signature of a message with that digest to `signature`: 64 bytes, r and s, big-endian. Of a digest of more than 32
/// bytes, the first 32 count. The nonce is derived from the key, the digest and random bytes (RFC 6979, section 3.6). The
/// signature may overlap the digest.
///
/// Fails with ROPEWALK_LENGTH for a digest of less than 20 bytes, and with ROPEWALK_NO_RANDOMNESS where the operating system
/// provides no random bytes.
///
/// # Safety
/// `key` was made; `digest` has `digest_len` bytes, and `signature` has 64 for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_sign(
    key: *const ropewalk_p256_key,
    digest: *const c_void,
    digest_len: usize,
    signature: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let (digest, sign) = ((digest, digest_len), PrivateKey::sign);
    // SAFETY: as the caller says.
    call(error, || unsafe { sign_checked(key, digest, signature, sign) })
}

/// Writes the signature of a message with that digest as ropewalk_p256_sign(), without random bytes: the nonce is that of RFC 6979,
/// and a digest always has the same signature. HMAC for the nonce is of SHA-224, SHA-384 or SHA-512 for a digest of 28, 48 or 64
/// bytes, and of SHA-256 for other lengths.
///
/// Fails with ROPEWALK_LENGTH for a digest of less than 20 bytes.
///
/// # Safety
/// As ropewalk_p256_sign().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_sign_deterministic(
    key: *const ropewalk_p256_key,
    digest: *const c_void,
    digest_len: usize,
    signature: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let (digest, sign) = ((digest, digest_len), PrivateKey::sign_deterministic);
    // SAFETY: as the caller says.
    call(error, || unsafe { sign_checked(key, digest, signature, sign) })
}

/// Verifies `signature`, of 64 bytes, as the signature of a message with that digest.
///
/// Fails with ROPEWALK_FORGED if it is not its signature with this key, whatever its bytes are, and with ROPEWALK_LENGTH for a digest
/// of less than 20 bytes.
///
/// # Safety
/// `key` was made; `digest` has `digest_len` bytes, and `signature` has 64; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_verify(
    key: *const ropewalk_p256_public_key,
    digest: *const c_void,
    digest_len: usize,
    signature: *const c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_signed((digest, digest_len), signature)?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        // SAFETY: the caller's bytes, which have been checked.
        let signature = unsafe { read(signature) };
        // SAFETY: the same.
        unsafe { verify(key, (digest, digest_len), signature) }
    })
}

/// Verifies a signature in DER, as that of X.509 and TLS, as ropewalk_p256_verify().
///
/// Fails with ROPEWALK_FORGED if it is not the signature of the message with this key, whatever its bytes are, and with ROPEWALK_LENGTH
/// for a digest of less than 20 bytes.
///
/// # Safety
/// `key` was made; `digest` and `signature` have as many bytes as follow them; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_verify_der(
    key: *const ropewalk_p256_public_key,
    digest: *const c_void,
    digest_len: usize,
    signature: *const c_void,
    signature_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's bytes.
        let der = unsafe { memory::input("signature", signature, signature_len) }?;
        check_digest((digest, digest_len))?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { verify(key, (digest, digest_len), Signature::from_der(der)) }
    })
}

/// Writes a signature of 64 bytes in DER to `der`, which has 72 bytes, and its length, of 8 to 72 bytes, to `der_len`. The bytes
/// after it are left unchanged. `der` may overlap `signature`.
///
/// Fails with ROPEWALK_INVALID if r or s is 0, or n or more.
///
/// # Safety
/// `signature` has 64 bytes, and `der` has 72 for writing; `der_len` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_signature_to_der(
    signature: *const c_void,
    der: *mut c_void,
    der_len: *mut usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        memory::not_null("signature", signature)?;
        memory::not_null("der", der)?;
        memory::not_null("der_len", der_len)?;
        let others = [Span::new(signature, SIGNATURE_LEN), Span::new(der, LONGEST)];
        overlap::apart("der_len", Span::of(der_len), others)?;
        // SAFETY: the caller's bytes, which have been checked.
        let made = unsafe { read(signature) }?.to_der();
        let bytes = made.as_bytes();
        // SAFETY: the caller's bytes, of which there are at least as many; the signature has been copied.
        unsafe { memory::bytes_mut(der, bytes.len()) }.copy_from_slice(bytes);
        // SAFETY: for writing, as the caller says.
        unsafe { memory::put("der_len", der_len, bytes.len()) }
    })
}

/// Writes the 64 bytes of a signature in DER to `signature`, which may overlap it.
///
/// Fails with ROPEWALK_INVALID if `der` is not a sequence of two integers in DER, as if it has negative or padded integers, long
/// lengths, or bytes after its end, and if r or s is 0, or n or more.
///
/// # Safety
/// `der` has `der_len` bytes, and `signature` has 64 for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_signature_from_der(
    der: *const c_void,
    der_len: usize,
    signature: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        memory::not_null("signature", signature)?;
        // SAFETY: the caller's bytes; the slice is not used after they are read.
        let der = unsafe { memory::input("signature in DER", der, der_len) }?;
        let bytes = Signature::from_der(der)?.to_bytes();
        // SAFETY: the caller's bytes, which have been checked; those in DER have been read.
        unsafe { put(signature, &bytes) };
        Ok(())
    })
}

/// A function that signs.
type Sign = fn(&PrivateKey, &[u8]) -> Attempt;

/// Checks all memory of a signature to be made, but the key.
fn check_to_sign(key: Span, digest: (*const c_void, usize), signature: *mut c_void) -> Result<()> {
    check_output::<SIGNATURE_LEN>("signature", signature, key)?;
    check_digest(digest)
}

/// Checks all memory of a signature to be verified, but the key.
fn check_signed(digest: (*const c_void, usize), signature: *const c_void) -> Result<()> {
    memory::not_null("signature", signature)?;
    check_digest(digest)
}

fn check_digest((at, len): (*const c_void, usize)) -> Result<()> {
    memory::check("digest", at, len)?;
    match len {
        SHORTEST_DIGEST.. => Ok(()),
        _ => Err(Failure::length("digest", len, "20 bytes or more")),
    }
}

/// # Safety
/// As [`ropewalk_p256_sign`].
unsafe fn sign_checked(
    key: *const ropewalk_p256_key,
    digest: (*const c_void, usize),
    signature: *mut c_void,
    how: Sign,
) -> Result<()> {
    check_to_sign(Span::of(key), digest, signature)?;
    // SAFETY: the caller's key.
    let key = unsafe { object::get(key) }?;
    // SAFETY: the caller's bytes, which have been checked.
    unsafe { sign(key, digest, signature, how) }
}

/// # Safety
/// As [`ropewalk_p256_sign`], and [`check_to_sign`] has accepted the pointers.
unsafe fn sign(
    key: &PrivateKey,
    (digest, len): (*const c_void, usize),
    signature: *mut c_void,
    how: Sign,
) -> Result<()> {
    // SAFETY: as the caller says; the slice is not used after it is signed.
    let bytes = how(key, unsafe { memory::bytes(digest, len) })?.to_bytes();
    // SAFETY: as the caller says; the digest has been read.
    unsafe { put(signature, &bytes) };
    Ok(())
}

/// Verifies a signature that has been read; bytes that are none are forged.
///
/// # Safety
/// The caller's digest, which [`check_signed`] has accepted.
unsafe fn verify(
    key: &PublicKey,
    (digest, len): (*const c_void, usize),
    signature: Attempt,
) -> Result<()> {
    let signature = signature.map_err(|_| Error::Forged)?;
    // SAFETY: as the caller says.
    Ok(key.verify(unsafe { memory::bytes(digest, len) }, &signature)?)
}

/// A signature, or the reason why there is none.
type Attempt = std::result::Result<Signature, Error>;

/// A signature of 64 bytes.
///
/// # Safety
/// `at` has 64 bytes.
unsafe fn read(at: *const c_void) -> Attempt {
    // SAFETY: as the caller says; bytes are aligned anywhere.
    Signature::from_bytes(unsafe { &*at.cast::<[u8; SIGNATURE_LEN]>() })
}
