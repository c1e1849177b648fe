//! Known answers of MD5.

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

const ONE: u64 = 0x1953_805b_f801_0423;
const MANY: u64 = 0xb9ef_0588_d47f_7e64;
const ITERATED: u64 = 0x7c46_a938_f790_0730;
