//! SHA-3 and SHAKE (FIPS 202, section 3.3).

use super::{Ops, Rates, Step, cover};
use crate::tasks::{Cell, Function, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "The permutation by the way that takes least here, where each operation waits for what it needs; \
    of many messages, by the fewest operations. The message itself costs nothing.";

pub(super) fn least(rates: &Rates, cell: &Cell, function: Function) -> Option<f64> {
    let rate = function.block_len();
    let blocks = match cell.mode {
        // There is always some padding.
        Mode::Message | Mode::Setup => (cell.bytes / rate + 1) as f64,
        Mode::Stream => cell.bytes as f64 / rate as f64,
    };
    if cell.mode == Mode::Stream || cell.count == 1 {
        return Some(blocks * permutation(rates)?);
    }
    let ways = [
        (1, permutation(rates)),
        (4, rates.avx512_ymm().map(|ymm| ROUNDS * ymm.cycles(ROUND_OF_MANY))),
        (8, rates.avx512_zmm().map(|zmm| ROUNDS * zmm.cycles(ROUND_OF_MANY))),
    ];
    let steps = ways.map(|(width, cycles)| Some(Step { width, cycles: cycles? }));
    let steps: Vec<_> = steps.into_iter().flatten().collect();
    Some(blocks * cover(cell.count, &steps)? / cell.count as f64)
}

/// Whether a hash function is one of SHA-3 or SHAKE.
pub(super) fn is_of_it(function: Function) -> bool {
    use Function::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
    matches!(function, Sha3_224 | Sha3_256 | Sha3_384 | Sha3_512 | Shake128 | Shake256)
}

/// Keccak-f[1600] of one message.
fn permutation(rates: &Rates) -> Option<f64> {
    let latency = rates.x86_64.as_ref().and_then(|x86| x86.keccak_round_latency);
    let ways = [
        // Shuffles depend on additions, and additions on shuffles.
        rates.avx512_zmm().map(|zmm| ROUNDS * zmm.cycles(ROUND_512).max(latency.unwrap_or(0.0))),
        rates.avx512_ymm().map(|xmm| ROUNDS * xmm.cycles(ROUND_OF_MANY)),
        rates.x86_64.as_ref().and_then(|x86| Some(ROUNDS * ROUND_PLAIN * x86.xor?)),
    ];
    ways.into_iter().flatten().reduce(f64::min)
}

const ROUNDS: f64 = 24.0;

/// Five lanes a vector. θ: 2 ternary operations for the columns, a rotation, 2 shuffles, 5 ternary
/// operations; ρ: 5 rotations; χ: 5 ternary operations; ι: a sum. Shuffles before χ and behind it, but
/// for a vector that is in order already: 8.
const ROUND_512: Ops = Ops { all: 29.0, shifts: 6.0, shuffles: 10.0 };

/// A message a lane. θ: 10 ternary operations for the columns, 5 rotations, 25 ternary operations; ρ: 24
/// rotations; χ: 25 ternary operations; ι: a sum.
const ROUND_OF_MANY: Ops = Ops { all: 90.0, shifts: 29.0, shuffles: 0.0 };

/// A lane a register. θ: 20 sums for the columns, 5 rotations, 5 and 25 sums; ρ: 24 rotations; χ: 25
/// times and-not and sum; ι: a sum.
const ROUND_PLAIN: f64 = 130.0;

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{cell, golden_cove},
        *,
    };
    use crate::limits::X86_64;

    #[test]
    fn whole_blocks_have_padding_of_their_own() {
        let rates = golden_cove();
        let least = |bytes, mode| rates.least_cycles(&cell("sha3-256", bytes, 1, mode)).unwrap();
        let block = 24.0 * 29.0 / 2.0;
        for (bytes, blocks) in [(0, 1.0), (135, 1.0), (136, 2.0), (1000, 8.0)] {
            assert_eq!(least(bytes, Mode::Message), blocks * block, "{bytes}");
        }
        assert_eq!(least(1360, Mode::Stream), 10.0 * block);
        let many = rates.least_cycles(&cell("sha3-256", 100, 8, Mode::Message)).unwrap();
        assert_eq!(many, 24.0 * 90.0 / 2.0 / 8.0);
    }

    #[test]
    fn rounds_wait_for_each_other() {
        let mut rates = golden_cove();
        let block = |rates: &Rates| {
            rates.least_cycles(&cell("sha3-256", 100, 1, Mode::Message)).unwrap() / 24.0
        };
        let x86 = rates.x86_64.as_mut().expect("it is x86-64");
        x86.keccak_round_latency = Some(22.0);
        assert_eq!(block(&rates), 22.0);
        // A word a register: 130 operations, of which five go in a cycle.
        rates.x86_64.as_mut().expect("it is x86-64").keccak_round_latency = Some(40.0);
        assert_eq!(block(&rates), 26.0);
    }

    #[test]
    fn plain_registers_do_without_vectors() {
        let x86_64 = X86_64 { xor: Some(0.25), ..X86_64::default() };
        let rates = Rates { x86_64: Some(x86_64), aarch64: None };
        let cell = cell("shake128", 100, 1, Mode::Message);
        assert_eq!(rates.least_cycles(&cell), Some(24.0 * 130.0 * 0.25));
    }
}
