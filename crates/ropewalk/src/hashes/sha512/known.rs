//! Known answers of SHA-512.

use super::Function512;
use crate::{
    core::Error,
    hashes::known::{hash, hash_many, iterated},
};

/// Whether a backend for one message computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    Ok(hash::<Function512>(backend)?.is(ONE))
}

/// Whether a backend for many messages computes them.
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let right = hash_many::<Function512>(backend)?.is(MANY);
    Ok(right && iterated::<Function512>(backend)?.is_some_and(|sum| sum.is(ITERATED)))
}

const ONE: u64 = 0x33ff_8cea_7a0b_d861;
const MANY: u64 = 0xb6c1_111e_1770_23fa;
const ITERATED: u64 = 0xdb72_f33b_ba4d_6879;
