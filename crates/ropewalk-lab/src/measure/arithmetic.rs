//! Work that shares nothing but the core: how it scales is how the machine does.

use std::hint::black_box;

use crate::peers::Job;

/// Sums and products on registers, as many side by side as a core takes: a neighbour on the same core takes its part
/// of them, and memory, which several may wait for, has none.
pub struct Arithmetic([u64; CHAINS]);

const CHAINS: usize = 8;

/// Turns of a call, of some cycles each.
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
            // From a place that the compiler does not know, or it would see through them.
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
