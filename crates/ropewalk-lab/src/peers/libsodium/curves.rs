//! X25519 and Ed25519, with functions that take bytes.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::api;
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{self, CurveKey, Signature},
    },
    tasks::{AgreementOp, Cell, SignatureOp},
};

/// A job of X25519.
pub(super) fn x25519(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::X25519::load(library)?;
    match op {
        AgreementOp::Agree => jobs::agreement(cell, move |key| Ok(Private(api, *key))),
        AgreementOp::Generate => jobs::generation(cell, Generation(api)),
    }
}

/// A job of Ed25519.
pub(super) fn ed25519(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::Ed25519::load(library)?;
    match op {
        SignatureOp::Sign => jobs::signing(cell, move |seed| Ok(Pair::new(api, seed))),
        SignatureOp::Verify => jobs::verifying(cell, move |public| Ok(Public(api, *public))),
    }
}

struct Private(api::X25519, CurveKey);

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        let (place, private) = (secret.as_mut_ptr(), self.1.as_ptr());
        // SAFETY: each has 32 bytes.
        let done =
            unsafe { (self.0.crypto_scalarmult_curve25519)(place, private, public.as_ptr()) };
        if done != 0 {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

struct Generation(api::X25519);

impl jobs::Generation for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        let (place, start) = (public.as_mut_ptr(), private.as_ptr());
        // SAFETY: both have 32 bytes.
        let done = unsafe { (self.0.crypto_scalarmult_curve25519_base)(place, start) };
        if done != 0 {
            public.fill(0);
        }
    }
}

/// A seed and its public key.
struct Pair(api::Ed25519, [u8; 64]);

impl Pair {
    fn new(api: api::Ed25519, seed: &CurveKey) -> Self {
        let (mut public, mut pair) = ([0; 32], [0; 64]);
        let (out, place) = (public.as_mut_ptr(), pair.as_mut_ptr());
        // SAFETY: the seed and the public key have 32 bytes, and both together 64. It does not fail.
        unsafe { (api.crypto_sign_ed25519_seed_keypair)(out, place, seed.as_ptr()) };
        Self(api, pair)
    }
}

impl jobs::Signing for Pair {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let (place, start, len) = (signature.as_mut_ptr(), message.as_ptr(), message.len() as u64);
        let sign = self.0.crypto_sign_ed25519_detached;
        // SAFETY: a signature has 64 bytes, as the key; null means that its length is not wanted; and the
        // message has the given length.
        let done = unsafe { sign(place, null_mut(), start, len, self.1.as_ptr()) };
        if done != 0 {
            signature.fill(0);
        }
    }
}

struct Public(api::Ed25519, CurveKey);

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (with, start, len) = (signature.as_ptr(), message.as_ptr(), message.len() as u64);
        let verify = self.0.crypto_sign_ed25519_verify_detached;
        // SAFETY: a signature has 64 bytes, the key 32, and the message has the given length.
        unsafe { verify(with, start, len, self.1.as_ptr()) == 0 }
    }
}
