//! P-256: ECDH, and ECDSA with SHA-256.
//!
//! Most libraries have random nonces, so signatures are not compared: those that the reference crate verifies are replaced by
//! its own.

use p256::ecdsa::{
    self, SigningKey, VerifyingKey,
    signature::{Signer as _, Verifier as _},
};
pub use ropewalk::p256::Der;

use super::{
    Agreeing, Agreement, CurveKey, Ephemeral, Generating, Generation, Model, Pen, SIGNATURE,
    Signature, Signing, VerifyJob, Verifying, VerifyingCalls, array, ephemeral::ephemeral_of,
    keyed, keyed_by_public, others, seeds,
};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            Text,
            hash::{self, HashCalls, Hashing},
            inputs,
            keys::of_message,
            whole,
        },
    },
    tasks::{AgreementOp, CURVE_KEY, Cell},
};

/// Bytes of an uncompressed public key (SEC 1, section 2.3.3): 4, x and y.
pub const POINT: usize = ropewalk::p256::UNCOMPRESSED_LEN;

/// An uncompressed public key.
pub type Point = [u8; POINT];

/// The most bytes of a signature in DER.
pub const DER: usize = ropewalk::p256::LONGEST;

/// A private key and its public key, as files of keys have them.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// A number, big-endian.
    pub private: &'a CurveKey,
    /// Its public key.
    pub public: &'a Point,
}

/// SubjectPublicKeyInfo of a public key (RFC 5480), for libraries that take no other form.
pub fn spki(public: &Point) -> Vec<u8> {
    const BEFORE: &[u8] = &[
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08,
        0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ];
    [BEFORE, public].concat()
}

/// ECPrivateKey of a private key (RFC 5915) without its public key, for libraries that take no other form.
pub fn ec_private_key(private: &CurveKey) -> Vec<u8> {
    const BEFORE: &[u8] = &[0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20];
    const AFTER: &[u8] = &[0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
    [BEFORE, private, AFTER].concat()
}

/// PrivateKeyInfo of a private key (RFC 5208) with its public key, for libraries that take no other form.
pub fn pkcs8(Pair { private, public }: Pair<'_>) -> Vec<u8> {
    const BEFORE: &[u8] = &[
        0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d,
        0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x6d, 0x30,
        0x6b, 0x02, 0x01, 0x01, 0x04, 0x20,
    ];
    const BETWEEN: &[u8] = &[0xa1, 0x44, 0x03, 0x42, 0x00];
    [BEFORE, private, BETWEEN, public].concat()
}

/// A job of agreements. `make` makes one with that private key.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn agreement<C: Agreement<POINT> + 'static>(
    cell: &Cell,
    make: impl Fn(Pair<'_>) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    agreement_calls(cell, |_| keyed(cell, pairs(cell), move |key| make(pair(key)).map(Agreeing)))
}

/// The same from an implementation of the calls, which are those of a hash function: for public keys. `make`
/// makes it from the private key of all of them.
///
/// # Errors
/// As above.
pub fn agreement_calls(
    cell: &Cell,
    make: impl FnOnce(Pair<'_>) -> Result<Box<dyn HashCalls>, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let work = make(pair(&pairs(cell)[0]))?;
    Ok(hash::job(cell, CURVE_KEY, others(cell, &MODEL), work))
}

/// A job of agreements or of public keys with random private keys, as [`ephemeral`](super::ephemeral).
///
/// # Errors
/// For a stream.
pub fn ephemeral(
    cell: &Cell,
    op: AgreementOp,
    work: impl Ephemeral<POINT> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    ephemeral_of(cell, op, work, MODEL)
}

/// A job of public keys.
///
/// # Errors
/// For a stream.
pub fn generation(
    cell: &Cell,
    generation: impl Generation<POINT> + 'static,
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
    Ok(hash::job(cell, POINT, inputs(cell), calls))
}

/// A job of signatures, r and s. `make` makes one with that private key.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn signing<C: Signing + 'static>(
    cell: &Cell,
    make: impl Fn(Pair<'_>) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    signing_calls(cell, |_| keyed(cell, pairs(cell), move |key| make(pair(key)).map(Pen::new)))
}

/// The same from an implementation of the calls, which are those of a hash function. `make` makes it from the
/// private key of all of them.
///
/// # Errors
/// As above.
pub fn signing_calls(
    cell: &Cell,
    make: impl FnOnce(Pair<'_>) -> Result<Box<dyn HashCalls>, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    let work = make(pair(&pairs(cell)[0]))?;
    signed(cell, SIGNATURE, work, |signature| Some(*array(signature)))
}

/// A job of signatures of a library that makes them only in DER. They are converted only to be verified.
///
/// # Errors
/// As above.
pub fn signing_der<C: Signing<[u8; DER]> + 'static>(
    cell: &Cell,
    make: impl Fn(Pair<'_>) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    let work = keyed(cell, pairs(cell), move |key| make(pair(key)).map(Pen::new))?;
    signed(cell, DER, work, |signature| {
        let len = 2 + usize::from(signature[1]);
        let signature = ropewalk::p256::Signature::from_der(signature.get(..len)?);
        Some(signature.ok()?.to_bytes())
    })
}

/// A job of verifications of r and s. `make` makes one with that public key.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn verifying<C: Verifying + 'static>(
    cell: &Cell,
    make: impl Fn(&Point) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    let publics = publics(cell);
    verifying_calls(cell, |_| keyed_by_public(cell, publics, move |key| make(array(key))))
}

/// The same from an implementation of the calls. `make` makes it from the public key of all of them.
///
/// # Errors
/// As above.
pub fn verifying_calls(
    cell: &Cell,
    make: impl FnOnce(&Point) -> Result<Box<dyn VerifyingCalls>, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    let work = make(array(&publics(cell)[0]))?;
    verified(cell, work, |signature| *signature)
}

/// A job of verifications of a library that takes signatures only in DER.
///
/// # Errors
/// As above.
pub fn verifying_der<C: Verifying<Der> + 'static>(
    cell: &Cell,
    make: impl Fn(&Point) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    let work = keyed_by_public(cell, publics(cell), move |key| make(array(key)))?;
    verified(cell, work, |signature| {
        let signature = ropewalk::p256::Signature::from_bytes(signature);
        signature.expect("r and s are in range").to_der()
    })
}

const MODEL: Model<POINT> = Model {
    public: |private| {
        let point = key(private).verifying_key().to_sec1_point(false);
        *array(point.as_bytes())
    },
    secret: |private, public| {
        let public = p256::PublicKey::from_sec1_bytes(public).expect("a point");
        let scalar = key(private);
        let secret = p256::ecdh::diffie_hellman(scalar.as_nonzero_scalar(), public.as_affine());
        (*secret.raw_secret_bytes()).into()
    },
};

fn key(private: &[u8]) -> SigningKey {
    SigningKey::from_slice(private).expect("a number below the order")
}

/// The private keys of the messages in the rotation, each followed by its public key.
fn pairs(cell: &Cell) -> Vec<Vec<u8>> {
    let pair = |private: &Vec<u8>| [private, &(MODEL.public)(array(private))[..]].concat();
    seeds(cell).iter().map(pair).collect()
}

fn pair(bytes: &[u8]) -> Pair<'_> {
    let (private, public) = bytes.split_at(CURVE_KEY);
    Pair { private: array(private), public: array(public) }
}

/// The public keys of the messages in the rotation.
fn publics(cell: &Cell) -> Vec<Vec<u8>> {
    seeds(cell).iter().map(|private| (MODEL.public)(array(private)).to_vec()).collect()
}

/// A job of signatures of that many bytes, of which `read` gets r and s.
fn signed(
    cell: &Cell,
    len: usize,
    work: Box<dyn HashCalls>,
    read: fn(&[u8]) -> Option<Signature>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let job = hash::job(cell, len, inputs(cell), work);
    Ok(Box::new(SignJob { job, cell: *cell, len, read }))
}

/// A job of messages with right signatures, which the library takes in that form.
fn verified<S: 'static>(
    cell: &Cell,
    work: Box<dyn VerifyingCalls<S>>,
    form: fn(&Signature) -> S,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let keys = seeds(cell);
    let signed = inputs(cell).into_iter().enumerate().map(|(i, message)| {
        let key = key(of_message::<Vec<u8>>(cell, &keys, i));
        let signature = sign(&key, &message);
        (message, signature)
    });
    Ok(VerifyJob::of(cell, work, signed.collect(), form))
}

/// The signature of the reference crate, whose nonces are those of RFC 6979.
fn sign(key: &SigningKey, message: &Text) -> Signature {
    let signature: ecdsa::Signature = key.sign(message);
    signature.to_bytes().into()
}

fn is_right(key: &VerifyingKey, message: &Text, signature: &Signature) -> bool {
    ecdsa::Signature::from_slice(signature)
        .is_ok_and(|signature| key.verify(message, &signature).is_ok())
}

/// Signatures, which `read` gets out of what is timed.
struct SignJob {
    job: Box<dyn Job>,
    cell: Cell,
    len: usize,
    read: fn(&[u8]) -> Option<Signature>,
}

impl Job for SignJob {
    fn run(&mut self, calls: usize) {
        self.job.run(calls);
    }

    /// The signature of the reference crate for each right one, and zeros for others.
    fn answer(&mut self) -> Vec<u8> {
        let (made, keys) = (self.job.answer(), seeds(&self.cell));
        let known = made.chunks_exact(self.len).zip(inputs(&self.cell)).enumerate();
        let known = known.map(|(i, (made, message))| {
            let key = key(of_message::<Vec<u8>>(&self.cell, &keys, i));
            let is_right = |made: &Signature| is_right(key.verifying_key(), &message, made);
            match (self.read)(made).is_some_and(|made| is_right(&made)) {
                true => sign(&key, &message),
                false => [0; SIGNATURE],
            }
        });
        known.collect::<Vec<_>>().concat()
    }

    fn note(&self) -> &'static str {
        self.job.note()
    }
}
