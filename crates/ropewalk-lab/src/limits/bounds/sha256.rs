//! SHA-256, one message and many (FIPS 180-4, section 6.2).

use super::{Ops, Rates, Step, Vector, cover};
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Rounds wait for each other; the schedule is free. The first and the last block of a message \
    share the core with its neighbours. Messages of one call go side by side in lanes where that is \
    faster.";

const BLOCK: usize = 64;

/// The byte that ends the message, and the eight of its length.
const PADDING: usize = 9;

pub(super) fn least(rates: &Rates, cell: &Cell) -> Option<f64> {
    match cell.mode {
        Mode::Message | Mode::Setup => {
            let blocks = (cell.bytes + PADDING).div_ceil(BLOCK) as f64;
            if cell.count == 1 {
                return one_after_the_other(rates, blocks);
            }
            let block_of_each = |block| cover(cell.count, &side_by_side(rates, block));
            // A separate padding block is the same for all messages, and scheduled only once.
            let known = if cell.bytes.is_multiple_of(BLOCK) { 1.0 } else { 0.0 };
            let cycles = (blocks - known) * block_of_each(Block::Read)?
                + known * block_of_each(Block::Known)?;
            Some(cycles / cell.count as f64)
        }
        // The chunks, however many, are of one message.
        Mode::Stream => Some(cell.bytes as f64 / BLOCK as f64 * block_alone(rates)?),
    }
}

/// A message of that many blocks, when messages are hashed serially.
///
/// Processors overlap the start of a message with the end of the one before. The out-of-order window is
/// smaller than two blocks, so at best the first and the last block of each message overlap with a neighbour.
fn one_after_the_other(rates: &Rates, blocks: f64) -> Option<f64> {
    let shared = blocks.min(2.0);
    Some((blocks - shared) * block_alone(rates)? + shared * block_beside_others(rates)?)
}

/// A block without other work.
///
/// Each round depends on the result of the one before, so the latency of the instructions counts, not their
/// throughput.
fn block_alone(rates: &Rates) -> Option<f64> {
    let x86 = rates.x86_64.as_ref();
    let arm = rates.aarch64.as_ref();
    let ways = [
        // Two rounds an instruction.
        x86.and_then(|x86| Some(32.0 * x86.sha256rnds2_latency?)),
        arm.and_then(|arm| Some(16.0 * arm.sha256_four_rounds_latency?)),
        // Rotation, two exclusive ors and an addition depend on each other.
        x86.and_then(|x86| Some((64.0 * 4.0 * x86.xor_latency?).max(plain_registers(rates)?))),
    ];
    ways.into_iter().flatten().reduce(f64::min)
}

/// A block while others, of other messages, keep the units busy.
fn block_beside_others(rates: &Rates) -> Option<f64> {
    let x86 = rates.x86_64.as_ref();
    let arm = rates.aarch64.as_ref();
    let ways = [
        x86.and_then(|x86| Some(4.0 * x86.sha256_quarter?)),
        arm.and_then(|arm| Some(4.0 * arm.sha256_quarter?)),
        plain_registers(rates),
    ];
    ways.into_iter().flatten().reduce(f64::min)
}

/// The source of a block.
#[derive(Clone, Copy)]
enum Block {
    /// From the message.
    Read,
    /// It is the same in all messages: only rounds are needed.
    Known,
}

/// A block of each of several messages in lanes.
fn side_by_side(rates: &Rates, block: Block) -> Vec<Step> {
    let lanes = |vector: Option<Vector>, rounds: Ops, schedule: Ops| {
        Some(vector?.cycles(match block {
            Block::Read => rounds + schedule,
            Block::Known => rounds,
        }))
    };
    let ways = [
        (1, block_beside_others(rates)),
        (4, lanes(rates.neon(), NEON_ROUNDS, NEON_SCHEDULE)),
        (8, lanes(rates.avx2(), AVX2_ROUNDS, AVX2_SCHEDULE)),
        (8, lanes(rates.avx512_ymm(), AVX512_ROUNDS, avx512_schedule(3 * 16 + 16))),
        (16, lanes(rates.avx512_zmm(), AVX512_ROUNDS, avx512_schedule(4 * 16 + 16))),
    ];
    ways.into_iter().filter_map(|(width, cycles)| Some(Step { width, cycles: cycles? })).collect()
}

/// Without vectors: a round is 22 operations. The schedule uses the vector unit and is not counted.
fn plain_registers(rates: &Rates) -> Option<f64> {
    Some(64.0 * 22.0 * rates.x86_64.as_ref()?.xor?)
}

/// With rotations and ternary logic: 6 rotations, 4 ternary operations, 7 sums.
const AVX512_ROUNDS: Ops = Ops { all: 64.0 * 17.0, shifts: 64.0 * 6.0, shuffles: 0.0 };

/// A step: 4 rotations, 2 shifts, 2 ternary operations, 3 additions. The shuffles transpose the words of the
/// messages (log2(lanes) for each of 16 vectors) and reverse their bytes.
const fn avx512_schedule(shuffles: u32) -> Ops {
    let shuffles = shuffles as f64;
    Ops { all: 48.0 * 11.0 + shuffles, shifts: 48.0 * 6.0, shuffles }
}

/// A rotation is two shifts and an exclusive or. 6 rotations, which 4 more exclusive ors combine to two sums,
/// 3 operations each for the choice and the majority, 7 additions.
const AVX2_ROUNDS: Ops =
    Ops { all: 64.0 * (18.0 + 4.0 + 6.0 + 7.0), shifts: 64.0 * 12.0, shuffles: 0.0 };

/// A step: 4 rotations, 2 shifts, 4 exclusive ors, 3 sums.
const AVX2_SCHEDULE: Ops = Ops {
    all: 48.0 * (12.0 + 2.0 + 4.0 + 3.0) + 3.0 * 16.0 + 16.0,
    shifts: 48.0 * 10.0,
    shuffles: 3.0 * 16.0 + 16.0,
};

/// A rotation is a shift and a shift that inserts; the choice is one operation, the majority two.
const NEON_ROUNDS: Ops =
    Ops { all: 64.0 * (12.0 + 4.0 + 3.0 + 7.0), shifts: 64.0 * 12.0, shuffles: 0.0 };

/// Loads interleave the words.
const NEON_SCHEDULE: Ops =
    Ops { all: 48.0 * (8.0 + 2.0 + 4.0 + 3.0) + 16.0, shifts: 48.0 * 10.0, shuffles: 16.0 };

#[cfg(test)]
mod tests {
    use crate::limits::bounds::tests::{cell, golden_cove};
    use crate::limits::{Aarch64, Rates, X86_64};
    use crate::tasks::Mode::{Message, Stream};

    fn least(rates: &Rates, bytes: usize, count: usize) -> f64 {
        rates.least_cycles(&cell("sha256", bytes, count, Message)).unwrap()
    }

    #[test]
    fn one_message_waits_for_itself() {
        let rates = golden_cove();
        for bytes in [0, 1, 55] {
            assert_eq!(least(&rates, bytes, 1), 96.0, "{bytes}");
        }
        for (bytes, inner) in [(56, 0.0), (64, 0.0), (119, 0.0), (120, 1.0), (256, 3.0)] {
            assert_eq!(least(&rates, bytes, 1), 2.0 * 96.0 + inner * 128.0, "{bytes}");
        }
        let a_byte = least(&rates, 16384, 1) / 16384.0;
        assert!((a_byte - 2.0).abs() < 0.01, "{a_byte}");
        let stream = |bytes, count| rates.least_cycles(&cell("sha256", bytes, count, Stream));
        assert_eq!(stream(16384, 1), Some(2.0 * 16384.0));
        assert_eq!(stream(16, 1), Some(32.0));
        assert_eq!(stream(16384, 16), Some(2.0 * 16384.0));
    }

    #[test]
    fn many_messages_share_the_processor() {
        let rates = golden_cove();
        let a_byte = |count| least(&rates, 64 * 1000 - 9, count) / 64000.0;
        let close = |count, want: f64| {
            assert!((a_byte(count) - want).abs() < 0.001, "{count}: {}", a_byte(count));
        };
        close(2, 1.5);
        close(5, 1.5);
        close(8, 1.094);
        close(9, (8.0 * 1.094 + 1.5) / 9.0);
        close(16, 0.828);
        close(17, (16.0 * 0.828 + 1.5) / 17.0);
        close(32, 0.828);
    }

    #[test]
    fn padding_of_its_own_is_rounds_alone() {
        let rates = golden_cove();
        assert_eq!(least(&rates, 64 + 55, 16), 2.0 * 848.0 / 16.0);
        assert_eq!(least(&rates, 64, 16), (848.0 + 544.0) / 16.0);
    }

    /// More messages never make a batch cheaper.
    #[test]
    fn batch_is_monotonous() {
        let rates = golden_cove();
        let batches: Vec<f64> =
            (2..100).map(|count| least(&rates, 100, count) * count as f64).collect();
        assert!(batches.is_sorted(), "{batches:?}");
    }

    /// An AVX2 processor without SHA extensions, with three vector units, two of which execute shifts: a
    /// batch is cheaper the more lanes are used.
    #[test]
    fn without_sha_instructions() {
        let third = Some(1.0 / 3.0);
        let half = Some(0.5);
        let haswell = X86_64 {
            xor_latency: Some(1.0),
            xor: Some(0.25),
            vpaddd_ymm: half,
            vpxor_ymm: third,
            vpsrld_ymm: Some(1.0),
            vpslld_ymm: Some(1.0),
            vpshufb_ymm: Some(1.0),
            vpunpckldq_ymm: Some(1.0),
            ..X86_64::default()
        };
        let rates = Rates { x86_64: Some(haswell), aarch64: None };
        assert_eq!(least(&rates, 55, 1), 64.0 * 5.5);
        assert_eq!(least(&rates, 55, 2), 64.0 * 5.5);
        assert_eq!(least(&rates, 55, 8), 1248.0 / 8.0);
    }

    #[test]
    fn arm() {
        let n1 = Aarch64 {
            sha256_four_rounds_latency: Some(6.0),
            sha256_quarter: Some(14.0),
            ..Aarch64::default()
        };
        let rates = Rates { x86_64: None, aarch64: Some(n1) };
        assert_eq!(least(&rates, 120, 1), 96.0 + 2.0 * 56.0);
        assert_eq!(least(&rates, 0, 2), 56.0);
    }
}
