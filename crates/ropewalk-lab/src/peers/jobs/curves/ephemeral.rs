//! X25519 of libraries that generate private keys themselves.

use super::{array, place, public, secret, seeds};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            CurveKey, Text, Turn,
            hash::{self, HashCalls},
            inputs,
            keys::of_message,
            whole,
        },
    },
    tasks::{AgreementOp, CURVE_KEY, Cell},
};

/// X25519 with random private keys, each used once: their generation counts.
pub trait Ephemeral {
    /// Agrees on a secret with the owner of that public key, which is given as bytes.
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey);

    /// Makes a public key.
    fn generate(&mut self, public: &mut CurveKey);

    /// Does both with one private key: the secret, and the public key.
    fn both(&mut self, public: &CurveKey) -> (CurveKey, CurveKey);
}

/// A job of agreements or of public keys. The reported secret is that of the common key: the library's own
/// must match when computed with the private key of the other side.
///
/// # Errors
/// For a stream.
pub fn ephemeral(
    cell: &Cell,
    op: AgreementOp,
    work: impl Ephemeral + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let privates = inputs(cell);
    let calls = Box::new(Calls { cell: *cell, op, work });
    let texts = match op {
        AgreementOp::Agree => {
            privates.iter().map(|key| Text::from(&public(array(key))[..])).collect()
        }
        AgreementOp::Generate => privates,
    };
    Ok(hash::job(cell, CURVE_KEY, texts, calls))
}

struct Calls<C> {
    cell: Cell,
    op: AgreementOp,
    work: C,
}

impl<C: Ephemeral> HashCalls for Calls<C> {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            for i in turn.take(texts.len()) {
                let out = place(&mut digests[i * CURVE_KEY..][..CURVE_KEY]);
                match self.op {
                    AgreementOp::Agree => self.work.agree(array(&texts[i]), out),
                    AgreementOp::Generate => self.work.generate(out),
                }
            }
        }
    }

    fn known(&mut self, _: &mut Turn, _: &[Text], digests: &mut [u8]) {
        let seeds = seeds(&self.cell);
        for (i, other) in inputs(&self.cell).iter().enumerate() {
            let other = array(other);
            let (agreed, own) = self.work.both(&public(other));
            if agreed != secret(other, &own) {
                continue;
            }
            let right = match self.op {
                AgreementOp::Agree => {
                    let key: &Vec<u8> = of_message(&self.cell, &seeds, i);
                    secret(array(key), &public(other))
                }
                AgreementOp::Generate => public(other),
            };
            digests[i * CURVE_KEY..][..CURVE_KEY].copy_from_slice(&right);
        }
    }

    fn note(&self) -> &'static str {
        "a private key serves once: random bytes for it count"
    }
}
