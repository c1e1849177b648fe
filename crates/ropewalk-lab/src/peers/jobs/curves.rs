//! Work of curves: X25519 agrees on secrets and makes public keys, Ed25519 signs messages and verifies.
//!
//! The inputs from the other side, public keys and signatures, are those of the reference crates.

mod ephemeral;

use std::hint::black_box;

use ed25519_dalek::{Signer, SigningKey};
pub use ephemeral::{Ephemeral, ephemeral};
use x25519_dalek::{PublicKey, StaticSecret};

use super::{
    Text, Turn,
    fresh::{Fresh, FreshHash},
    hash::{self, Hash, HashCalls, Hashing},
    inputs, keys,
    keys::{new_keys, of_message},
    whole,
};
use crate::{
    peers::{Job, Unavailable},
    tasks::{CURVE_KEY, Cell, Mode},
};

/// A key of X25519, private or public, or a secret; a seed or a public key of Ed25519.
pub type CurveKey = [u8; CURVE_KEY];

/// A signature of Ed25519.
pub type Signature = [u8; SIGNATURE];

const SIGNATURE: usize = 64;

/// X25519 with its private key.
pub trait Agreement {
    /// Additional work for each agreement, which other libraries do not need.
    const NOTE: &str = "";

    /// Agrees on a secret with the owner of that public key, which is given as bytes.
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey);

    /// Takes another private key, if that is the recommended way of its library, and returns whether it did:
    /// otherwise a new one is made, and this one dropped.
    fn rekey(&mut self, _: &CurveKey) -> bool {
        false
    }
}

/// X25519 that makes public keys.
pub trait Generation {
    /// Additional work for each key, which other libraries do not need.
    const NOTE: &str = "";

    /// Computes the public key of that private key, which is given as bytes.
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey);
}

/// Ed25519 with its private key.
pub trait Signing {
    /// Additional work for each message, which other libraries do not need.
    const NOTE: &str = "";

    /// Signs a message.
    fn sign(&mut self, message: &[u8], signature: &mut Signature);

    /// Takes the key of another seed, as [`Agreement::rekey`].
    fn rekey(&mut self, _: &CurveKey) -> bool {
        false
    }
}

/// Ed25519 that has a public key.
pub trait Verifying {
    /// Additional work for each message, which other libraries do not need.
    const NOTE: &str = "";

    /// Returns whether the signature is that of the message.
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool;

    /// Takes another public key, as [`Agreement::rekey`].
    fn rekey(&mut self, _: &CurveKey) -> bool {
        false
    }
}

/// Consecutive calls that verify, which a job times. A function for batches implements it directly.
pub trait VerifyingCalls {
    /// Makes `calls` calls, each with the next messages, as many as there are places. It stores for each
    /// whether its signature is right.
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    );

    /// Additional work for each message, which other libraries do not need.
    fn note(&self) -> &'static str {
        ""
    }
}

/// A job of agreements. `make` makes one with that private key.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn agreement<C: Agreement + 'static>(
    cell: &Cell,
    make: impl Fn(&CurveKey) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    agreement_calls(cell, |_| keyed(cell, move |key| make(key).map(Agreeing)))
}

/// The same from an implementation of the calls, which are those of a hash function: for public keys. `make`
/// makes it from the private key of all of them.
///
/// # Errors
/// As above.
pub fn agreement_calls(
    cell: &Cell,
    make: impl FnOnce(&CurveKey) -> Result<Box<dyn HashCalls>, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let others = inputs(cell);
    let others = others.iter().map(|private| Text::from(&public(array(private))[..])).collect();
    Ok(hash::job(cell, CURVE_KEY, others, make(&key())?))
}

/// A job of public keys.
///
/// # Errors
/// For a stream.
pub fn generation(
    cell: &Cell,
    generation: impl Generation + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    generation_calls(cell, Box::new(Hashing(vec![Generating(generation)])))
}

/// The same from an implementation of the calls, which are those of a hash function: for private keys.
///
/// # Errors
/// As above.
pub fn generation_calls(
    cell: &Cell,
    calls: Box<dyn HashCalls>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    Ok(hash::job(cell, CURVE_KEY, inputs(cell), calls))
}

/// A job of signatures. `make` makes one with the private key of a seed.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn signing<C: Signing + 'static>(
    cell: &Cell,
    make: impl Fn(&CurveKey) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    signing_calls(cell, |_| keyed(cell, move |key| make(key).map(Pen)))
}

/// The same from an implementation of the calls, which are those of a hash function. `make` makes it from the
/// seed of all of them.
///
/// # Errors
/// As above.
pub fn signing_calls(
    cell: &Cell,
    make: impl FnOnce(&CurveKey) -> Result<Box<dyn HashCalls>, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    Ok(hash::job(cell, SIGNATURE, inputs(cell), make(&key())?))
}

/// A job of verifications. `make` makes one with that public key.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn verifying<C: Verifying + 'static>(
    cell: &Cell,
    make: impl Fn(&CurveKey) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    if cell.mode == Mode::Setup {
        let publics = seeds(cell).iter().map(|seed| public_of(seed).to_vec()).collect();
        let fresh = Fresh::of(publics, move |key: &[u8]| make(array(key)))?;
        return verifying_calls(cell, |_| Ok(Box::new(fresh)));
    }
    verifying_calls(cell, |public| Ok(Box::new(Alone(make(public)?))))
}

/// The same from an implementation of the calls. `make` makes it from the public key of all of them.
///
/// # Errors
/// As above.
pub fn verifying_calls(
    cell: &Cell,
    make: impl FnOnce(&CurveKey) -> Result<Box<dyn VerifyingCalls>, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let seeds = seeds(cell);
    let signed = inputs(cell).into_iter().enumerate().map(|(i, message)| {
        let seed: &Vec<u8> = of_message(cell, &seeds, i);
        let signature = SigningKey::from_bytes(array(seed)).sign(&message).to_bytes();
        (message, signature)
    });
    let signed = signed.collect();
    let (right, turn) = (vec![false; cell.count], Turn::new(cell.count));
    Ok(Box::new(VerifyJob { work: make(&public_of(&seeds[0]))?, signed, right, turn }))
}

/// The seed or private key of every peer.
fn key() -> CurveKey {
    *array(&super::key(CURVE_KEY))
}

/// The seeds of the messages in the rotation.
fn seeds(cell: &Cell) -> Vec<Vec<u8>> {
    match cell.mode {
        Mode::Setup => new_keys(cell, CURVE_KEY),
        _ => keys(cell, CURVE_KEY),
    }
}

fn public(private: &CurveKey) -> CurveKey {
    PublicKey::from(&StaticSecret::from(*private)).to_bytes()
}

fn secret(private: &CurveKey, public: &CurveKey) -> CurveKey {
    StaticSecret::from(*private).diffie_hellman(&PublicKey::from(*public)).to_bytes()
}

fn public_of(seed: &[u8]) -> CurveKey {
    SigningKey::from_bytes(array(seed)).verifying_key().to_bytes()
}

#[inline(always)]
fn array<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.try_into().expect("of its one length")
}

#[inline(always)]
fn place<const N: usize>(bytes: &mut [u8]) -> &mut [u8; N] {
    bytes.try_into().expect("of its one length")
}

/// One key for all, or a new one for each.
fn keyed<H: Hash + 'static>(
    cell: &Cell,
    make: impl Fn(&CurveKey) -> Result<H, Unavailable> + 'static,
) -> Result<Box<dyn HashCalls>, Unavailable> {
    if cell.mode == Mode::Setup {
        let fresh = Fresh::new(cell, CURVE_KEY, move |key: &[u8]| make(array(key)))?;
        return Ok(Box::new(FreshHash(fresh)));
    }
    Ok(Box::new(Hashing(vec![make(&key())?])))
}

/// As a hash function, for public keys.
struct Agreeing<C>(C);

impl<C: Agreement> Hash for Agreeing<C> {
    const NOTE: &str = C::NOTE;

    #[inline(always)]
    fn message(&mut self, public: &[u8], secret: &mut [u8]) {
        self.0.agree(array(public), place(secret));
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.rekey(array(key))
    }
}

/// As a hash function, for private keys.
struct Generating<C>(C);

impl<C: Generation> Hash for Generating<C> {
    const NOTE: &str = C::NOTE;

    #[inline(always)]
    fn message(&mut self, private: &[u8], public: &mut [u8]) {
        self.0.generate(array(private), place(public));
    }
}

/// As a MAC, since signatures of Ed25519 are deterministic.
struct Pen<C>(C);

impl<C: Signing> Hash for Pen<C> {
    const NOTE: &str = C::NOTE;

    #[inline(always)]
    fn message(&mut self, message: &[u8], signature: &mut [u8]) {
        self.0.sign(message, place(signature));
    }

    fn rekey(&mut self, seed: &[u8]) -> bool {
        self.0.rekey(array(seed))
    }
}

struct VerifyJob {
    work: Box<dyn VerifyingCalls>,
    signed: Vec<(Text, Signature)>,
    /// A result for each message of a call.
    right: Vec<bool>,
    turn: Turn,
}

impl VerifyJob {
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
}

impl Job for VerifyJob {
    fn run(&mut self, calls: usize) {
        let Self { work, signed, right, turn } = self;
        work.verify(calls, turn, signed, right);
        black_box(right);
    }

    /// Whether each signature was accepted, and whether it was accepted with a bit changed in either half.
    fn answer(&mut self) -> Vec<u8> {
        let mut out = self.all();
        for byte in [0, SIGNATURE / 2] {
            let change = |(_, signature): &mut (_, Signature)| signature[byte] ^= 1;
            self.signed.iter_mut().for_each(change);
            out.extend(self.all());
            self.signed.iter_mut().for_each(change);
        }
        out.into_iter().map(u8::from).collect()
    }

    fn note(&self) -> &'static str {
        self.work.note()
    }
}

/// One public key for all messages.
struct Alone<C>(C);

impl<C: Verifying> VerifyingCalls for Alone<C> {
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    ) {
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

impl<C: Verifying, M: Fn(&[u8]) -> Result<C, Unavailable>> VerifyingCalls for Fresh<C, M> {
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    ) {
        for _ in 0..calls {
            for (i, right) in turn.take(signed.len()).zip(&mut *right) {
                let (message, signature) = &signed[i];
                let with = self.with(i, |key, public| key.rekey(array(public)));
                *right = with.verify(message, signature);
            }
        }
    }

    fn note(&self) -> &'static str {
        C::NOTE
    }
}
