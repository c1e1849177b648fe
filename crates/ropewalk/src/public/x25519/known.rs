//! Known answers of X25519.

use super::Engine;
#[cfg(feature = "many")]
use super::{EIGHT, ManyEngine};
use crate::core::{
    Error,
    known::{Sum, numbered},
};

pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let engine = Engine::named(backend)?(());
    let [k, u]: [[u8; 32]; 2] = numbered();
    let (mut sum, mut out) = (Sum::new(), [0; 32]);
    engine.agree(&k, &u, &mut out);
    sum.add(&out);
    engine.public(&k, &mut out);
    sum.add(&out);
    Ok(sum.is(0x82fc25eb7d989a86))
}

#[cfg(feature = "many")]
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let engine = ManyEngine::named(backend)?(());
    let all: [[u8; 32]; 2 * EIGHT] = numbered();
    let of = |from: usize| [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| &all[from + lane]);
    let (mut sum, mut out) = (Sum::new(), [[0; 32]; EIGHT]);
    engine.agree(&of(0), &of(EIGHT), &mut out);
    sum.add(out.as_flattened());
    engine.public(&of(0), &mut out);
    sum.add(out.as_flattened());
    Ok(sum.is(0xf0d443f8b3c6fffa))
}
