//! X25519 and ECDH of libraries that generate private keys themselves.

use super::{Model, X25519, array, others, place, seeds};
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

/// X25519 or ECDH with random private keys, each used once: their generation counts. `PUBLIC` is the length of a public key.
pub trait Ephemeral<const PUBLIC: usize = CURVE_KEY> {
    /// Agrees on a secret with the owner of that public key, which is given as bytes.
    fn agree(&mut self, public: &[u8; PUBLIC], secret: &mut CurveKey);

    /// Makes a public key.
    fn generate(&mut self, public: &mut [u8; PUBLIC]);

    /// Does both with one private key: the secret, and the public key.
    fn both(&mut self, public: &[u8; PUBLIC]) -> (CurveKey, [u8; PUBLIC]);
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
    ephemeral_of(cell, op, work, X25519)
}

/// The same of any curve.
///
/// # Errors
/// For a stream.
pub(super) fn ephemeral_of<const PUBLIC: usize>(
    cell: &Cell,
    op: AgreementOp,
    work: impl Ephemeral<PUBLIC> + 'static,
    model: Model<PUBLIC>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let (texts, len) = match op {
        AgreementOp::Agree => (others(cell, &model), CURVE_KEY),
        AgreementOp::Generate => (inputs(cell), PUBLIC),
    };
    Ok(hash::job(cell, len, texts, Box::new(Calls { cell: *cell, op, work, model })))
}

struct Calls<C, const PUBLIC: usize> {
    cell: Cell,
    op: AgreementOp,
    work: C,
    model: Model<PUBLIC>,
}

impl<C: Ephemeral<PUBLIC>, const PUBLIC: usize> HashCalls for Calls<C, PUBLIC> {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            for i in turn.take(texts.len()) {
                match self.op {
                    AgreementOp::Agree => {
                        let out = &mut digests[i * CURVE_KEY..][..CURVE_KEY];
                        self.work.agree(array(&texts[i]), place(out));
                    }
                    AgreementOp::Generate => {
                        let out = &mut digests[i * PUBLIC..][..PUBLIC];
                        self.work.generate(place(out));
                    }
                }
            }
        }
    }

    fn known(&mut self, _: &mut Turn, _: &[Text], digests: &mut [u8]) {
        let seeds = seeds(&self.cell);
        let Model { public, secret } = self.model;
        for (i, other) in inputs(&self.cell).iter().enumerate() {
            let other = array(other);
            let (agreed, own) = self.work.both(&public(other));
            if agreed != secret(other, &own) {
                continue;
            }
            match self.op {
                AgreementOp::Agree => {
                    let key: &Vec<u8> = of_message(&self.cell, &seeds, i);
                    let right = secret(array(key), &public(other));
                    digests[i * CURVE_KEY..][..CURVE_KEY].copy_from_slice(&right);
                }
                AgreementOp::Generate => {
                    digests[i * PUBLIC..][..PUBLIC].copy_from_slice(&public(other));
                }
            }
        }
    }

    fn note(&self) -> &'static str {
        "a private key serves once: random bytes for it count"
    }
}
