//! The operations of P-256 that have a secret. Signatures are public, and so are digests and public keys.

use ropewalk::p256::{Many, PrivateKey, PublicKey, SharedSecret, ToSign};

use super::{Case, Outcome, secret, tell};
use crate::marks;

/// More than a group of lanes.
const COUNT: usize = 11;
/// A key is told to be in range, and a nonce too; then a public key or a signature is told.
pub(super) const OF_KEY: usize = 1;
pub(super) const PUBLIC: usize = OF_KEY + 64;
pub(super) const SIGNATURE: usize = OF_KEY + 1 + 64;
/// The unused lanes of a group have no nonce of their own, and their results are dropped.
pub(super) const SIGNATURES: usize = OF_KEY + (1 + 64) * COUNT;
pub(super) const PUBLIC_MANY: usize = OF_KEY + 64 * COUNT;

const DIGEST: &[u8] = &[7; 32];

pub(super) fn public(case: &Case) -> Outcome {
    new_key(case)?.public();
    Ok(())
}

pub(super) fn agree(case: &Case) -> Outcome {
    tell_secret(&new_key(case)?.agree(&theirs()?))
}

pub(super) fn sign(case: &Case) -> Outcome {
    new_key(case)?.sign_deterministic(DIGEST)?;
    Ok(())
}

pub(super) fn sign_hedged(case: &Case) -> Outcome {
    new_key(case)?.sign(DIGEST)?;
    Ok(())
}

pub(super) fn public_many(case: &Case) -> Outcome {
    let key = PrivateKey::from_bytes(&bytes(case))?;
    Ok(Many::with_backend(case.backend)?.public(&[&key; COUNT], &mut [None; COUNT])?)
}

pub(super) fn agree_many(case: &Case) -> Outcome {
    let (key, theirs) = (PrivateKey::from_bytes(&bytes(case))?, theirs()?);
    let mut secrets = [const { None }; COUNT];
    Many::with_backend(case.backend)?.agree(&[(&key, &theirs); COUNT], &mut secrets)?;
    secrets.iter().flatten().try_for_each(tell_secret)
}

pub(super) fn sign_many(case: &Case) -> Outcome {
    let key = PrivateKey::from_bytes(&bytes(case))?;
    let to_sign = [ToSign { key: &key, digest: DIGEST }; COUNT];
    Ok(Many::with_backend(case.backend)?.sign_deterministic(&to_sign, &mut [None; COUNT])?)
}

#[inline(always)]
fn new_key(case: &Case) -> Result<PrivateKey, ropewalk::Error> {
    PrivateKey::with_backend(&bytes(case), case.backend)
}

/// A number from 1 to n - 1, whatever the class of the secret: its first byte is public.
#[inline(always)]
fn bytes(case: &Case) -> [u8; 32] {
    let mut bytes: [u8; 32] = (*secret(case.key)).try_into().expect("32 bytes");
    bytes[0] = 0x7f;
    bytes
}

/// The point with x = 5 (SEC 1, section 2.3.4).
fn theirs() -> Result<PublicKey, ropewalk::Error> {
    let mut compressed = [0; 33];
    (compressed[0], compressed[32]) = (2, 5);
    PublicKey::from_bytes(&compressed)
}

/// MemorySanitizer does not follow every bit through the arithmetic modulo p; memcheck does.
fn tell_secret(secret: &SharedSecret) -> Outcome {
    match marks::TOOL {
        "msan" => Ok(()),
        _ => tell(&mut secret.as_bytes().to_vec()),
    }
}
