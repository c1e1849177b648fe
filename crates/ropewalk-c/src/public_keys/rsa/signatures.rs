//! Signatures of RSA: RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2) and RSASSA-PSS (section 8.1).

use std::ffi::c_void;

use arrayvec::ArrayVec;
use ropewalk::{
    hash::Algorithm,
    rsa::{HashFunction, Padding, PrivateKey, PublicKey},
};

use super::{ropewalk_rsa_key, ropewalk_rsa_public_key};
use crate::{
    algorithms::{Kind as _, ropewalk_hash},
    enter::{Failure, Result, Why, call},
    memory, object,
    overlap::Span,
    public_keys::check_room,
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod many;

/// Writes the signature RSASSA-PKCS1-v1_5 of a message with that digest of the hash function `hash` to `signature`, which has as many
/// bytes as the modulus. The signature may overlap the digest.
///
/// Fails with ROPEWALK_WRONG_KIND unless `hash` is SHA-1 or one of SHA-2; with ROPEWALK_LENGTH unless the digest has its length and
/// the signature that of the modulus; with ROPEWALK_NO_RANDOMNESS where the operating system provides no random bytes, which blind
/// the computation; with ROPEWALK_INVALID where the result does not verify, by a fault of the machine. After the last two, the
/// signature is zeroed.
///
/// # Safety
/// `key` was made; `digest` has `digest_len` bytes; `signature` has `signature_len` for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_sign_pkcs1v15(
    key: *const ropewalk_rsa_key,
    hash: ropewalk_hash,
    digest: *const c_void,
    digest_len: usize,
    signature: *mut c_void,
    signature_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let encoding = Encoding { padding: ROPEWALK_RSA_PKCS1V15, hash, salt_len: 0 };
    let signed = Signed { encoding, digest, digest_len, signature, signature_len };
    // SAFETY: as the caller says.
    call(error, || unsafe { sign_checked(key, &signed) })
}

/// Writes the signature RSASSA-PSS, with a random salt of `salt_len` bytes, as ropewalk_rsa_sign_pkcs1v15(). A salt mostly has as many
/// bytes as the digest.
///
/// Fails as ropewalk_rsa_sign_pkcs1v15(), and with ROPEWALK_LENGTH if the salt is longer than the modulus less the digest and 2 bytes.
///
/// # Safety
/// As ropewalk_rsa_sign_pkcs1v15().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_sign_pss(
    key: *const ropewalk_rsa_key,
    hash: ropewalk_hash,
    salt_len: usize,
    digest: *const c_void,
    digest_len: usize,
    signature: *mut c_void,
    signature_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let encoding = Encoding { padding: ROPEWALK_RSA_PSS, hash, salt_len };
    let signed = Signed { encoding, digest, digest_len, signature, signature_len };
    // SAFETY: as the caller says.
    call(error, || unsafe { sign_checked(key, &signed) })
}

/// Verifies `signature` as the signature RSASSA-PKCS1-v1_5 of a message with that digest of the hash function `hash`.
///
/// Fails with ROPEWALK_FORGED if it is not its signature with this key, whatever its bytes and its length are; with
/// ROPEWALK_WRONG_KIND unless `hash` is SHA-1 or one of SHA-2; with ROPEWALK_LENGTH unless the digest has its length.
///
/// # Safety
/// `key` was made; `digest` and `signature` have as many bytes as follow them; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_verify_pkcs1v15(
    key: *const ropewalk_rsa_public_key,
    hash: ropewalk_hash,
    digest: *const c_void,
    digest_len: usize,
    signature: *const c_void,
    signature_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let encoding = Encoding { padding: ROPEWALK_RSA_PKCS1V15, hash, salt_len: 0 };
    let signature = signature.cast_mut();
    let signed = Signed { encoding, digest, digest_len, signature, signature_len };
    // SAFETY: as the caller says.
    call(error, || unsafe { verify_checked(key, &signed) })
}

/// Verifies `signature` as the signature RSASSA-PSS, with a salt of exactly `salt_len` bytes, as ropewalk_rsa_verify_pkcs1v15().
///
/// # Safety
/// As ropewalk_rsa_verify_pkcs1v15().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_verify_pss(
    key: *const ropewalk_rsa_public_key,
    hash: ropewalk_hash,
    salt_len: usize,
    digest: *const c_void,
    digest_len: usize,
    signature: *const c_void,
    signature_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let encoding = Encoding { padding: ROPEWALK_RSA_PSS, hash, salt_len };
    let signature = signature.cast_mut();
    let signed = Signed { encoding, digest, digest_len, signature, signature_len };
    // SAFETY: as the caller says.
    call(error, || unsafe { verify_checked(key, &signed) })
}

/// The encoding of a digest: ROPEWALK_RSA_PKCS1V15 or ROPEWALK_RSA_PSS.
pub type ropewalk_rsa_padding = u32;
/// RSASSA-PKCS1-v1_5.
pub const ROPEWALK_RSA_PKCS1V15: ropewalk_rsa_padding = 1;
/// RSASSA-PSS, with MGF1 of the same hash function.
pub const ROPEWALK_RSA_PSS: ropewalk_rsa_padding = 2;

/// How a digest is encoded, in numbers of the caller.
#[derive(Clone, Copy)]
struct Encoding {
    padding: ropewalk_rsa_padding,
    hash: ropewalk_hash,
    salt_len: usize,
}

impl Encoding {
    fn padding(self) -> Result<Padding> {
        match self.padding {
            ROPEWALK_RSA_PKCS1V15 => Ok(Padding::Pkcs1v15),
            ROPEWALK_RSA_PSS => Ok(Padding::Pss { salt_len: self.salt_len }),
            got => Err(Why::NoNumber { what: "padding of RSA", got }.into()),
        }
    }

    fn hash(self) -> Result<HashFunction> {
        match Algorithm::numbered(self.hash)? {
            Algorithm::Sha1 => Ok(HashFunction::Sha1),
            Algorithm::Sha224 => Ok(HashFunction::Sha224),
            Algorithm::Sha256 => Ok(HashFunction::Sha256),
            Algorithm::Sha384 => Ok(HashFunction::Sha384),
            Algorithm::Sha512 => Ok(HashFunction::Sha512),
            Algorithm::Sha512_256 => Ok(HashFunction::Sha512_256),
            _ => Err(Why::Kind { what: "hash function", allowed: "SHA-1 and SHA-2" }.into()),
        }
    }
}

/// A digest and its signature, in memory of the caller.
#[derive(Clone, Copy)]
struct Signed {
    encoding: Encoding,
    digest: *const c_void,
    digest_len: usize,
    signature: *mut c_void,
    signature_len: usize,
}

impl Signed {
    /// Checks all of a signature to be made, but what depends on the key.
    fn check_to_sign(&self, key: Span) -> Result<()> {
        check_room("signature", (self.signature, self.signature_len), key)?;
        memory::check("signature", self.signature, self.signature_len)?;
        self.check_digest()
    }

    /// Checks all of a signature to be verified.
    fn check(&self) -> Result<()> {
        memory::check("signature", self.signature, self.signature_len)?;
        self.check_digest()
    }

    fn check_digest(&self) -> Result<()> {
        memory::check("digest", self.digest, self.digest_len)?;
        self.encoding.padding()?;
        match self.digest_len == self.encoding.hash()?.digest_len() {
            true => Ok(()),
            false => Err(Failure::length("digest", self.digest_len, "that of the hash function")),
        }
    }

    /// Checks what depends on the key of a signature to be made.
    fn check_with(&self, key: &PrivateKey) -> Result<()> {
        let key = key.public();
        if self.signature_len != key.signature_len() {
            return Err(Failure::length("signature", self.signature_len, "that of the modulus"));
        }
        match self.encoding.padding()? {
            Padding::Pss { salt_len } if salt_len > key.longest_salt_len(self.encoding.hash()?) => {
                let allowed = "at most the modulus's less that of the digest and 2 bytes";
                Err(Failure::length("salt", salt_len, allowed))
            }
            _ => Ok(()),
        }
    }

    /// A copy of the digest, which the signature may overlap.
    ///
    /// # Safety
    /// The caller's bytes, which [`check`](Self::check) or [`check_to_sign`](Self::check_to_sign) has accepted.
    unsafe fn digest(&self) -> Digest {
        // SAFETY: as the caller says.
        let bytes = unsafe { memory::bytes(self.digest, self.digest_len) };
        bytes.iter().copied().collect()
    }
}

/// A digest of SHA-512, or a shorter one.
type Digest = ArrayVec<u8, 64>;

/// # Safety
/// As [`ropewalk_rsa_sign_pkcs1v15`].
unsafe fn sign_checked(key: *const ropewalk_rsa_key, signed: &Signed) -> Result<()> {
    signed.check_to_sign(Span::of(key))?;
    // SAFETY: the caller's key.
    let key = unsafe { object::get(key) }?;
    signed.check_with(key)?;
    // SAFETY: the caller's bytes, which have been checked.
    unsafe { sign(key, signed) }
}

/// # Safety
/// As [`ropewalk_rsa_sign_pkcs1v15`], and the memory has been checked.
unsafe fn sign(key: &PrivateKey, signed: &Signed) -> Result<()> {
    let Signed { encoding, signature, signature_len, .. } = *signed;
    // SAFETY: as the caller says.
    let digest = unsafe { signed.digest() };
    // SAFETY: as the caller says; the digest has been copied.
    let signature = unsafe { memory::bytes_mut(signature, signature_len) };
    Ok(match encoding.padding()? {
        Padding::Pss { salt_len } => key.sign_pss(encoding.hash()?, &digest, salt_len, signature),
        _ => key.sign_pkcs1v15(encoding.hash()?, &digest, signature),
    }?)
}

/// # Safety
/// As [`ropewalk_rsa_verify_pkcs1v15`].
unsafe fn verify_checked(key: *const ropewalk_rsa_public_key, signed: &Signed) -> Result<()> {
    signed.check()?;
    // SAFETY: the caller's key.
    let key = unsafe { object::get(key) }?;
    // SAFETY: the caller's bytes, which have been checked.
    unsafe { verify(key, signed) }
}

/// # Safety
/// As [`ropewalk_rsa_verify_pkcs1v15`], and the memory has been checked.
unsafe fn verify(key: &PublicKey, signed: &Signed) -> Result<()> {
    let Signed { encoding, signature, signature_len, digest, digest_len } = *signed;
    // SAFETY: as the caller says; nothing is written.
    let digest = unsafe { memory::bytes(digest, digest_len) };
    // SAFETY: the same.
    let signature = unsafe { memory::bytes(signature, signature_len) };
    Ok(match encoding.padding()? {
        Padding::Pss { salt_len } => key.verify_pss(encoding.hash()?, digest, salt_len, signature),
        _ => key.verify_pkcs1v15(encoding.hash()?, digest, signature),
    }?)
}
