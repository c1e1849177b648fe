//! MD5 of one message (RFC 1321, section 3.4).

use super::Rates;
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Each step waits for the one before, by the shortest way through it; the first and the last block \
    of a message share the core with its neighbours.";

const BLOCK: usize = 64;

/// The byte that ends the message, and the eight of its length.
const PADDING: usize = 9;

/// None for batches, which lanes could hash in parallel: the instructions have not been counted.
pub(super) fn least(rates: &Rates, cell: &Cell) -> Option<f64> {
    let beside_others = beside_others(rates)?;
    let alone = alone(rates)?.max(beside_others);
    match cell.mode {
        Mode::Message if cell.count == 1 => {
            // The first and the last block can overlap with blocks of the neighbouring messages.
            let blocks = (cell.bytes + PADDING).div_ceil(BLOCK) as f64;
            let shared = blocks.min(2.0);
            Some((blocks - shared) * alone + shared * beside_others)
        }
        Mode::Message | Mode::Setup => None,
        Mode::Stream => Some(cell.bytes as f64 / BLOCK as f64 * alone),
    }
}

/// A block without other work: operations depend on each other.
fn alone(rates: &Rates) -> Option<f64> {
    // A sum, a rotation and a sum, after two instructions of F and of I, and one of G and of H.
    Some((2.0 * 16.0 * 5.0 + 2.0 * 16.0 * 4.0) * rates.x86_64.as_ref()?.xor_latency?)
}

/// A block while others keep the units busy: F takes three instructions, G four, one of them an addition, H
/// two and I three; then four additions and a rotation.
fn beside_others(rates: &Rates) -> Option<f64> {
    Some((64.0 * 5.0 + 16.0 * (3.0 + 4.0 + 2.0 + 3.0)) * rates.x86_64.as_ref()?.xor?)
}

#[cfg(test)]
mod tests {
    use crate::limits::bounds::tests::{cell, golden_cove};
    use crate::tasks::Mode::{Message, Stream};

    #[test]
    fn blocks_wait_for_each_other() {
        let rates = golden_cove();
        let least = |bytes, count, mode| rates.least_cycles(&cell("md5", bytes, count, mode));
        let shared = 512.0 * 0.2;
        for (bytes, cycles) in [(0, shared), (56, 2.0 * shared), (120, 2.0 * shared + 288.0)] {
            assert_eq!(least(bytes, 1, Message), Some(cycles), "{bytes}");
        }
        assert_eq!(least(128, 1, Stream), Some(2.0 * 288.0));
        assert_eq!(least(64, 16, Message), None);
    }
}
