//! Known answers of SHA-3 and SHAKE.

#[cfg(feature = "many")]
use super::Sha3_256Many;
use super::{Sha3_256, Shake128};
use crate::{
    core::{Error, known::SECRET},
    hashes::known::hash,
};

/// Whether they come out of that backend.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let mut sum = hash::<Sha3_256>(backend)?;
    let mut shake = Shake128::with_backend(backend)?;
    shake.update(&SECRET);
    let mut out = [0; 400];
    let mut reader = shake.finish();
    reader.squeeze(&mut out[..20]);
    reader.squeeze(&mut out);
    sum.add(&out);
    Ok(sum.is(ONE))
}

/// Whether they come out of that backend of many.
#[cfg(feature = "many")]
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    Ok(crate::hashes::known::hash_many::<Sha3_256Many>(backend)?.is(MANY))
}

/// Without calls for many messages, nothing asks.
#[cfg(not(feature = "many"))]
pub(super) fn many(_: &str) -> Result<bool, Error> {
    Ok(true)
}

const ONE: u64 = 0x948f_7faf_0daa_504e;
#[cfg(feature = "many")]
const MANY: u64 = 0xc09a_3300_ebf8_c51f;
