//! P-256, whose answers are the reference for others.

use p256::{
    PublicKey, SecretKey,
    ecdh::diffie_hellman,
    ecdsa::{
        self, SigningKey, VerifyingKey,
        signature::{Signer as _, Verifier as _},
    },
    elliptic_curve::sec1::ToSec1Point as _,
};

use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            self, CurveKey, Signature,
            p256::{POINT, Point},
        },
    },
    tasks::{AgreementOp, Cell, SignatureOp},
};

/// A job of ECDH.
pub(super) fn ecdh(cell: &Cell, op: AgreementOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        AgreementOp::Agree => jobs::p256::agreement(cell, |pair| Ok(Private(secret(pair.private)))),
        AgreementOp::Generate => jobs::p256::generation(cell, Generation),
    }
}

/// A job of ECDSA.
pub(super) fn ecdsa(cell: &Cell, op: SignatureOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => jobs::p256::signing(cell, |pair| {
            Ok(Pen(SigningKey::from_slice(pair.private).expect(BELOW_THE_ORDER)))
        }),
        SignatureOp::Verify => jobs::p256::verifying(cell, |public| {
            Ok(Public(VerifyingKey::from_sec1_bytes(public).expect(A_POINT)))
        }),
    }
}

const A_POINT: &str = "a point on the curve";
const BELOW_THE_ORDER: &str = "a number below the order";

fn secret(private: &CurveKey) -> SecretKey {
    SecretKey::from_slice(private).expect(BELOW_THE_ORDER)
}

struct Private(SecretKey);

impl jobs::Agreement<POINT> for Private {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let public = PublicKey::from_sec1_bytes(public).expect(A_POINT);
        let agreed = diffie_hellman(self.0.to_nonzero_scalar(), public.as_affine());
        secret.copy_from_slice(agreed.raw_secret_bytes());
    }
}

struct Generation;

impl jobs::Generation<POINT> for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        public.copy_from_slice(secret(private).public_key().to_sec1_point(false).as_bytes());
    }
}

struct Pen(SigningKey);

impl jobs::Signing for Pen {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let made: ecdsa::Signature = self.0.sign(message);
        *signature = made.to_bytes().into();
    }
}

struct Public(VerifyingKey);

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let signature = ecdsa::Signature::from_slice(signature);
        signature.is_ok_and(|signature| self.0.verify(message, &signature).is_ok())
    }
}
