//! The hash functions of RustCrypto, a row each.

use hmac::Hmac;

use super::{Extendable, hash as digest, mac};
use crate::{
    peers::{Job, Unavailable, find, jobs},
    tasks::{Cell, Function},
};

type OfHash = fn(&Cell) -> Box<dyn Job>;
type OfHmac = fn(&Cell) -> Result<Box<dyn Job>, Unavailable>;

/// What makes a job of the hash function.
pub(super) fn hash(function: Function) -> Option<OfHash> {
    find(FUNCTIONS, function).map(|(hash, _)| hash)
}

/// What makes a job of HMAC of the hash function.
pub(super) fn hmac(function: Function) -> Option<OfHmac> {
    find(FUNCTIONS, function)?.1
}

const FUNCTIONS: &[(Function, (OfHash, Option<OfHmac>))] = &[
    (Function::Md5, (digest::<md5::Md5>, Some(mac::<Hmac<md5::Md5>>))),
    (Function::Sha1, (digest::<sha1::Sha1>, Some(mac::<Hmac<sha1::Sha1>>))),
    (Function::Sha224, (digest::<sha2::Sha224>, Some(mac::<Hmac<sha2::Sha224>>))),
    (Function::Sha256, (digest::<sha2::Sha256>, Some(mac::<Hmac<sha2::Sha256>>))),
    (Function::Sha384, (digest::<sha2::Sha384>, Some(mac::<Hmac<sha2::Sha384>>))),
    (Function::Sha512, (digest::<sha2::Sha512>, Some(mac::<Hmac<sha2::Sha512>>))),
    (Function::Sha512_256, (digest::<sha2::Sha512_256>, Some(mac::<Hmac<sha2::Sha512_256>>))),
    (Function::Sha3_224, (digest::<sha3::Sha3_224>, Some(mac::<Hmac<sha3::Sha3_224>>))),
    (Function::Sha3_256, (digest::<sha3::Sha3_256>, Some(mac::<Hmac<sha3::Sha3_256>>))),
    (Function::Sha3_384, (digest::<sha3::Sha3_384>, Some(mac::<Hmac<sha3::Sha3_384>>))),
    (Function::Sha3_512, (digest::<sha3::Sha3_512>, Some(mac::<Hmac<sha3::Sha3_512>>))),
    (Function::Shake128, (extendable::<sha3::Shake128>, None)),
    (Function::Shake256, (extendable::<sha3::Shake256>, None)),
];

fn extendable<H>(cell: &Cell) -> Box<dyn Job>
where
    Extendable<H>: jobs::Hash + 'static,
    H: Default,
{
    jobs::hash(cell, Extendable(H::default()))
}
