//! RSA.

use ropewalk::{
    keys,
    rsa::{self, HashFunction, Padding, Parts, PrivateKey, PublicKey, ToSign},
    sha256,
};

use super::{ONE_BY_ONE, nist::hashed, unavailable};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            self, HashCalls, Text, Turn, VerifyingCalls,
            rsa::{Key, Numbers, Signature},
        },
    },
    tasks::{Cell, SignatureOp},
};

/// A job of signatures, of one message at a time or of a batch.
pub(super) fn job(
    cell: &Cell,
    op: SignatureOp,
    backend: &str,
    batch: bool,
) -> Result<Box<dyn Job>, Unavailable> {
    if batch && backend != ONE_BY_ONE {
        let many = by_best_or_named!(rsa::Many, backend).map_err(unavailable)?;
        return match op {
            SignatureOp::Sign => jobs::rsa::signing_calls(cell, |key| {
                Ok(Box::new(Signatures { many, key: private(key, &None)? }))
            }),
            SignatureOp::Verify => jobs::rsa::verifying_calls(cell, |key| {
                Ok(Box::new(Verifications { many, key: public(key, &None)? }))
            }),
        };
    }
    let named = named(backend)?;
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, move |key| private(key, &named).map(Private)),
        SignatureOp::Verify => {
            jobs::rsa::verifying(cell, move |key| public(key, &named).map(Public))
        }
    }
}

/// The name of a backend, without which the library chooses. The chosen one is not named, as users do not name it.
fn named(backend: &str) -> Result<Option<String>, Unavailable> {
    let best = PublicKey::new(&[0xff; 256], &[3]).map_err(unavailable)?;
    let is_best = backend == best.backend() || backend == ONE_BY_ONE;
    Ok((!is_best).then(|| backend.to_owned()))
}

/// A private key: from DER, as users have it, or from its numbers for a backend by name, which has no function for DER.
fn private(key: &Key, named: &Option<String>) -> Result<PrivateKey, Unavailable> {
    let Some(name) = named else {
        return match keys::PrivateKey::from_der(&key.pkcs8).map_err(unavailable)? {
            keys::PrivateKey::Rsa(key) => Ok(key),
            _ => Err(Unavailable("reads another key than one of RSA".into())),
        };
    };
    let Numbers { n, e, p, q, .. } = &key.numbers;
    PrivateKey::with_backend(&Parts { n, e, p, q }, name).map_err(unavailable)
}

/// A public key, in the same way.
fn public(key: &Key, named: &Option<String>) -> Result<PublicKey, Unavailable> {
    let Some(name) = named else {
        return match keys::PublicKey::from_der(&key.spki).map_err(unavailable)? {
            keys::PublicKey::Rsa(key) => Ok(*key),
            _ => Err(Unavailable("reads another key than one of RSA".into())),
        };
    };
    PublicKey::with_backend(&key.numbers.n, &key.numbers.e, name).map_err(unavailable)
}

struct Private(PrivateKey);

impl jobs::Signing<[u8]> for Private {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
        let digest = sha256::digest(message);
        let signed = self.0.sign_pkcs1v15(HashFunction::Sha256, &digest, signature);
        signed.expect("the operating system has random bytes");
    }
}

struct Public(PublicKey);

impl jobs::Verifying<Signature> for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let digest = sha256::digest(message);
        self.0.verify_pkcs1v15(HashFunction::Sha256, &digest, signature).is_ok()
    }
}

struct Signatures {
    many: rsa::Many,
    key: PrivateKey,
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let len = self.key.public().signature_len();
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let hashed = hashed(texts[range.clone()].iter());
            let places = digests[range.start * len..range.end * len].chunks_exact_mut(len);
            let mut items: Vec<_> = hashed
                .iter()
                .zip(places)
                .map(|(digest, signature)| ToSign {
                    key: &self.key,
                    padding: Padding::Pkcs1v15,
                    function: HashFunction::Sha256,
                    digest,
                    signature,
                })
                .collect();
            let mut results = vec![Ok(()); items.len()];
            self.many.sign(&mut items, &mut results).expect("a place for each");
            for result in results {
                result.expect("the operating system has random bytes");
            }
        }
    }
}

struct Verifications {
    many: rsa::Many,
    key: PublicKey,
}

impl VerifyingCalls<Signature> for Verifications {
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    ) {
        for _ in 0..calls {
            let signed = &signed[turn.take(signed.len())];
            let hashed = hashed(signed.iter().map(|(message, _)| message));
            let items: Vec<_> = hashed
                .iter()
                .zip(signed)
                .map(|(digest, (_, signature))| rsa::Signed {
                    key: &self.key,
                    padding: Padding::Pkcs1v15,
                    function: HashFunction::Sha256,
                    digest,
                    signature,
                })
                .collect();
            let mut results = vec![Ok(()); items.len()];
            self.many.verify(&items, &mut results).expect("a place for each");
            for (right, result) in right.iter_mut().zip(&results) {
                *right = result.is_ok();
            }
        }
    }
}
