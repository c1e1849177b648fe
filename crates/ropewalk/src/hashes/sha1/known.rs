//! Known answers of SHA-1.

use super::Function;
use crate::{
    core::Error,
    hashes::known::{hash, hash_many, iterated},
};

/// Whether a backend for one message computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    Ok(hash::<Function>(backend)?.is(ONE))
}

/// Whether a backend for many messages computes them.
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let right = hash_many::<Function>(backend)?.is(MANY);
    Ok(right && iterated::<Function>(backend)?.is_some_and(|sum| sum.is(ITERATED)))
}

const ONE: u64 = 0x86ab_1482_8a82_a47a;
const MANY: u64 = 0x217d_5594_79a7_cd37;
const ITERATED: u64 = 0xb110_370e_4389_6286;
