//! X25519 and Ed25519.

use aws_lc_rs::{
    agreement::{self, PrivateKey, UnparsedPublicKey},
    signature::{ED25519, Ed25519KeyPair, ParsedPublicKey},
};

use crate::{
    peers::{
        Job, Unavailable,
        jobs::{self, CurveKey, Signature},
    },
    tasks::{AgreementOp, Cell, SignatureOp},
};

/// A job of X25519.
pub(super) fn x25519(cell: &Cell, op: AgreementOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        AgreementOp::Agree => jobs::agreement(cell, |key| Ok(Private(private(key)))),
        AgreementOp::Generate => jobs::generation(cell, Generation),
    }
}

/// A job of Ed25519.
pub(super) fn ed25519(cell: &Cell, op: SignatureOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => jobs::signing(cell, |seed| {
            Ok(Pair(Ed25519KeyPair::from_seed_unchecked(seed).expect("any seed will do")))
        }),
        SignatureOp::Verify => jobs::verifying(cell, |public| {
            Ok(Public(ParsedPublicKey::new(&ED25519, public).expect("it is one")))
        }),
    }
}

fn private(key: &CurveKey) -> PrivateKey {
    PrivateKey::from_private_key(&agreement::X25519, key).expect("any key will do")
}

struct Private(PrivateKey);

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        let public = UnparsedPublicKey::new(&agreement::X25519, public);
        let agreed = agreement::agree(&self.0, public, (), |agreed| {
            secret.copy_from_slice(agreed);
            Ok(())
        });
        agreed.expect("it is a public key");
    }
}

struct Generation;

impl jobs::Generation for Generation {
    fn generate(&mut self, key: &CurveKey, public: &mut CurveKey) {
        let made = private(key).compute_public_key().expect("each has one");
        public.copy_from_slice(made.as_ref());
    }
}

struct Pair(Ed25519KeyPair);

impl jobs::Signing for Pair {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        jobs::put(signature, self.0.sign(message).as_ref());
    }
}

struct Public(ParsedPublicKey);

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        self.0.verify_sig(message, signature).is_ok()
    }
}
