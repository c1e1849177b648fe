//! Verification of signatures.

use std::hint::black_box;

use super::{SIGNATURE, Signature};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{Text, Turn, fresh::Fresh},
    },
    tasks::{Cell, Mode},
};

/// Ed25519 or ECDSA with a public key. `S` is a signature in the form that the library takes.
pub trait Verifying<S = Signature> {
    /// Additional work for each message, which other libraries do not need.
    const NOTE: &str = "";

    /// Returns whether the signature is that of the message.
    fn verify(&mut self, message: &[u8], signature: &S) -> bool;

    /// Takes another public key, as [`Agreement::rekey`](super::Agreement::rekey).
    fn rekey(&mut self, _: &[u8]) -> bool {
        false
    }
}

/// Consecutive calls that verify, which a job times. A function for batches implements it directly.
pub trait VerifyingCalls<S = Signature> {
    /// Makes `calls` calls, each with the next messages, as many as there are places. It stores for each
    /// whether its signature is right.
    fn verify(&mut self, calls: usize, turn: &mut Turn, signed: &[(Text, S)], right: &mut [bool]);

    /// Additional work for each message, which other libraries do not need.
    fn note(&self) -> &'static str {
        ""
    }
}

/// The first of these public keys for all messages, or a new one for each.
///
/// # Errors
/// If `make` fails.
pub(super) fn keyed_by_public<S: 'static, C: Verifying<S> + 'static>(
    cell: &Cell,
    publics: Vec<Vec<u8>>,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn VerifyingCalls<S>>, Unavailable> {
    if cell.mode == Mode::Setup {
        return Ok(Box::new(Fresh::of(publics, make)?));
    }
    Ok(Box::new(Alone(make(&publics[0])?)))
}

/// A job of messages with right signatures, in the form that the library takes.
pub(super) struct VerifyJob<S> {
    work: Box<dyn VerifyingCalls<S>>,
    signed: Vec<(Text, S)>,
    signatures: Vec<Signature>,
    form: fn(&Signature) -> S,
    /// A result for each message of a call.
    right: Vec<bool>,
    turn: Turn,
}

impl<S: 'static> VerifyJob<S> {
    pub(super) fn of(
        cell: &Cell,
        work: Box<dyn VerifyingCalls<S>>,
        signed: Vec<(Text, Signature)>,
        form: fn(&Signature) -> S,
    ) -> Box<dyn Job> {
        let signatures = signed.iter().map(|(_, signature)| *signature).collect();
        let signed = signed.into_iter().map(|(text, signature)| (text, form(&signature))).collect();
        let (right, turn) = (vec![false; cell.count], Turn::new(cell.count));
        Box::new(Self { work, signed, signatures, form, right, turn })
    }

    /// The results for all messages from the first on.
    fn all(&mut self) -> Vec<bool> {
        self.turn = Turn::new(self.turn.count());
        let mut all = Vec::new();
        for _ in 0..self.signed.len() / self.turn.count() {
            self.right.fill(false);
            self.run(1);
            all.extend_from_slice(&self.right);
        }
        all
    }

    /// Replaces the signature of each message by what is made of the right one.
    fn set(&mut self, of: impl Fn(Signature) -> Signature) {
        for ((_, signed), signature) in self.signed.iter_mut().zip(&self.signatures) {
            *signed = (self.form)(&of(*signature));
        }
    }
}

impl<S: 'static> Job for VerifyJob<S> {
    fn run(&mut self, calls: usize) {
        let Self { work, signed, right, turn, .. } = self;
        work.verify(calls, turn, signed, right);
        black_box(right);
    }

    /// Whether each signature was accepted, and whether it was accepted with a bit changed in either half.
    fn answer(&mut self) -> Vec<u8> {
        let mut out = self.all();
        for byte in [0, SIGNATURE / 2] {
            self.set(|mut signature| {
                signature[byte] ^= 1;
                signature
            });
            out.extend(self.all());
        }
        self.set(|signature| signature);
        out.into_iter().map(u8::from).collect()
    }

    fn note(&self) -> &'static str {
        self.work.note()
    }
}

/// One public key for all messages.
struct Alone<C>(C);

impl<S, C: Verifying<S>> VerifyingCalls<S> for Alone<C> {
    fn verify(&mut self, calls: usize, turn: &mut Turn, signed: &[(Text, S)], right: &mut [bool]) {
        for _ in 0..calls {
            for ((message, signature), right) in
                signed[turn.take(signed.len())].iter().zip(&mut *right)
            {
                *right = self.0.verify(message, signature);
            }
        }
    }

    fn note(&self) -> &'static str {
        C::NOTE
    }
}

impl<S, C: Verifying<S>, M: Fn(&[u8]) -> Result<C, Unavailable>> VerifyingCalls<S> for Fresh<C, M> {
    fn verify(&mut self, calls: usize, turn: &mut Turn, signed: &[(Text, S)], right: &mut [bool]) {
        for _ in 0..calls {
            for (i, right) in turn.take(signed.len()).zip(&mut *right) {
                let (message, signature) = &signed[i];
                let with = self.with(i, |key, public| key.rekey(public));
                *right = with.verify(message, signature);
            }
        }
    }

    fn note(&self) -> &'static str {
        C::NOTE
    }
}
