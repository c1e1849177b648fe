//! Poly1305 of many blocks, written once for vectors of numbers: lane i takes every L-th block from the
//! i-th on.
//!
//! A lane is multiplied by r^L from block to block, and by what is left of its power at the end, so that
//! the sum of all lanes is the accumulator.

use super::{Block, state::Number, x86_64::bmi2};
use crate::core::{
    cpu::Bmi2,
    opaque::{touched, unseen},
    secret::Wiped,
};

/// `L` numbers modulo 2^130 − 5, in limbs.
pub(crate) trait PolyLanes<const L: usize>: Copy {
    type Cpu: Copy + Into<Bmi2>;
    /// What lanes are multiplied by.
    type Factors: Copy;
    /// Lanes whose power of r has that much more, for one, two and so on: ones.
    const MORE: &'static [[u64; L]];
    /// Whether there are registers for what lanes are multiplied by.
    const MANY: bool;
    /// So many blocks are worth their powers.
    const ENOUGH: usize;

    /// [`absorb`], with the features of the lanes: it is not inlined wherever it is called.
    fn absorb(cpu: Self::Cpu, kept: &mut Kept, h: &mut Number, r: [u64; 2], blocks: &[Block]);

    /// Limbs, lane after lane, to words that are kept, and back.
    fn keep(self, words: &mut [u64; KEPT]);
    fn of_kept(cpu: Self::Cpu, words: &[u64; KEPT]) -> Self;
    /// The first lane in all.
    fn first(self) -> Self;

    /// The blocks, with a one above each.
    fn of_blocks(cpu: Self::Cpu, blocks: &[Block; L]) -> Self;
    /// One number in all lanes.
    fn splat(cpu: Self::Cpu, number: Number) -> Self;
    /// Those lanes of the other instead where there are ones.
    fn or(self, other: Self, lanes: &[u64; L]) -> Self;
    /// Nothing but one number in the first lane.
    fn of_number(cpu: Self::Cpu, number: Number) -> Self;
    fn factors(self) -> Self::Factors;
    /// Without carries: once, of two that have been carried.
    fn plus(self, other: Self) -> Self;
    fn times(self, by: &Self::Factors) -> Self;
    /// The sum of two products.
    fn times_both(self, by: &Self::Factors, other: Self, other_by: &Self::Factors) -> Self;
    /// Of all lanes.
    fn sum(self) -> Number;
}

/// Words of as many powers of r as there are lanes, in limbs.
pub(crate) const KEPT: usize = 24;

/// Powers of r that are kept from one chunk of a message to the next, once there were blocks enough.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    /// r^(L − i) in the lane that takes block i.
    words: [u64; KEPT],
    made: bool,
    /// Blocks so far, until the powers are made.
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

    /// Whether lanes are better for so many blocks more, which may need powers that are made then.
    #[cfg(feature = "chacha20-poly1305")]
    #[inline(always)]
    pub(super) fn pays<F: PolyLanes<L>, const L: usize>(&mut self, blocks: usize) -> bool {
        self.seen = self.seen.saturating_add(blocks);
        blocks >= 2 * L && (self.made || self.seen >= F::ENOUGH)
    }
}

/// So many blocks are worth another power, by which two groups go at a time.
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
        // Twice as many powers each time, of which the first lane has the highest, and at last one that is for two groups.
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
        // By L blocks, by two times as many, and each lane by its power.
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
                // LLVM would make part of what is kept anew each time.
                let [step, two_steps, _] = unseen(&*by);
                let (even, odd) = (F::of_blocks(cpu, even), F::of_blocks(cpu, odd));
                // What waits for nothing comes first.
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

/// [`PolyLanes::MORE`], of lanes that take those of `L` blocks; the first one takes the first.
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
