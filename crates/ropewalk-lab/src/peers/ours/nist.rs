//! P-256.

use ropewalk::{
    p256::{self, PrivateKey, PublicKey, Signed, ToSign},
    sha256,
};

use super::{ONE_BY_ONE, unavailable};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            self, CurveKey, HashCalls, Signature, Text, Turn, VerifyingCalls,
            p256::{POINT, Point},
        },
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

/// A job of ECDH, of one key at a time or of a batch.
pub(super) fn ecdh(
    cell: &Cell,
    op: AgreementOp,
    backend: &str,
    batch: bool,
) -> Result<Box<dyn Job>, Unavailable> {
    if batch && backend != ONE_BY_ONE {
        let many = by_best_or_named!(p256::Many, backend).map_err(unavailable)?;
        return match op {
            AgreementOp::Agree => jobs::p256::agreement_calls(cell, |pair| {
                let key = PrivateKey::from_bytes(pair.private).map_err(unavailable)?;
                Ok(Box::new(Agreements { many, key }))
            }),
            AgreementOp::Generate => {
                jobs::p256::generation_calls(cell, Box::new(Generations(many)))
            }
        };
    }
    let named = named(backend);
    match op {
        AgreementOp::Agree => {
            jobs::p256::agreement(cell, move |pair| new(pair.private, &named).map(Private))
        }
        AgreementOp::Generate => {
            new(&[7; CURVE_KEY], &named)?;
            jobs::p256::generation(cell, Generation(named))
        }
    }
}

/// A job of ECDSA, of one message at a time or of a batch.
pub(super) fn ecdsa(
    cell: &Cell,
    op: SignatureOp,
    backend: &str,
    batch: bool,
) -> Result<Box<dyn Job>, Unavailable> {
    if batch && backend != ONE_BY_ONE {
        let many = by_best_or_named!(p256::Many, backend).map_err(unavailable)?;
        return match op {
            SignatureOp::Sign => jobs::p256::signing_calls(cell, |pair| {
                let key = PrivateKey::from_bytes(pair.private).map_err(unavailable)?;
                Ok(Box::new(Signatures { many, key }))
            }),
            SignatureOp::Verify => jobs::p256::verifying_calls(cell, |public| {
                let key = PublicKey::from_bytes(public).map_err(unavailable)?;
                Ok(Box::new(Verifications { many, key }))
            }),
        };
    }
    let named = named(backend);
    match op {
        SignatureOp::Sign => {
            jobs::p256::signing(cell, move |pair| new(pair.private, &named).map(Private))
        }
        SignatureOp::Verify => jobs::p256::verifying(cell, move |public| {
            let key = PublicKey::from_bytes(public).map_err(unavailable)?;
            Ok(Public { key, named: named.clone() })
        }),
    }
}

/// The name of a backend, without which the library chooses. The chosen one is not named, as users do not name it: a name is
/// looked up for each key or signature.
fn named(backend: &str) -> Option<String> {
    let best = PrivateKey::from_bytes(&[7; CURVE_KEY]).is_ok_and(|key| key.backend() == backend);
    (!best && backend != ONE_BY_ONE).then(|| backend.to_owned())
}

fn new(private: &CurveKey, named: &Option<String>) -> Result<PrivateKey, Unavailable> {
    let key = match named {
        Some(name) => PrivateKey::with_backend(private, name),
        None => PrivateKey::from_bytes(private),
    };
    key.map_err(unavailable)
}

struct Private(PrivateKey);

impl jobs::Agreement<POINT> for Private {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        match PublicKey::from_bytes(public) {
            Ok(public) => secret.copy_from_slice(self.0.agree(&public).as_bytes()),
            Err(_) => secret.fill(0),
        }
    }
}

impl jobs::Signing for Private {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let signed = self.0.sign(&sha256::digest(message));
        *signature = signed.expect("the operating system has random bytes").to_bytes();
    }
}

struct Generation(Option<String>);

impl jobs::Generation<POINT> for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        *public = new(private, &self.0).map_or([0; POINT], |key| key.public().to_bytes());
    }
}

struct Public {
    key: PublicKey,
    named: Option<String>,
}

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let Ok(signature) = p256::Signature::from_bytes(signature) else { return false };
        let digest = sha256::digest(message);
        let right = match &self.named {
            Some(name) => self.key.verify_with_backend(&digest, &signature, name),
            None => self.key.verify(&digest, &signature),
        };
        right.is_ok()
    }
}

struct Agreements {
    many: p256::Many,
    key: PrivateKey,
}

impl HashCalls for Agreements {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let publics: Vec<_> = texts[range.clone()]
                .iter()
                .map(|text| PublicKey::from_bytes(text).expect("it is one"))
                .collect();
            let pairs: Vec<_> = publics.iter().map(|public| (&self.key, public)).collect();
            let mut secrets: Vec<_> = pairs.iter().map(|_| None).collect();
            self.many.agree(&pairs, &mut secrets).expect("a place for each");
            let out = digests[range.start * CURVE_KEY..range.end * CURVE_KEY].as_chunks_mut().0;
            for (out, secret) in out.iter_mut().zip(&secrets) {
                *out = *secret.as_ref().expect("none fails").as_bytes();
            }
        }
    }
}

struct Generations(p256::Many);

impl HashCalls for Generations {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let keys: Vec<_> = texts[range.clone()]
                .iter()
                .map(|text| text[..].try_into().expect("of its one length"))
                .map(|key| PrivateKey::from_bytes(key).expect("a number below the order"))
                .collect();
            let mut publics = vec![None; keys.len()];
            self.0
                .public(&keys.iter().collect::<Vec<_>>(), &mut publics)
                .expect("a place for each");
            let out = digests[range.start * POINT..range.end * POINT].as_chunks_mut().0;
            for (out, public) in out.iter_mut().zip(publics) {
                *out = public.expect("none fails").to_bytes();
            }
        }
    }
}

struct Signatures {
    many: p256::Many,
    key: PrivateKey,
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let hashed = hashed(texts[range.clone()].iter());
            let key = &self.key;
            let to_sign: Vec<_> = hashed.iter().map(|digest| ToSign { key, digest }).collect();
            let mut signatures = vec![None; to_sign.len()];
            let signed = self.many.sign(&to_sign, &mut signatures);
            signed.expect("a place for each, and random bytes");
            let len = p256::SIGNATURE_LEN;
            let out = digests[range.start * len..range.end * len].as_chunks_mut().0;
            for (out, signature) in out.iter_mut().zip(signatures) {
                *out = signature.expect("none fails").to_bytes();
            }
        }
    }
}

struct Verifications {
    many: p256::Many,
    key: PublicKey,
}

impl VerifyingCalls for Verifications {
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
            let signatures: Vec<_> = signed
                .iter()
                .map(|(_, signature)| p256::Signature::from_bytes(signature).expect("in range"))
                .collect();
            let key = &self.key;
            let signed: Vec<_> = hashed
                .iter()
                .zip(&signatures)
                .map(|(digest, signature)| Signed { key, digest, signature })
                .collect();
            let mut results = vec![Ok(()); signed.len()];
            self.many.verify(&signed, &mut results).expect("a place for each");
            for (right, result) in right.iter_mut().zip(&results) {
                *right = result.is_ok();
            }
        }
    }
}

/// The digests of a batch, by the library's own call for many messages.
pub(super) fn hashed<'a>(messages: impl Iterator<Item = &'a Text>) -> Vec<[u8; 32]> {
    let messages: Vec<&[u8]> = messages.map(|message| &message[..]).collect();
    let mut digests = vec![[0; 32]; messages.len()];
    sha256::digest_many(&messages, &mut digests).expect("a place for each");
    digests
}
