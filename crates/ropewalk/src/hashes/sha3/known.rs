//! Known answers of SHA-3 and SHAKE.

use super::{Shake128, SpongeFunction};
use crate::{
    core::{Error, known::SECRET},
    hashes::known::{hash, hash_many},
};

/// Whether a backend for one message computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let mut sum = hash::<SpongeFunction<136, 0x06, 32>>(backend)?;
    let mut shake = Shake128::with_backend(backend)?;
    shake.update(&SECRET);
    let mut out = [0; 400];
    let mut reader = shake.finish();
    reader.squeeze(&mut out[..20]);
    reader.squeeze(&mut out);
    sum.add(&out);
    Ok(sum.is(ONE))
}

/// Whether a backend for many messages computes them.
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    Ok(hash_many::<SpongeFunction<136, 0x06, 32>>(backend)?.is(MANY))
}

const ONE: u64 = 0x948f_7faf_0daa_504e;
const MANY: u64 = 0xc09a_3300_ebf8_c51f;
