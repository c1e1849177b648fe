//! Known answers of Ed25519.

use super::Engine;
#[cfg(feature = "many")]
use super::{EIGHT, ManyEngine};
use crate::{
    core::{
        Error,
        known::{Sum, numbered},
    },
    curves::edwards25519::decode,
};

/// A point: the base point.
const POINT: [u8; 32] = {
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    bytes
};

pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let engine = Engine::named(backend)?(());
    let [s, k] = scalars::<2>();
    let (mut sum, mut out) = (Sum::new(), [0; 32]);
    engine.base(&s, &mut out);
    sum.add(&out);
    if let Some(point) = decode(&POINT) {
        engine.public_sum(&s, &k, &point, &mut out);
        sum.add(&out);
    }
    Ok(sum.is(0x45da3b048030ea3b))
}

#[cfg(feature = "many")]
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let engine = ManyEngine::named(backend)?(());
    let [s, k] = [scalars::<EIGHT>(), scalars()];
    let (mut sum, mut out) = (Sum::new(), [[0; 32]; EIGHT]);
    engine.base(&s.each_ref(), &mut out);
    sum.add(out.as_flattened());
    if let Some(point) = decode(&POINT) {
        engine.public_sum(&s.each_ref(), &k, &[&point; EIGHT], &mut out);
        sum.add(out.as_flattened());
    }
    Ok(sum.is(0x72c63ee00200952f))
}

/// Below 2^255.
fn scalars<const COUNT: usize>() -> [[u8; 32]; COUNT] {
    let mut all = numbered();
    for scalar in &mut all {
        scalar[31] &= 127;
    }
    all
}
