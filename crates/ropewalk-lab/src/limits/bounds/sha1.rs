//! SHA-1 of one message (FIPS 180-4, section 6.1).

use super::Rates;
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Rounds wait for each other; the schedule is free. The first and the last block of a message \
    share the core with its neighbours.";

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

/// A block without other work: rounds depend on each other.
fn alone(rates: &Rates) -> Option<f64> {
    let x86 = rates.x86_64.as_ref()?;
    let ways = [
        // Four rounds an instruction.
        x86.sha1rnds4_latency.map(|latency| 20.0 * latency),
        // A rotation and an addition.
        x86.xor_latency.map(|latency| 80.0 * 2.0 * latency),
    ];
    ways.into_iter().flatten().reduce(f64::min)
}

/// A block while others keep the units busy.
fn beside_others(rates: &Rates) -> Option<f64> {
    let x86 = rates.x86_64.as_ref()?;
    let ways = [
        x86.sha1rnds4.map(|rate| 20.0 * rate),
        // Two rotations, four additions, and three instructions of Ch and of Maj, two of Parity. The schedule
        // uses the vector unit and is not counted.
        x86.xor.map(|rate| (80.0 * 6.0 + 40.0 * 3.0 + 40.0 * 2.0) * rate),
    ];
    ways.into_iter().flatten().reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use crate::limits::bounds::tests::{cell, golden_cove};
    use crate::tasks::Mode::{Message, Stream};

    #[test]
    fn blocks_wait_for_each_other() {
        let rates = golden_cove();
        let least = |bytes, count, mode| rates.least_cycles(&cell("sha1", bytes, count, mode));
        for (bytes, cycles) in [(0, 40.0), (56, 80.0), (120, 180.0)] {
            assert_eq!(least(bytes, 1, Message), Some(cycles), "{bytes}");
        }
        assert_eq!(least(128, 1, Stream), Some(200.0));
        assert_eq!(least(64, 16, Message), None);
    }

    #[test]
    fn without_sha_instructions() {
        let mut rates = golden_cove();
        let x86 = rates.x86_64.as_mut().expect("it is x86-64");
        (x86.sha1rnds4, x86.sha1rnds4_latency) = (None, None);
        let least = rates.least_cycles(&cell("sha1", 64, 1, Stream));
        assert_eq!(least, Some(160.0));
    }
}
