//! Counter blocks of AES-GCM on vectors of one or two.

use super::{super::Nonce, STEP};
use crate::core::{
    block::{Block, load_12},
    simd::Blocks,
};

/// Counter blocks with the first round key added. Those of a step differ in their last four or five bits, so one vector and
/// constants give them; the first counter of a text is 2.
pub(super) struct Counter<V> {
    /// Counter 0 in each lane.
    nonce: V,
    /// The same with the number of blocks of the steps before.
    base: V,
    count: u32,
}

impl<V: Blocks> Counter<V> {
    #[inline(always)]
    pub(super) fn new(cpu: V::Cpu, nonce: &Nonce, first_key: V) -> Self {
        let nonce = V::from_numbers(cpu, [load_12(nonce); 2]).whiten(first_key);
        Self { nonce, base: nonce, count: 0 }
    }

    /// The counter after `count` blocks, which are whole steps.
    #[inline(always)]
    pub(super) fn after(cpu: V::Cpu, nonce: &Nonce, first_key: V, count: u32) -> Self {
        let Self { nonce, .. } = Self::new(cpu, nonce, first_key);
        let base = nonce.xor(V::from_numbers(cpu, [u128::from(count.swap_bytes()) << 96; 2]));
        Self { nonce, base, count }
    }

    /// The next `N` vectors and one after them, the last lane of which has counter 1.
    #[inline(always)]
    pub(super) fn last<const N: usize>(mut self, cpu: V::Cpu) -> ([V; N], V) {
        let number = |count: u32| u128::from(count.swap_bytes()) << 96;
        let counts = match V::LANES {
            1 => [number(1); 2],
            _ => [number(self.count.wrapping_add(((N + 1) * V::LANES) as u32)), number(1)],
        };
        (self.next::<N>(cpu), self.nonce.xor(V::from_numbers(cpu, counts)))
    }

    /// The next `N` vectors. In a whole step, the last two blocks do not share the upper bits of the counter.
    #[inline(always)]
    pub(super) fn next<const N: usize>(&mut self, cpu: V::Cpu) -> [V; N] {
        let mut x = [self.base; N];
        if N == STEP {
            self.count = self.count.wrapping_add((STEP * V::LANES) as u32);
            let count = u128::from(self.count.swap_bytes()) << 96;
            self.base = self.nonce.xor(V::from_numbers(cpu, [count; 2]));
        }
        for i in 0..N {
            let (base, from) = match 2 + i * V::LANES {
                from if from < STEP * V::LANES => (x[i], from),
                from => (self.base, from - STEP * V::LANES),
            };
            x[i] = base.xor(V::load(cpu, &COUNTS[from..]));
        }
        x
    }
}

/// Blocks with their own index.
static COUNTS: [Block; 18] = {
    let mut counts = [[0; 16]; 18];
    let mut i = 0;
    while i < counts.len() {
        counts[i][15] = i as u8;
        i += 1;
    }
    counts
};
