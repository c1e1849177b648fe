//! X25519 and Ed25519.

use ropewalk::{
    ed25519::{self, Signed, ToSign},
    x25519::{self, PrivateKey, PublicKey},
};

use super::{ONE_BY_ONE, unavailable};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{self, CurveKey, HashCalls, Signature, Text, Turn, VerifyingCalls},
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

/// A job of X25519, of one key at a time or of a batch.
pub(super) fn x25519(
    cell: &Cell,
    op: AgreementOp,
    backend: &str,
    batch: bool,
) -> Result<Box<dyn Job>, Unavailable> {
    if batch && backend != ONE_BY_ONE {
        let many = by_best_or_named!(x25519::Many, backend).map_err(unavailable)?;
        return match op {
            AgreementOp::Agree => jobs::agreement_calls(cell, |key| {
                Ok(Box::new(Agreements { many, key: PrivateKey::from_bytes(key) }))
            }),
            AgreementOp::Generate => jobs::generation_calls(cell, Box::new(Generations(many))),
        };
    }
    // The serial loop has the chosen backend, which is not named, as users do not name it.
    let named = (backend != ONE_BY_ONE).then(|| backend.to_owned());
    let new = move |key: &CurveKey| match &named {
        Some(name) => PrivateKey::with_backend(key, name).map_err(unavailable),
        None => Ok(PrivateKey::from_bytes(key)),
    };
    match op {
        AgreementOp::Agree => jobs::agreement(cell, move |key| new(key).map(Private)),
        AgreementOp::Generate => {
            new(&[7; CURVE_KEY])?;
            jobs::generation(cell, Generation(new))
        }
    }
}

struct Private(PrivateKey);

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        match self.0.agree(&PublicKey(*public)) {
            Ok(shared) => secret.copy_from_slice(shared.as_bytes()),
            Err(_) => secret.fill(0),
        }
    }
}

struct Generation<F>(F);

impl<F: Fn(&CurveKey) -> Result<PrivateKey, Unavailable>> jobs::Generation for Generation<F> {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        *public = self.0(private).map_or([0; CURVE_KEY], |key| key.public().0);
    }
}

struct Agreements {
    many: x25519::Many,
    key: PrivateKey,
}

impl HashCalls for Agreements {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let publics: Vec<_> =
                texts[range.clone()].iter().map(|text| PublicKey(of(text))).collect();
            let pairs: Vec<_> = publics.iter().map(|public| (&self.key, public)).collect();
            let mut secrets: Vec<_> = pairs.iter().map(|_| None).collect();
            self.many.agree(&pairs, &mut secrets).expect("a place for each");
            let out = digests[range.start * CURVE_KEY..range.end * CURVE_KEY].as_chunks_mut().0;
            for (out, secret) in out.iter_mut().zip(&secrets) {
                *out = secret.as_ref().map_or([0; CURVE_KEY], |secret| *secret.as_bytes());
            }
        }
    }
}

struct Generations(x25519::Many);

impl HashCalls for Generations {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let keys: Vec<_> =
                texts[range.clone()].iter().map(|text| PrivateKey::from_bytes(&of(text))).collect();
            let mut public = vec![PublicKey([0; CURVE_KEY]); keys.len()];
            self.0.public(&keys.iter().collect::<Vec<_>>(), &mut public).expect("a place for each");
            let out = digests[range.start * CURVE_KEY..range.end * CURVE_KEY].as_chunks_mut().0;
            for (out, PublicKey(bytes)) in out.iter_mut().zip(public) {
                *out = bytes;
            }
        }
    }
}

fn of(text: &Text) -> CurveKey {
    text[..].try_into().expect("of its one length")
}

/// A job of Ed25519, of one message at a time or of a batch.
pub(super) fn ed25519(
    cell: &Cell,
    op: SignatureOp,
    backend: &str,
    batch: bool,
) -> Result<Box<dyn Job>, Unavailable> {
    if batch && backend != ONE_BY_ONE {
        let many = by_best_or_named!(ed25519::Many, backend).map_err(unavailable)?;
        return match op {
            SignatureOp::Sign => jobs::signing_calls(cell, |seed| {
                Ok(Box::new(Signatures { many, key: ed25519::PrivateKey::from_seed(seed) }))
            }),
            SignatureOp::Verify => jobs::verifying_calls(cell, |public| {
                let key = ed25519::PublicKey::from_bytes(public).map_err(unavailable)?;
                Ok(Box::new(Verifications { many, key, results: Vec::new() }))
            }),
        };
    }
    let named = (backend != ONE_BY_ONE).then(|| backend.to_owned());
    match op {
        SignatureOp::Sign => jobs::signing(cell, move |seed| {
            let key = match &named {
                Some(name) => ed25519::PrivateKey::with_backend(seed, name),
                None => Ok(ed25519::PrivateKey::from_seed(seed)),
            };
            key.map(Signing).map_err(unavailable)
        }),
        SignatureOp::Verify => jobs::verifying(cell, move |public| {
            let key = match &named {
                Some(name) => ed25519::PublicKey::with_backend(public, name),
                None => ed25519::PublicKey::from_bytes(public),
            };
            key.map(Verifying).map_err(unavailable)
        }),
    }
}

struct Signing(ed25519::PrivateKey);

impl jobs::Signing for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        *signature = self.0.sign(message);
    }
}

struct Verifying(ed25519::PublicKey);

impl jobs::Verifying for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        self.0.verify(message, signature).is_ok()
    }
}

struct Signatures {
    many: ed25519::Many,
    key: ed25519::PrivateKey,
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let messages: Vec<_> = texts[range.clone()]
                .iter()
                .map(|message| ToSign { key: &self.key, message })
                .collect();
            let len = ed25519::SIGNATURE_LEN;
            let out = digests[range.start * len..range.end * len].as_chunks_mut().0;
            self.many.sign(&messages, out).expect("a place for each");
        }
    }
}

struct Verifications {
    many: ed25519::Many,
    key: ed25519::PublicKey,
    results: Vec<Result<(), ropewalk::Error>>,
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
            let range = turn.take(signed.len());
            let messages: Vec<_> = signed[range]
                .iter()
                .map(|(message, signature)| Signed { key: &self.key, message, signature })
                .collect();
            self.results.resize(messages.len(), Ok(()));
            self.many.verify(&messages, &mut self.results).expect("a place for each");
            for (right, result) in right.iter_mut().zip(&self.results) {
                *right = result.is_ok();
            }
        }
    }
}
