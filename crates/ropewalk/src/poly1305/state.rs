//! What Poly1305 keeps of a message, and its arithmetic in words of 64 bits: for few blocks, nothing
//! is faster.

use super::{Block, KEY_LEN};
use crate::simd::load_short;

/// A number in words of 64 bits, the lowest first, that is less than 2^131: two words, and what
/// little is above them.
pub(crate) type Number = [u64; 3];

/// r, s and the accumulator of section 2.5.1.
#[derive(Clone, Copy)]
pub(crate) struct State {
    /// Clamped: below 2^124, and the high word is a multiple of four.
    pub(crate) r: [u64; 2],
    s: u128,
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
    pub(crate) fn absorb(&mut self, blocks: &[Block]) {
        self.h = absorb(self.h, self.r, blocks);
    }

    /// Absorbs one block.
    #[inline(always)]
    pub(crate) fn absorb_number(&mut self, block: u128) {
        self.h = step(self.h, self.r, block, 1);
    }

    /// Absorbs the rest of a message, less than a block; a one follows it.
    #[inline(always)]
    pub(crate) fn absorb_last(&mut self, rest: &[u8]) {
        if !rest.is_empty() {
            let block = load_short(rest) | 1 << ((8 * rest.len()) & 127);
            self.h = step(self.h, self.r, block, 0);
        }
    }

    /// Absorbs blocks, the last of which is filled up with zeros.
    #[inline(always)]
    pub(crate) fn absorb_filled(&mut self, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        self.absorb(blocks);
        if !rest.is_empty() {
            self.absorb_number(load_short(rest));
        }
    }

    /// The same of many, out of line.
    #[inline(never)]
    pub(crate) fn absorb_many(&mut self, data: &[u8]) {
        self.absorb_filled(data);
    }

    /// The accumulator modulo 2^130 − 5, and s.
    #[inline(always)]
    pub(crate) fn tag(&self) -> Block {
        let [h0, h1, h2] = self.h;
        let h = u128::from(h1) << 64 | u128::from(h0);
        // It is less than twice 2^130 − 5, and not less than once where five more have a bit 130: then
        // these are the remainder.
        let (more, carry) = h.overflowing_add(5);
        let above = (h2 + u64::from(carry)) >> 2;
        let mask = 0_u128.wrapping_sub(above.into());
        (h ^ (h ^ more) & mask).wrapping_add(self.s).to_le_bytes()
    }
}

/// The accumulator after whole blocks.
#[inline(always)]
pub(crate) fn absorb(mut h: Number, r: [u64; 2], blocks: &[Block]) -> Number {
    for block in blocks {
        h = step(h, r, u128::from_le_bytes(*block), 1);
    }
    h
}

/// The accumulator after a block, above which stands `top`.
#[inline(always)]
fn step([h0, h1, h2]: Number, r: [u64; 2], block: u128, top: u64) -> Number {
    let (low, carry) = (u128::from(h1) << 64 | u128::from(h0)).overflowing_add(block);
    times([low as u64, (low >> 64) as u64, h2 + top + u64::from(carry)], r)
}

/// The product modulo 2^130 − 5, less than 2^130 and some, of a number whose highest word is less than
/// eight and a clamped one.
#[inline(always)]
pub(crate) fn times([h0, h1, h2]: Number, [r0, r1]: [u64; 2]) -> Number {
    let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
    // 2^128 r1 is 2^130 r1 / 4.
    let s1 = r1 + (r1 >> 2);
    let low = wide(h0, r0) + wide(h1, s1);
    let middle = wide(h0, r1) + wide(h1, r0) + u128::from(h2 * s1) + (low >> 64);
    let high = h2 * r0 + (middle >> 64) as u64;
    fold([low as u64, middle as u64, high])
}

/// The same number modulo 2^130 − 5, where all but two bits of the highest word are folded onto the
/// lowest.
#[inline(always)]
pub(crate) fn fold([h0, h1, h2]: Number) -> Number {
    let low = u128::from(h1) << 64 | u128::from(h0);
    let (low, carry) = low.overflowing_add(((h2 >> 2) + (h2 & !3)).into());
    [low as u64, (low >> 64) as u64, (h2 & 3) + u64::from(carry)]
}
