//! Poly1305 of many blocks, written once for vectors of numbers: lane i takes every L-th block from the
//! i-th on.
//!
//! A lane is multiplied by r^L from block to block, and by what is left of its power at the end, so that
//! the sum of all lanes is the accumulator.

use super::{
    Block, Carried,
    state::{self, Number},
};
#[cfg(feature = "chacha20-poly1305")]
use crate::secret::Wiped;
use crate::simd::{each, unseen};

/// `L` numbers modulo 2^130 − 5, in limbs.
pub(crate) trait Lanes<const L: usize>: Copy {
    type Cpu: Copy;
    /// What lanes are multiplied by.
    type Factors: Copy;
    /// Which of `L` blocks each lane takes; the first one takes the first.
    const ORDER: [usize; L];
    /// So many blocks are worth their powers.
    const ENOUGH: usize;

    /// [`absorb`], with the features of the lanes: it is not inlined wherever it is called.
    fn absorb(
        cpu: Self::Cpu,
        powers: &mut Option<Powers<Self, L>>,
        h: &mut Number,
        r: [u64; 2],
        blocks: &[Block],
    );

    /// [`absorb_few`], likewise.
    fn absorb_few(cpu: Self::Cpu, h: &mut Number, r: [u64; 2], blocks: &[Block]);

    /// [`absorb_piece`], likewise.
    #[cfg(feature = "chacha20-poly1305")]
    fn absorb_piece(cpu: Self::Cpu, kept: &mut Kept, h: &mut Number, r: [u64; 2], blocks: &[Block]);

    /// Limbs, lane after lane, to words that are kept, and back.
    #[cfg(feature = "chacha20-poly1305")]
    fn keep(cpu: Self::Cpu, factors: &Self::Factors, words: &mut [u64; KEPT]);
    #[cfg(feature = "chacha20-poly1305")]
    fn of_kept(cpu: Self::Cpu, words: &[u64; KEPT]) -> Self;
    /// The first lane in all.
    #[cfg(feature = "chacha20-poly1305")]
    fn first(self) -> Self;

    /// The blocks, with a one above each.
    fn of_blocks(cpu: Self::Cpu, blocks: &[Block; L]) -> Self;
    /// One number in all lanes.
    fn splat(cpu: Self::Cpu, number: Number) -> Self;
    /// Some lanes of the other instead.
    fn or(self, other: Self, lanes: [bool; L]) -> Self;
    /// Nothing but one number in the first lane.
    fn of_number(cpu: Self::Cpu, number: Number) -> Self;
    /// r^L in all lanes, from half as much in all, or from all powers, of which the first lane has it.
    #[inline(always)]
    fn step(half: Self, by: &Self::Factors, _: Self) -> Self {
        half.times(by)
    }
    fn factors(self) -> Self::Factors;
    /// Without carries: once, of two that have been carried.
    fn plus(self, other: Self) -> Self;
    fn times(self, by: &Self::Factors) -> Self;
    /// The sum of two products.
    fn times_both(self, by: &Self::Factors, other: Self, other_by: &Self::Factors) -> Self;
    /// Of all lanes.
    fn sum(self) -> Number;
}

/// Powers of r.
#[derive(Clone, Copy)]
pub(crate) struct Powers<F: Lanes<L>, const L: usize> {
    /// r^L in all lanes.
    step: F::Factors,
    /// r^2L in all lanes.
    two_steps: F::Factors,
    /// r^(L − i) in the lane that takes block i.
    last: F::Factors,
}

/// Absorbs whole blocks, at least as many as there are lanes.
#[inline(always)]
pub(super) fn absorb<F: Lanes<L>, const L: usize>(
    cpu: F::Cpu,
    powers: &mut Option<Powers<F, L>>,
    h: &mut Number,
    r: [u64; 2],
    blocks: &[Block],
) {
    if powers.is_none() {
        *powers = Some(Powers::of(cpu, r));
    }
    let (groups, rest) = blocks.as_chunks::<L>();
    if let (Some(powers), [first, more @ ..]) = (powers, groups) {
        *h = powers.absorb(cpu, *h, first, more);
    }
    *h = state::absorb::<Carried>(*h, r, rest);
}

/// The same where there are not many, and no more to come.
#[inline(always)]
pub(super) fn absorb_few<F: Lanes<L>, const L: usize>(
    cpu: F::Cpu,
    h: &mut Number,
    r: [u64; 2],
    blocks: &[Block],
) {
    let (groups, rest) = blocks.as_chunks::<L>();
    if let [first, more @ ..] = groups {
        let (step, last) = powers::<F, L>(cpu, r);
        let step = step.factors();
        let mut lanes = F::of_blocks(cpu, first).plus(F::of_number(cpu, *h));
        for group in more {
            lanes = lanes.times(&step).plus(F::of_blocks(cpu, group));
        }
        *h = lanes.times(&last.factors()).sum();
    }
    *h = state::absorb::<Carried>(*h, r, rest);
}

/// Words of as many powers of r as there are lanes, in limbs.
#[cfg(feature = "chacha20-poly1305")]
pub(crate) const KEPT: usize = 24;

/// Powers of r that are kept from one piece of a message to the next, once there were blocks enough.
#[cfg(feature = "chacha20-poly1305")]
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    /// r^(L − i) in the lane that takes block i.
    words: [u64; KEPT],
    /// Blocks so far, until the powers are made.
    seen: usize,
    made: bool,
}

#[cfg(feature = "chacha20-poly1305")]
impl Kept {
    pub(crate) const NOTHING: Self = Self { words: [0; KEPT], seen: 0, made: false };

    /// Whether lanes are better for so many blocks more, which may need powers that are made then.
    #[inline(always)]
    pub(super) fn pays<F: Lanes<L>, const L: usize>(&mut self, blocks: usize) -> bool {
        self.seen = self.seen.saturating_add(blocks);
        blocks >= 2 * L && (self.made || self.seen >= F::ENOUGH)
    }
}

/// The same of a piece of a message.
#[cfg(feature = "chacha20-poly1305")]
#[inline(always)]
pub(super) fn absorb_piece<F: Lanes<L>, const L: usize>(
    cpu: F::Cpu,
    kept: &mut Kept,
    h: &mut Number,
    r: [u64; 2],
    blocks: &[Block],
) {
    if !kept.made {
        // As of a whole message, which makes the powers.
        let mut powers = Wiped::new(None);
        F::absorb(cpu, &mut powers, h, r, blocks);
        if let Some(powers) = &*powers {
            F::keep(cpu, &powers.last, &mut kept.words);
            kept.made = true;
        }
        return;
    }
    let last = F::of_kept(cpu, &kept.words);
    let one = last.first();
    let (step, last) = (one.factors(), last.factors());
    if blocks.len() >= MANY + L {
        let two_steps = one.times(&step).factors();
        return F::absorb(
            cpu,
            &mut Wiped::new(Some(Powers { step, two_steps, last })),
            h,
            r,
            blocks,
        );
    }
    let (groups, rest) = blocks.as_chunks::<L>();
    if let [first, more @ ..] = groups {
        let mut lanes = F::of_blocks(cpu, first).plus(F::of_number(cpu, *h));
        for group in more {
            lanes = lanes.times(&step).plus(F::of_blocks(cpu, group));
        }
        *h = lanes.times(&last).sum();
    }
    *h = state::absorb::<Carried>(*h, r, rest);
}

/// So many blocks are worth another power, by which two groups go at a time.
pub(super) const MANY: usize = 64;

/// r^L in all lanes, and r^(L − i) in the lane that takes block i.
#[inline(always)]
fn powers<F: Lanes<L>, const L: usize>(cpu: F::Cpu, [r0, r1]: [u64; 2]) -> (F, F) {
    let mut step = F::splat(cpu, [r0, r1, 0]);
    let mut last = step;
    // Twice as many powers each time.
    unroll!(have in 1 2 4 => if have < L {
        let by = step.factors();
        last = last.or(last.times(&by), each(|lane| (L - 1 - F::ORDER[lane]) & have != 0));
        step = if 2 * have < L { step.times(&by) } else { F::step(step, &by, last) };
    });
    (step, last)
}

impl<F: Lanes<L>, const L: usize> Powers<F, L> {
    #[inline(always)]
    fn of(cpu: F::Cpu, r: [u64; 2]) -> Self {
        let (step, last) = powers::<F, L>(cpu, r);
        let by = step.factors();
        Self { step: by, two_steps: step.times(&by).factors(), last: last.factors() }
    }

    /// The accumulator after those blocks.
    #[inline(always)]
    fn absorb(&self, cpu: F::Cpu, h: Number, first: &[Block; L], more: &[[Block; L]]) -> Number {
        let mut lanes = F::of_blocks(cpu, first).plus(F::of_number(cpu, h));
        let (pairs, odd) = more.as_chunks();
        for [even, odd] in pairs {
            // LLVM would make part of what is kept anew each time.
            let Self { step, two_steps, .. } = unseen(self);
            let (even, odd) = (F::of_blocks(cpu, even), F::of_blocks(cpu, odd));
            // What waits for nothing comes first.
            lanes = even.times_both(step, lanes, two_steps).plus(odd);
        }
        if let [odd] = odd {
            lanes = lanes.times(&self.step).plus(F::of_blocks(cpu, odd));
        }
        lanes.times(&self.last).sum()
    }
}
