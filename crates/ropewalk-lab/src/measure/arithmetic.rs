//! Work that shares nothing but the core: the reference for scaling.

use std::hint::black_box;

use crate::peers::Job;

/// Additions and multiplications on registers, as many in parallel as a core executes: another thread on the
/// same core takes its part of them, and they use no memory, which cores share.
pub struct Arithmetic([u64; CHAINS]);

const CHAINS: usize = 8;

/// Iterations of a call, of some cycles each.
const TURNS: usize = 1000;

impl Default for Arithmetic {
    fn default() -> Self {
        Self(std::array::from_fn(|i| 2 * i as u64 + 1))
    }
}

impl Job for Arithmetic {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls {
            let mut chains = self.0;
            // The compiler must not know the value, or it would simplify the loop.
            let step = black_box(0x9e37_79b9_7f4a_7c15);
            for _ in 0..TURNS {
                for chain in &mut chains {
                    *chain = chain.wrapping_mul(step).wrapping_add(step);
                }
            }
            self.0 = black_box(chains);
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.0.iter().flat_map(|chain| chain.to_le_bytes()).collect()
    }
}
