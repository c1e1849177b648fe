//! Known answers of SM3.

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

const ONE: u64 = 0x2ec8_ec4c_244a_cd6a;
const MANY: u64 = 0x93a6_7e57_1476_60d0;
const ITERATED: u64 = 0x8667_dd94_abc1_3a43;
