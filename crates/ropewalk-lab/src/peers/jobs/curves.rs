//! Work of curves: X25519 agrees on secrets and makes public keys, Ed25519 signs messages and verifies; P-256 does both.
//!
//! The inputs from the other side, public keys and signatures, are those of the reference crates.

mod ephemeral;
pub mod p256;
mod verify;

use std::marker::PhantomData;

use ed25519_dalek::{Signer, SigningKey};
pub use ephemeral::{Ephemeral, ephemeral};
pub(super) use verify::{VerifyJob, keyed_by_public};
pub use verify::{Verifying, VerifyingCalls};
use x25519_dalek::{PublicKey, StaticSecret};

use super::{
    Text,
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

/// A key of X25519, private or public, or a secret; a seed or a public key of Ed25519; a private key of P-256, or a secret.
pub type CurveKey = [u8; CURVE_KEY];

/// A signature of Ed25519; r and s of P-256.
pub type Signature = [u8; SIGNATURE];

const SIGNATURE: usize = 64;

/// X25519 or ECDH with a private key. `PUBLIC` is the length of a public key.
pub trait Agreement<const PUBLIC: usize = CURVE_KEY> {
    /// Additional work for each agreement, which other libraries do not need.
    const NOTE: &str = "";

    /// Agrees on a secret with the owner of that public key, which is given as bytes.
    fn agree(&mut self, public: &[u8; PUBLIC], secret: &mut CurveKey);

    /// Takes another private key, if that is the recommended way of its library, and returns whether it did:
    /// otherwise a new one is made, and this one dropped.
    fn rekey(&mut self, _: &CurveKey) -> bool {
        false
    }
}

/// X25519 or ECDH that makes public keys.
pub trait Generation<const PUBLIC: usize = CURVE_KEY> {
    /// Additional work for each key, which other libraries do not need.
    const NOTE: &str = "";

    /// Computes the public key of that private key, which is given as bytes.
    fn generate(&mut self, private: &CurveKey, public: &mut [u8; PUBLIC]);
}

/// A private key that signs. `S` is the place of a signature: an array, with the most bytes of one in DER, or a slice where the
/// length depends on the key.
pub trait Signing<S: ?Sized = Signature> {
    /// Additional work for each message, which other libraries do not need.
    const NOTE: &str = "";

    /// Signs a message.
    fn sign(&mut self, message: &[u8], signature: &mut S);

    /// Takes the key of another seed, as [`Agreement::rekey`].
    fn rekey(&mut self, _: &CurveKey) -> bool {
        false
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
    agreement_calls(cell, |_| keyed(cell, seeds(cell), move |key| make(array(key)).map(Agreeing)))
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
    Ok(hash::job(cell, CURVE_KEY, others(cell, &X25519), make(&key())?))
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
    signing_calls(cell, |_| keyed(cell, seeds(cell), move |key| make(array(key)).map(Pen::new)))
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
    let publics = seeds(cell).iter().map(|seed| public_of(seed).to_vec()).collect();
    verifying_calls(cell, |_| keyed_by_public(cell, publics, move |key| make(array(key))))
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
    Ok(VerifyJob::of(cell, make(&public_of(&seeds[0]))?, signed, |signature| *signature))
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

/// What the reference crate of an agreement computes.
struct Model<const PUBLIC: usize> {
    public: fn(&CurveKey) -> [u8; PUBLIC],
    secret: fn(&CurveKey, &[u8; PUBLIC]) -> CurveKey,
}

const X25519: Model<CURVE_KEY> = Model {
    public: |private| PublicKey::from(&StaticSecret::from(*private)).to_bytes(),
    secret: |private, public| {
        StaticSecret::from(*private).diffie_hellman(&PublicKey::from(*public)).to_bytes()
    },
};

/// The public keys of the other sides.
fn others<const PUBLIC: usize>(cell: &Cell, model: &Model<PUBLIC>) -> Vec<Text> {
    let public = |private: &Text| Text::from(&(model.public)(array(private))[..]);
    inputs(cell).iter().map(public).collect()
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

/// The first of these keys for all, or a new one for each.
pub(super) fn keyed<H: Hash + 'static>(
    cell: &Cell,
    keys: Vec<Vec<u8>>,
    make: impl Fn(&[u8]) -> Result<H, Unavailable> + 'static,
) -> Result<Box<dyn HashCalls>, Unavailable> {
    if cell.mode == Mode::Setup {
        return Ok(Box::new(FreshHash(Fresh::of(keys, make)?)));
    }
    Ok(Box::new(Hashing(vec![make(&keys[0])?])))
}

/// As a hash function, for public keys.
struct Agreeing<C, const PUBLIC: usize>(C);

impl<C: Agreement<PUBLIC>, const PUBLIC: usize> Hash for Agreeing<C, PUBLIC> {
    const NOTE: &str = C::NOTE;

    #[inline(always)]
    fn message(&mut self, public: &[u8], secret: &mut [u8]) {
        self.0.agree(array(public), place(secret));
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.rekey(first(key))
    }
}

/// As a hash function, for private keys.
struct Generating<C, const PUBLIC: usize>(C);

impl<C: Generation<PUBLIC>, const PUBLIC: usize> Hash for Generating<C, PUBLIC> {
    const NOTE: &str = C::NOTE;

    #[inline(always)]
    fn message(&mut self, private: &[u8], public: &mut [u8]) {
        self.0.generate(array(private), place(public));
    }
}

/// As a MAC: signatures of Ed25519 and RSA are deterministic, and those of ECDSA are verified.
pub(super) struct Pen<C, S: ?Sized>(C, PhantomData<fn(&mut S)>);

impl<C, S: ?Sized> Pen<C, S> {
    pub(super) fn new(key: C) -> Self {
        Self(key, PhantomData)
    }
}

impl<C: Signing<S>, S: Place + ?Sized> Hash for Pen<C, S> {
    const NOTE: &str = C::NOTE;

    #[inline(always)]
    fn message(&mut self, message: &[u8], signature: &mut [u8]) {
        self.0.sign(message, S::of(signature));
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        // A key that is given by its number in a list is made anew.
        key.first_chunk().is_some_and(|key| self.0.rekey(key))
    }
}

/// The place of a signature.
trait Place {
    fn of(bytes: &mut [u8]) -> &mut Self;
}

impl<const LEN: usize> Place for [u8; LEN] {
    #[inline(always)]
    fn of(bytes: &mut [u8]) -> &mut Self {
        place(bytes)
    }
}

impl Place for [u8] {
    #[inline(always)]
    fn of(bytes: &mut [u8]) -> &mut Self {
        bytes
    }
}

/// The private key, which a public one may follow.
fn first(key: &[u8]) -> &CurveKey {
    key.first_chunk().expect("a private key comes first")
}
