//! The state of Poly1305, and its arithmetic in words of 64 bits: nothing is faster for a few blocks.

use super::{Block, KEY_LEN};
use crate::core::block::load_short;

/// A number below 2^131 in words of 64 bits, the lowest first: two words, and the few bits above them.
pub(crate) type Number = [u64; 3];

/// r, s and the accumulator of section 2.5.1.
#[derive(Clone, Copy)]
pub(crate) struct State {
    /// Clamped: below 2^124, and the high word is a multiple of four.
    pub(crate) r: [u64; 2],
    pub(super) s: u128,
    pub(crate) h: Number,
}

impl State {
    #[inline(always)]
    pub(crate) fn new(key: &[u8; KEY_LEN]) -> Self {
        let [r, s] = key.as_chunks().0 else { unreachable!("two halves") };
        Self::from_numbers(u128::from_le_bytes(*r), u128::from_le_bytes(*s))
    }

    /// From r, which is not yet clamped, and s.
    #[inline(always)]
    pub(crate) fn from_numbers(r: u128, s: u128) -> Self {
        let r = r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        Self { r: [r as u64, (r >> 64) as u64], s, h: [0; 3] }
    }

    /// Absorbs whole blocks.
    #[inline(always)]
    pub(crate) fn absorb<C: Carries>(&mut self, blocks: &[Block]) {
        self.h = absorb::<C>(self.h, self.r, blocks);
    }

    /// Absorbs one block.
    #[inline(always)]
    pub(crate) fn absorb_number<C: Carries>(&mut self, block: u128) {
        self.h = times::<C>(plus(self.h, block, 1), self.r);
    }

    /// Absorbs the rest of a message, less than a block; a one follows it.
    #[inline(always)]
    pub(crate) fn absorb_last<C: Carries>(&mut self, rest: &[u8]) {
        if !rest.is_empty() {
            let block = load_short(rest) | 1 << ((8 * rest.len()) & 127);
            self.h = times::<C>(plus(self.h, block, 0), self.r);
        }
    }

    /// Absorbs blocks; the last one is padded with zeros.
    #[inline(always)]
    pub(crate) fn absorb_filled<C: Carries>(&mut self, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        self.absorb::<C>(blocks);
        if !rest.is_empty() {
            self.absorb_number::<C>(load_short(rest));
        }
    }

    /// The same for many blocks, out of line.
    #[inline(never)]
    pub(crate) fn absorb_many<C: Carries>(&mut self, data: &[u8]) {
        self.absorb_filled::<C>(data);
    }

    /// The tag after another block, out of line.
    #[inline(never)]
    pub(crate) fn tag_after<C: Carries>(&mut self, block: u128) -> Block {
        self.absorb_number::<C>(block);
        self.tag::<C>()
    }

    /// The accumulator modulo 2^130 − 5, plus s.
    #[inline(always)]
    pub(crate) fn tag<C: Carries>(&self) -> Block {
        C::tag(self.h, self.s).to_le_bytes()
    }
}

/// The accumulator after whole blocks.
#[inline(always)]
pub(crate) fn absorb<C: Carries>(h: Number, r: [u64; 2], blocks: &[Block]) -> Number {
    let Some((first, more)) = blocks.split_first() else { return h };
    let mut h = plus(h, u128::from_le_bytes(*first), 1);
    for block in more {
        h = times_plus::<C>(h, r, u128::from_le_bytes(*block));
    }
    times::<C>(h, r)
}

/// The sum with a block, with `top` above it.
#[inline(always)]
pub(super) fn plus([h0, h1, h2]: Number, block: u128, top: u64) -> Number {
    let (low, carry) = (u128::from(h1) << 64 | u128::from(h0)).overflowing_add(block);
    [low as u64, (low >> 64) as u64, h2 + top + u64::from(carry)]
}

/// The product modulo 2^130 − 5, slightly more than 2^130 at most, of a number whose highest word is below eight and a clamped
/// one.
#[inline(always)]
pub(crate) fn times<C: Carries>(h: Number, r: [u64; 2]) -> Number {
    C::sum(Product::of(h, r))
}

/// The same, plus a block with a one above it; the highest word is below eight again.
#[inline(always)]
pub(super) fn times_plus<C: Carries>(h: Number, r: [u64; 2], block: u128) -> Number {
    C::sum_with(Product::of(h, r), block)
}

/// A product modulo 2^130 − 5, in parts.
pub(crate) struct Product {
    pub(crate) words: Number,
    /// Two more words with weight 2^64.
    pub(crate) middle: [u64; 2],
    /// A word with weight one: five for each 2^130.
    pub(crate) fives: u64,
}

impl Product {
    #[inline(always)]
    fn of([h0, h1, h2]: Number, [r0, r1]: [u64; 2]) -> Self {
        let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
        // 2^128 r1 is 2^130 r1 / 4.
        let s1 = r1 + (r1 >> 2);
        let low = wide(h0, r0) + wide(h1, s1);
        let (a, b) = (wide(h0, r1), wide(h1, r0));
        // As r0 and r1 are below 2^60, neither of these overflows. The part above 2^128 lacks the carries from the middle: they
        // are small, and off the critical path.
        let middle = (low >> 64) as u64 + h2 * s1;
        let high = h2 * r0 + (a >> 64) as u64 + (b >> 64) as u64;
        Self {
            words: [low as u64, middle, high & 3],
            middle: [a as u64, b as u64],
            fives: (high >> 2) + (high & !3),
        }
    }
}

/// Sums of words with carries.
pub(crate) trait Carries: Copy {
    fn sum(product: Product) -> Number;

    /// The same, plus a block with a one above it.
    fn sum_with(product: Product, block: u128) -> Number;

    /// A number below twice 2^130 − 5, reduced, plus s, modulo 2^128.
    fn tag(h: Number, s: u128) -> u128;
}

/// The implementation in Rust.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Carries for Plain {
    #[inline(always)]
    fn sum(Product { words: [d0, d1, d2], middle: [a, b], fives }: Product) -> Number {
        let middle = u128::from(d1) + u128::from(a) + u128::from(b);
        plus([d0, middle as u64, d2 + (middle >> 64) as u64], fives.into(), 0)
    }

    #[inline(always)]
    fn sum_with(product: Product, block: u128) -> Number {
        plus(Self::sum(product), block, 1)
    }

    #[inline(always)]
    fn tag([h0, h1, h2]: Number, s: u128) -> u128 {
        let h = u128::from(h1) << 64 | u128::from(h0);
        // It is at least 2^130 − 5 if adding five sets bit 130: then the sum is the remainder.
        let (more, carry) = h.overflowing_add(5);
        let above = (h2 + u64::from(carry)) >> 2;
        let mask = 0_u128.wrapping_sub(above.into());
        (h ^ (h ^ more) & mask).wrapping_add(s)
    }
}

/// The same number modulo 2^130 − 5: all bits of the highest word but two are folded onto the lowest.
#[cfg(any(target_arch = "x86_64", target_arch = "arm"))]
#[inline(always)]
pub(crate) fn fold([h0, h1, h2]: Number) -> Number {
    plus([h0, h1, h2 & 3], ((h2 >> 2) + (h2 & !3)).into(), 0)
}
