//! Poly1305 of many blocks, generic over vectors of numbers: lane i takes every L-th block from the i-th on.
//!
//! A lane is multiplied by r^L from block to block, and by the remaining power of r at the end, so that the sum of all lanes is
//! the accumulator.

use super::{Block, state::Number, x86_64::bmi2};
use crate::core::{
    cpu::Bmi2,
    opaque::{touched, unseen},
    secret::Wiped,
};

/// `L` numbers modulo 2^130 − 5, in limbs.
pub(crate) trait PolyLanes<const L: usize>: Copy {
    type Cpu: Copy + Into<Bmi2>;
    /// The multipliers of lanes.
    type Factors: Copy;
    /// Masks for doubling the number of powers: all ones in the lanes that get a higher power in step one, two and so on.
    const MORE: &'static [[u64; L]];
    /// Whether there are registers for the multipliers.
    const MANY: bool;
    /// From this many blocks on, computing the powers is worthwhile.
    const ENOUGH: usize;

    /// [`absorb`] with the features of the lanes, not inlined into callers.
    fn absorb(cpu: Self::Cpu, kept: &mut Kept, h: &mut Number, r: [u64; 2], blocks: &[Block]);

    /// Converts limbs, lane after lane, to words for storage, and back.
    fn keep(self, words: &mut [u64; KEPT]);
    fn of_kept(cpu: Self::Cpu, words: &[u64; KEPT]) -> Self;
    /// The first lane broadcast to all.
    fn first(self) -> Self;

    /// The blocks, with a one above each.
    fn of_blocks(cpu: Self::Cpu, blocks: &[Block; L]) -> Self;
    /// One number in all lanes.
    fn splat(cpu: Self::Cpu, number: Number) -> Self;
    /// `self` with the lanes of `other` where the mask has ones.
    fn or(self, other: Self, lanes: &[u64; L]) -> Self;
    /// One number in the first lane, and zeros.
    fn of_number(cpu: Self::Cpu, number: Number) -> Self;
    fn factors(self) -> Self::Factors;
    /// Without carries: allowed once, for two carried operands.
    fn plus(self, other: Self) -> Self;
    fn times(self, by: &Self::Factors) -> Self;
    /// The sum of two products.
    fn times_both(self, by: &Self::Factors, other: Self, other_by: &Self::Factors) -> Self;
    /// The sum of all lanes.
    fn sum(self) -> Number;
}

/// Words of as many powers of r as there are lanes, in limbs.
pub(crate) const KEPT: usize = 24;

/// Powers of r that are kept from one chunk of a message to the next, once there have been enough blocks.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    /// r^(L − i) in the lane that takes block i.
    words: [u64; KEPT],
    made: bool,
    /// Blocks so far, until the powers are computed.
    #[cfg(feature = "chacha20-poly1305")]
    seen: usize,
}

impl Kept {
    pub(crate) const NOTHING: Self = Self {
        words: [0; KEPT],
        made: false,
        #[cfg(feature = "chacha20-poly1305")]
        seen: 0,
    };

    /// Whether lanes are faster for so many further blocks, including the computation of missing powers.
    #[cfg(feature = "chacha20-poly1305")]
    #[inline(always)]
    pub(super) fn pays<F: PolyLanes<L>, const L: usize>(&mut self, blocks: usize) -> bool {
        self.seen = self.seen.saturating_add(blocks);
        blocks >= 2 * L && (self.made || self.seen >= F::ENOUGH)
    }
}

/// From this many blocks on, another power is computed, with which two groups are absorbed at a time.
const MANY: usize = 64;

/// Absorbs whole blocks, at least as many as there are lanes.
#[inline(always)]
pub(super) fn absorb<F: PolyLanes<L>, const L: usize>(
    cpu: F::Cpu,
    kept: &mut Kept,
    h: &mut Number,
    r: [u64; 2],
    blocks: &[Block],
) {
    let (groups, rest) = blocks.as_chunks::<L>();
    if let [first, more @ ..] = groups {
        let many = blocks.len() >= MANY;
        let mut powers = F::splat(cpu, [r[0], r[1], 0]);
        let mut at = 0;
        if kept.made {
            (powers, at) = (F::of_kept(cpu, &kept.words), F::MORE.len());
        }
        // Each step doubles the number of powers, the highest of which is in the first lane; the last step gives a power for two
        // groups.
        let mut of_two = powers;
        while at < F::MORE.len() + usize::from(many) {
            let product = powers.times(&powers.first().factors());
            match F::MORE.get(at) {
                Some(lanes) => powers = powers.or(product, lanes),
                None => of_two = product.first(),
            }
            at += 1;
        }
        powers.keep(&mut kept.words);
        kept.made = true;
        // Multipliers for L blocks, for two times as many, and the power of each lane.
        let mut by = Wiped::new([powers.first().factors(), of_two.factors(), powers.factors()]);

        let mut lanes = F::of_blocks(cpu, first).plus(F::of_number(cpu, *h));
        let mut more = more;
        if many {
            let (pairs, odd) = more.as_chunks();
            for [even, odd] in pairs {
                // LLVM would copy all of it before the first step.
                if !F::MANY {
                    touched(&mut *by);
                }
                // LLVM would recompute parts of it each time.
                let [step, two_steps, _] = unseen(&*by);
                let (even, odd) = (F::of_blocks(cpu, even), F::of_blocks(cpu, odd));
                // Independent products come first.
                lanes = even.times_both(step, lanes, two_steps).plus(odd);
            }
            more = odd;
        }
        loop {
            let [step, _, last] = unseen(&*by);
            let next = more.split_first();
            lanes = lanes.times(if next.is_some() { step } else { last });
            let Some((group, others)) = next else { break };
            lanes = lanes.plus(F::of_blocks(cpu, group));
            more = others;
        }
        *h = lanes.sum();
    }
    bmi2::absorb(cpu.into(), h, r, rest);
}

/// [`PolyLanes::MORE`] for lanes that take the blocks of `L` in that order; the first one takes the first.
pub(super) const fn more<const L: usize, const N: usize>(order: [usize; L]) -> [[u64; L]; N] {
    let mut more = [[0; L]; N];
    let (mut i, mut lane) = (0, 0);
    while i < N {
        while lane < L {
            if (L - 1 - order[lane]) >> i & 1 == 1 {
                more[i][lane] = !0;
            }
            lane += 1;
        }
        (i, lane) = (i + 1, 0);
    }
    more
}
