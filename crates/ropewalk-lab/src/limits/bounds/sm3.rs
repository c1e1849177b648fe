//! SM3, one message and many (GB/T 32905-2016, section 5.3).

use super::{Ops, Rates, Step, Vector, cover};
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Rounds wait for each other; the message expansion is free where one message is hashed. The first \
    and the last block of a message share the core with its neighbours. Messages of one call go side by side in lanes where that is \
    faster.";

const BLOCK: usize = 64;

/// The byte that ends the message, and the eight of its length.
const PADDING: usize = 9;

pub(super) fn least(rates: &Rates, cell: &Cell) -> Option<f64> {
    let shared = block_of_many(rates)?;
    let single = block_of_one(rates)?.max(shared);
    match cell.mode {
        Mode::Message | Mode::Setup => {
            let blocks = (cell.bytes + PADDING).div_ceil(BLOCK) as f64;
            if cell.count == 1 {
                let ends = blocks.min(2.0);
                return Some((blocks - ends) * single + ends * shared);
            }
            Some(blocks * cover(cell.count, &lanes(rates))? / cell.count as f64)
        }
        Mode::Stream => Some(cell.bytes as f64 / BLOCK as f64 * single),
    }
}

/// A block without other work: E depends on the E of the round before. In between are the addition of A <<<
/// 12, the rotation by 7, the addition of H, and P_0, which is a rotation and two exclusive ors; GG takes one
/// instruction more from round 16 on.
fn block_of_one(rates: &Rates) -> Option<f64> {
    Some((16.0 * 6.0 + 48.0 * 7.0) * rates.x86_64.as_ref()?.xor_latency?)
}

/// A block while other messages keep the units busy: 6 rotations, 5 exclusive ors or additions of SS1, SS2
/// and P_0, 6 additions of TT1 and TT2; FF and GG are two instructions each, and 4 and 3 from round 16 on.
fn block_of_many(rates: &Rates) -> Option<f64> {
    Some((16.0 * (17.0 + 4.0) + 48.0 * (17.0 + 7.0)) * rates.x86_64.as_ref()?.xor?)
}

/// A block of each of several messages in lanes.
fn lanes(rates: &Rates) -> Vec<Step> {
    let of = |vector: Option<Vector>, ops| Some(vector?.cycles(ops));
    let ways = [
        (1, block_of_many(rates)),
        (4, of(rates.neon(), NEON)),
        (8, of(rates.avx2(), AVX2)),
        (8, of(rates.avx512_ymm(), avx512(3 * 16 + 16))),
        (16, of(rates.avx512_zmm(), avx512(4 * 16 + 16))),
    ];
    ways.into_iter().filter_map(|(width, cycles)| Some(Step { width, cycles: cycles? })).collect()
}

/// A round: 6 rotations, 4 ternary operations (FF, GG, P_0 and SS2), 8 additions and W'. A step of the
/// expansion: 4 rotations and 3 ternary operations. The shuffles transpose the words of the messages
/// (log2(lanes) for each of 16 vectors) and reverse their bytes.
const fn avx512(shuffles: u32) -> Ops {
    let shuffles = shuffles as f64;
    Ops { all: 64.0 * 19.0 + 52.0 * 7.0 + shuffles, shifts: 64.0 * 6.0 + 52.0 * 4.0, shuffles }
}

/// A rotation is two shifts and an exclusive or. A round: 6 rotations, 8 sums, 4 exclusive ors of SS2, P_0 and W'; FF and GG are two
/// operations each, and three each from round 16 on. A step of the expansion: 4 rotations and 6 exclusive ors.
const AVX2: Ops = Ops {
    all: 64.0 * (18.0 + 8.0 + 4.0)
        + 16.0 * 4.0
        + 48.0 * 6.0
        + 52.0 * (12.0 + 6.0)
        + 3.0 * 16.0
        + 16.0,
    shifts: 64.0 * 12.0 + 52.0 * 8.0,
    shuffles: 3.0 * 16.0 + 16.0,
};

/// A rotation is a shift and a shift that inserts; FF is two operations, GG two and then one. Loads
/// interleave the words.
const NEON: Ops = Ops {
    all: 64.0 * (12.0 + 8.0 + 4.0) + 16.0 * 4.0 + 48.0 * 3.0 + 52.0 * (8.0 + 6.0) + 16.0,
    shifts: 64.0 * 12.0 + 52.0 * 8.0,
    shuffles: 16.0,
};

#[cfg(test)]
mod tests {
    use crate::limits::bounds::tests::{cell, golden_cove};
    use crate::tasks::Mode::{Message, Stream};

    #[test]
    fn blocks_wait_for_each_other() {
        let rates = golden_cove();
        let least = |bytes, count, mode| rates.least_cycles(&cell("sm3", bytes, count, mode));
        let shared = 1488.0 * 0.2;
        for (bytes, cycles) in [(0, shared), (56, 2.0 * shared), (120, 2.0 * shared + 432.0)] {
            assert_eq!(least(bytes, 1, Message), Some(cycles), "{bytes}");
        }
        assert_eq!(least(128, 1, Stream), Some(2.0 * 432.0));
    }

    #[test]
    fn many_messages_share_the_processor() {
        let rates = golden_cove();
        let block = |count| rates.least_cycles(&cell("sm3", 55, count, Message));
        // Eight lanes, of which two are used.
        assert_eq!(block(2), Some(1644.0 / 3.0 / 2.0));
        assert_eq!(block(16), Some(1660.0 * 0.5 / 16.0));
        assert_eq!(block(32), block(16));
    }
}
