//! RSA, whose answers are the reference for others.

use rsa::{
    PrivateKey, PublicKey,
    pkcs1v15::{SigningKey, VerifyingKey},
    pkcs8::{DecodePrivateKey as _, DecodePublicKey as _},
    sha2::Sha256,
    signature::{SignatureEncoding as _, Signer as _, Verifier as _},
};

use crate::{
    peers::{
        Job, Unavailable,
        jobs::{self, rsa::Signature},
    },
    tasks::{Cell, SignatureOp},
};

/// A job of signatures.
pub(super) fn job(cell: &Cell, op: SignatureOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, |key| Ok(Pen::new(&key.pkcs8))),
        SignatureOp::Verify => jobs::rsa::verifying(cell, |key| Ok(Public::new(&key.spki))),
    }
}

/// Each signature takes random bytes from the operating system, to blind it.
struct Pen(SigningKey<Sha256>);

impl Pen {
    fn new(pkcs8: &[u8]) -> Self {
        Self(SigningKey::new(PrivateKey::from_pkcs8_der(pkcs8).expect("it is a private key")))
    }
}

impl jobs::Signing<[u8]> for Pen {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
        signature.copy_from_slice(&self.0.sign(message).to_bytes());
    }
}

struct Public(VerifyingKey<Sha256>);

impl Public {
    fn new(spki: &[u8]) -> Self {
        Self(VerifyingKey::new(PublicKey::from_public_key_der(spki).expect("it is a public key")))
    }
}

impl jobs::Verifying<Signature> for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let signature = rsa::pkcs1v15::Signature::try_from(&signature[..]);
        signature.is_ok_and(|signature| self.0.verify(message, &signature).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use ropewalk::keys::{ToPkcs8 as _, ToSpki as _};

    use super::{
        jobs::{Signing as _, Verifying as _},
        *,
    };

    /// The signatures with SHA-256 in `vectors/rsa.txt`: NIST CAVP, SigGen15_186-2, one of each length.
    #[test]
    fn signatures_are_those_of_the_vectors() {
        let mut checked = 0;
        let mut key = None;
        for line in include_str!("../../../../../vectors/rsa.txt").lines() {
            let field = |name: &str| {
                let mut fields = line.split(' ');
                let hex = fields.find_map(|field| field.strip_prefix(name)?.strip_prefix('='))?;
                let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal");
                Some((0..hex.len()).step_by(2).map(byte).collect::<Vec<u8>>())
            };
            if line.starts_with("key ") {
                let [n, e, p, q] = ["n", "e", "p", "q"].map(|name| field(name).expect("a number"));
                let parts = ropewalk::rsa::Parts { n: &n, e: &e, p: &p, q: &q };
                let made = ropewalk::rsa::PrivateKey::new(&parts).expect("a key");
                key = Some(made);
            }
            if !line.starts_with("sha256 ") {
                continue;
            }
            let key = key.as_ref().expect("a key comes first");
            let [message, known] = ["message", "signature"].map(|name| field(name).expect("bytes"));
            let mut signature = vec![0; known.len()];
            Pen::new(&key.to_der().expect("PKCS#8")).sign(&message, &mut signature);
            assert_eq!(signature, known);
            let mut public = Public::new(&key.public().to_der().expect("SubjectPublicKeyInfo"));
            assert!(public.verify(&message, &known));
            assert!(!public.verify(b"another", &known));
            for byte in [0, known.len() / 2, known.len() - 1] {
                signature[byte] ^= 1;
                assert!(!public.verify(&message, &signature), "{byte}");
                signature[byte] ^= 1;
            }
            checked += 1;
        }
        assert_eq!(checked, 3);
    }
}
