//! Known answers of ChaCha20.

use super::Key;
use crate::core::{
    Error,
    known::{SECRET, Sum, bytes},
    text::Text,
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    // Two steps of sixteen blocks in lanes, and a part of a step; fewer blocks in rows.
    let mut text = bytes::<2200>();
    let (key, nonce) = (Key::with_backend(&SECRET[..32], backend)?, bytes());
    for (counter, len) in (1..).zip([5, 64, 100, 192, 320, 450, 700, 2200]) {
        key.engine.apply(counter << 28, &nonce, Text::in_place(&mut text[..len]));
    }
    Ok(Sum::of(&text).is(ONE))
}

const ONE: u64 = 0x7da9_e3ea_ff5b_9ded;
