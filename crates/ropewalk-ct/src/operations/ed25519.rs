//! The operations of Ed25519 that have a secret. Signatures are public, and so are messages and public keys.

use ropewalk::ed25519::{Many, PrivateKey, ToSign};

use super::{Case, Outcome, secret};

/// More than a group of lanes.
const COUNT: usize = 11;
/// The public key, the first half of a signature in each lane of two groups, and the second half of each signature.
pub(super) const TOLD_OF_MANY: usize = 32 + 32 * 16 + 32 * COUNT;

const MESSAGE: &[u8] = &[7; 150];

pub(super) fn make(case: &Case) -> Outcome {
    new_key(case).map(drop)
}

pub(super) fn sign(case: &Case) -> Outcome {
    new_key(case)?.sign(MESSAGE);
    Ok(())
}

pub(super) fn sign_in_context(case: &Case) -> Outcome {
    new_key(case)?.sign_in_context(b"context", MESSAGE)?;
    Ok(())
}

pub(super) fn sign_many(case: &Case) -> Outcome {
    let key = PrivateKey::from_seed(&seed(case));
    let messages = [ToSign { key: &key, message: MESSAGE }; COUNT];
    Ok(Many::with_backend(case.backend)?.sign(&messages, &mut [[0; 64]; COUNT])?)
}

#[inline(always)]
fn new_key(case: &Case) -> Result<PrivateKey, Box<dyn std::error::Error>> {
    Ok(PrivateKey::with_backend(&seed(case), case.backend)?)
}

#[inline(always)]
fn seed(case: &Case) -> [u8; 32] {
    (*secret(case.key)).try_into().expect("32 bytes")
}
