//! X25519, Ed25519, P-256 and RSA.

use aws_lc_rs::{
    agreement::{self, Algorithm, PrivateKey, UnparsedPublicKey},
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, ED25519, EcdsaKeyPair,
        Ed25519KeyPair, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair,
    },
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
        AgreementOp::Agree => jobs::agreement(cell, |key| Ok(Private::new(X25519, key))),
        AgreementOp::Generate => jobs::generation(cell, Generation(X25519)),
    }
}

/// A job of ECDH.
pub(super) fn ecdh(cell: &Cell, op: AgreementOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        AgreementOp::Agree => {
            jobs::p256::agreement(cell, |pair| Ok(Private::new(P256, pair.private)))
        }
        AgreementOp::Generate => jobs::p256::generation(cell, Generation(P256)),
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

/// A job of ECDSA.
pub(super) fn ecdsa(cell: &Cell, op: SignatureOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => jobs::p256::signing(cell, |pair| {
            let (how, [private, public]) =
                (&ECDSA_P256_SHA256_FIXED_SIGNING, [&pair.private[..], pair.public]);
            let key = EcdsaKeyPair::from_private_key_and_public_key(how, private, public);
            Ok(EcdsaPair(key.expect("they belong together")))
        }),
        SignatureOp::Verify => jobs::p256::verifying(cell, |public| {
            Ok(Public(ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public).expect("it is one")))
        }),
    }
}

/// A job of RSA.
pub(super) fn rsa(cell: &Cell, op: SignatureOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, |key| {
            Ok(RsaPair(RsaKeyPair::from_pkcs8(&key.pkcs8).expect("it is a private key")))
        }),
        SignatureOp::Verify => jobs::rsa::verifying(cell, |key| {
            let key = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, &key.pkcs1_public);
            Ok(Public(key.expect("it is one")))
        }),
    }
}

const X25519: &Algorithm = &agreement::X25519;
const P256: &Algorithm = &agreement::ECDH_P256;

fn private(algorithm: &'static Algorithm, key: &CurveKey) -> PrivateKey {
    PrivateKey::from_private_key(algorithm, key).expect("any key will do")
}

struct Private {
    algorithm: &'static Algorithm,
    key: PrivateKey,
}

impl Private {
    fn new(algorithm: &'static Algorithm, key: &CurveKey) -> Self {
        Self { algorithm, key: private(algorithm, key) }
    }
}

impl<const PUBLIC: usize> jobs::Agreement<PUBLIC> for Private {
    fn agree(&mut self, public: &[u8; PUBLIC], secret: &mut CurveKey) {
        let public = UnparsedPublicKey::new(self.algorithm, public);
        let agreed = agreement::agree(&self.key, public, (), |agreed| {
            secret.copy_from_slice(agreed);
            Ok(())
        });
        agreed.expect("it is a public key");
    }
}

struct Generation(&'static Algorithm);

impl<const PUBLIC: usize> jobs::Generation<PUBLIC> for Generation {
    fn generate(&mut self, key: &CurveKey, public: &mut [u8; PUBLIC]) {
        let made = private(self.0, key).compute_public_key().expect("each has one");
        public.copy_from_slice(made.as_ref());
    }
}

struct Pair(Ed25519KeyPair);

impl jobs::Signing for Pair {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        jobs::put(signature, self.0.sign(message).as_ref());
    }
}

struct EcdsaPair(EcdsaKeyPair);

impl jobs::Signing for EcdsaPair {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let signed = self.0.sign(&SystemRandom::new(), message);
        jobs::put(signature, signed.expect("it has random bytes").as_ref());
    }
}

struct RsaPair(RsaKeyPair);

impl jobs::Signing<[u8]> for RsaPair {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
        let signed = self.0.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, signature);
        signed.expect("it has random bytes");
    }
}

struct Public(ParsedPublicKey);

impl<S: AsRef<[u8]>> jobs::Verifying<S> for Public {
    fn verify(&mut self, message: &[u8], signature: &S) -> bool {
        self.0.verify_sig(message, signature.as_ref()).is_ok()
    }
}
