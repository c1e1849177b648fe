//! Verification of signatures.

use std::hint::black_box;

use super::Signature;
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{Text, Turn, fresh::Fresh},
    },
    tasks::{Cell, Mode},
};

/// A public key that verifies. `S` is a signature in the form that the library takes.
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
pub(in crate::peers::jobs) fn keyed_by_public<S: 'static, C: Verifying<S> + 'static>(
    cell: &Cell,
    publics: Vec<Vec<u8>>,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn VerifyingCalls<S>>, Unavailable> {
    if cell.mode == Mode::Setup {
        return Ok(Box::new(Fresh::of(publics, make)?));
    }
    Ok(Box::new(Alone(make(&publics[0])?)))
}

/// A job of messages with right signatures `R`, in the form `S` that the library takes.
pub(in crate::peers::jobs) struct VerifyJob<R, S> {
    work: Box<dyn VerifyingCalls<S>>,
    signed: Vec<(Text, S)>,
    signatures: Vec<R>,
    form: fn(&R) -> S,
    /// A result for each message of a call.
    right: Vec<bool>,
    turn: Turn,
}

impl<R: AsMut<[u8]> + Clone + 'static, S: 'static> VerifyJob<R, S> {
    pub(in crate::peers::jobs) fn of(
        cell: &Cell,
        work: Box<dyn VerifyingCalls<S>>,
        signed: Vec<(Text, R)>,
        form: fn(&R) -> S,
    ) -> Box<dyn Job> {
        let signatures = signed.iter().map(|(_, signature)| signature.clone()).collect();
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
    fn set(&mut self, of: impl Fn(&mut [u8])) {
        for ((_, signed), signature) in self.signed.iter_mut().zip(&self.signatures) {
            let mut signature = signature.clone();
            of(signature.as_mut());
            *signed = (self.form)(&signature);
        }
    }
}

impl<R: AsMut<[u8]> + Clone + 'static, S: 'static> Job for VerifyJob<R, S> {
    fn run(&mut self, calls: usize) {
        let Self { work, signed, right, turn, .. } = self;
        work.verify(calls, turn, signed, right);
        black_box(right);
    }

    /// Whether each signature was accepted, and whether it was accepted with a bit changed in either half.
    fn answer(&mut self) -> Vec<u8> {
        let mut out = self.all();
        for half in [0, 1] {
            self.set(|signature| signature[half * signature.len() / 2] ^= 1);
            out.extend(self.all());
        }
        self.set(|_| ());
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
