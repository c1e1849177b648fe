//! ChaCha20 (RFC 8439, section 2.3), and ChaCha20-Poly1305.

use super::{Ops, Rates, poly1305};
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "As many blocks at once as there are lanes, none of which is idle; loads and stores are free. \
    Poly1305 runs beside it, on ports of its own, unless it takes longer.";

/// Twenty rounds of four quarter rounds, with four sums, four exclusive ors and four rotations each.
const ROUNDS_512: Ops = Ops { all: 960.0, shifts: 320.0, shuffles: 0.0 };

/// The addition of the initial state, and that of the text. A block per lane: its words are put in order with
/// four shuffles a word.
const TEXT_512: Ops = Ops { all: 16.0 + 16.0 + 64.0, shifts: 0.0, shuffles: 64.0 };

/// With eight lanes, three shuffles a word.
const TEXT_256: Ops = Ops { all: 16.0 + 16.0 + 48.0, shifts: 0.0, shuffles: 48.0 };

/// Without rotation instructions, two of four rotations are shuffles, and two are two shifts and an exclusive
/// or.
const ROUNDS_AVX2: Ops = Ops { all: 1280.0, shifts: 320.0, shuffles: 160.0 };

pub(super) fn least(rates: &Rates, cell: &Cell) -> Option<f64> {
    least_with_keys(rates, cell, 0.0)
}

/// Rounds without a text make the key of Poly1305, which then runs in parallel: on the ports for
/// multiplication of words.
pub(super) fn least_with_poly1305(rates: &Rates, cell: &Cell) -> Option<f64> {
    let keys = if cell.mode == Mode::Message { 1.0 } else { 0.0 };
    Some(least_with_keys(rates, cell, keys)?.max(poly1305::least(rates, cell).unwrap_or(0.0)))
}

/// None if the instructions have not been counted.
fn least_with_keys(rates: &Rates, cell: &Cell, keys: f64) -> Option<f64> {
    // Many blocks at once; some of them can overlap with the next message.
    let blocks = cell.bytes.div_ceil(64) as f64;
    let ways = [
        (16.0, rates.avx512_zmm(), ROUNDS_512, TEXT_512),
        (8.0, rates.avx512_ymm(), ROUNDS_512, TEXT_256),
        (8.0, rates.avx2(), ROUNDS_AVX2, TEXT_256),
    ];
    let ways = ways.into_iter().filter_map(|(lanes, vector, rounds, text)| {
        let vector = vector?;
        Some((vector.cycles(rounds + text) * blocks + vector.cycles(rounds) * keys) / lanes)
    });
    ways.reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use crate::{
        limits::bounds::tests::{cell, golden_cove},
        tasks::Mode::Message,
    };

    #[test]
    fn vectors_and_the_key_of_poly1305() {
        let rates = golden_cove();
        let least = |name, bytes| rates.least_cycles(&cell(name, bytes, 1, Message));
        assert_eq!(least("chacha20", 64 * 16), Some(1056.0 / 2.0));
        assert_eq!(least("chacha20-poly1305", 64 * 16), Some(1056.0 / 2.0 + 960.0 / 2.0 / 16.0));
    }
}
