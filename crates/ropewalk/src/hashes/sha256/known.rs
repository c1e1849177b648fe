//! Known answers of SHA-256.

use super::Function256;
use crate::{
    core::Error,
    hashes::known::{hash, hash_many, iterated},
};

/// Whether a backend for one message computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    Ok(hash::<Function256>(backend)?.is(ONE))
}

/// Whether a backend for many messages computes them.
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let right = hash_many::<Function256>(backend)?.is(MANY);
    Ok(right && iterated::<Function256>(backend)?.is_some_and(|sum| sum.is(ITERATED)))
}

const ONE: u64 = 0xc496_42b2_b9ee_ee3e;
const MANY: u64 = 0x2491_6fe9_e0eb_a6cc;
const ITERATED: u64 = 0x5ae7_f0f3_339c_5906;
