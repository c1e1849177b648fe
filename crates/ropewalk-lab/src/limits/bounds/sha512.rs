//! SHA-512 of one message (FIPS 180-4, section 6.4).

use super::Rates;
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Rounds wait for each other, by the shortest way through them; the schedule is free. The first \
    and the last block of a message share the core with its neighbours.";

const BLOCK: usize = 128;

/// The byte that ends the message, and the sixteen of its length.
const PADDING: usize = 17;

const ROUNDS: f64 = 80.0;

/// None for batches, which lanes could hash in parallel: the instructions have not been counted.
pub(super) fn least(rates: &Rates, cell: &Cell) -> Option<f64> {
    let xor_latency = rates.x86_64.as_ref()?.xor_latency?;
    // The schedule uses the vector unit and is not counted; a round is 22 operations.
    let beside_others = ROUNDS * 22.0 * rates.x86_64.as_ref()?.xor?;
    // Rotation, two exclusive ors and an addition depend on each other.
    let alone = (ROUNDS * 4.0 * xor_latency).max(beside_others);
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

#[cfg(test)]
mod tests {
    use crate::limits::bounds::tests::{cell, golden_cove};
    use crate::tasks::Mode::{Message, Stream};

    #[test]
    fn blocks_are_counted_with_their_padding() {
        let rates = golden_cove();
        let least = |bytes, count, mode| rates.least_cycles(&cell("sha512", bytes, count, mode));
        let block = 80.0 * 22.0 * 0.2;
        for (bytes, blocks) in [(0, 1.0), (111, 1.0), (112, 2.0), (239, 2.0), (240, 3.0)] {
            assert_eq!(least(bytes, 1, Message), Some(blocks * block), "{bytes}");
        }
        assert_eq!(least(256, 1, Stream), Some(2.0 * block));
        assert_eq!(least(64, 16, Message), None);
    }

    /// With unlimited throughput, the latency of a round counts.
    #[test]
    fn rounds_wait_for_each_other() {
        let mut rates = golden_cove();
        rates.x86_64.as_mut().expect("it is x86-64").xor = Some(0.1);
        let least = rates.least_cycles(&cell("sha512", 128 * 3 - 17, 1, Message));
        assert_eq!(least, Some(80.0 * (4.0 + 2.0 * 2.2)));
    }
}
