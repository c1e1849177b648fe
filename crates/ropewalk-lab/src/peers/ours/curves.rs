//! X25519.

use ropewalk::x25519::{self, PrivateKey, PublicKey};

use super::{ONE_BY_ONE, unavailable};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{self, CurveKey, HashCalls, Text, Turn},
    },
    tasks::{AgreementOp, CURVE_KEY, Cell},
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
