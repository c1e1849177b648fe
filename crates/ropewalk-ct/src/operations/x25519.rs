//! The operations of X25519.

use ropewalk::x25519::{Many, PrivateKey, PublicKey, SharedSecret};

use super::{Case, Outcome, secret, tell};

/// More than a group of lanes.
pub(super) const KEYS: usize = 11;
/// Bytes of a public key, which are told.
pub(super) const PUBLIC: usize = 32;

const THEIRS: PublicKey = PublicKey([9; 32]);

pub(super) fn agree(case: &Case) -> Outcome {
    tell_secret(&new_key(case)?.agree(&THEIRS)?)
}

pub(super) fn public(case: &Case) -> Outcome {
    new_key(case)?.public();
    Ok(())
}

pub(super) fn agree_many(case: &Case) -> Outcome {
    let key = PrivateKey::from_bytes(&bytes(case));
    let mut secrets = [const { None }; KEYS];
    Many::with_backend(case.backend)?.agree(&[(&key, &THEIRS); KEYS], &mut secrets)?;
    secrets.iter().flatten().try_for_each(tell_secret)
}

pub(super) fn public_many(case: &Case) -> Outcome {
    let key = PrivateKey::from_bytes(&bytes(case));
    Ok(Many::with_backend(case.backend)?.public(&[&key; KEYS], &mut [THEIRS; KEYS])?)
}

#[inline(always)]
fn new_key(case: &Case) -> Result<PrivateKey, ropewalk::Error> {
    PrivateKey::with_backend(&bytes(case), case.backend)
}

#[inline(always)]
fn bytes(case: &Case) -> [u8; 32] {
    (*secret(case.key)).try_into().expect("32 bytes")
}

fn tell_secret(secret: &SharedSecret) -> Outcome {
    tell(&mut secret.as_bytes().to_vec())
}
