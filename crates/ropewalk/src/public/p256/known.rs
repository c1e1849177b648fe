//! Known answers of P-256.

use super::Engine;
#[cfg(feature = "many")]
use super::{EIGHT, ManyEngine};
#[cfg(feature = "many")]
use crate::core::known::is_portable;
use crate::core::{
    Error,
    known::{Sum, numbered},
};

pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let engine = Engine::named(backend)?(());
    // Their first byte is below that of n.
    let [d, k, e]: [[u8; 32]; 3] = numbered();
    let (mut sum, mut q, mut x, mut signature) = (Sum::new(), [0; 64], [0; 32], [0; 64]);
    engine.public(&d, &mut q);
    sum.add(&q);
    engine.agree(&k, &q, &mut x);
    sum.add(&x);
    engine.sign(&d, &k, &e, &mut signature);
    sum.add(&signature);
    let mut valid = [false; 2];
    engine.verify(&q, &e, &signature, &mut valid[0]);
    engine.verify(&q, &d, &signature, &mut valid[1]);
    Ok(valid == [true, false] && sum.is(0x5b3c73c973d3bcb3))
}

#[cfg(feature = "many")]
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let engine = ManyEngine::named(backend)?(());
    let all: [[u8; 32]; 3 * EIGHT] = numbered();
    let of = |from: usize| [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| &all[from + lane]);
    let (mut sum, mut q, mut x) = (Sum::new(), [[0; 64]; EIGHT], [[0; 32]; EIGHT]);
    engine.public(&of(0), &mut q);
    sum.add(q.as_flattened());
    // One key at a time, which takes eight times as long, has had its own test.
    if is_portable(backend) {
        return Ok(sum.is(0x2bd68a1aa723b873));
    }
    engine.agree(&of(EIGHT), &q.each_ref(), &mut x);
    sum.add(x.as_flattened());
    let mut signatures = [[0; 64]; EIGHT];
    engine.sign(&of(0), &of(EIGHT), &of(2 * EIGHT), &mut signatures);
    sum.add(signatures.as_flattened());
    let mut valid = [false; EIGHT];
    // The last digest is another.
    let mut e = of(2 * EIGHT);
    e[EIGHT - 1] = e[0];
    engine.verify(&q.each_ref(), &e, &signatures.each_ref(), &mut valid);
    Ok(valid == [true, true, true, true, true, true, true, false] && sum.is(0x31c5b0795147e018))
}
