//! GHASH (SP 800-38D, section 6.4) with PMULL.
//!
//! Blocks are kept byte-reversed and the key multiplied by x, so that products need no bit
//! reflection: a·b·x^-128 modulo x^128 + x^127 + x^126 + x^121 + 1, as RFC 8452 defines POLYVAL.

use core::arch::aarch64::*;

use crate::{
    aes::Block,
    simd::{aarch64 as simd, load_short},
};

/// Blocks that are reduced at once.
pub(super) const GROUP: usize = 8;

/// H^8 … H^1.
pub(super) type Powers = [Block; GROUP];

/// The powers of the hash key H = E(0).
#[inline]
#[target_feature(enable = "aes,neon")]
pub(super) fn powers(h: &Block) -> Powers {
    let mut powers = [[0; 16]; GROUP];
    powers[GROUP - 1] = times_x(u128::from_be_bytes(*h)).to_le_bytes();
    let zero = vdupq_n_u8(0);
    for i in (0..GROUP - 1).rev() {
        let power = absorb_group(simd::load_u8x16(&powers[i + 1]), &[zero], &powers);
        simd::store_u8x16(&mut powers[i], power);
    }
    powers
}

/// The hash after up to [`GROUP`] more blocks, byte-reversed: y·H^n + x_1·H^n + … + x_n·H.
#[inline]
#[target_feature(enable = "aes,neon")]
pub(super) fn absorb_group(y: uint8x16_t, blocks: &[uint8x16_t], powers: &Powers) -> uint8x16_t {
    let (mut sum, mut y) = (Sum::zero(), y);
    for (&x, power) in blocks.iter().zip(&powers[GROUP - blocks.len()..]) {
        sum.add(veorq_u8(x, y), simd::load_u8x16(power));
        y = vdupq_n_u8(0);
    }
    sum.reduce()
}

/// The hash after data that ends on a block or is filled up with zeros.
#[inline]
#[target_feature(enable = "aes,neon")]
pub(super) fn absorb_data(mut y: uint8x16_t, data: &[u8], powers: &Powers) -> uint8x16_t {
    for group in data.chunks(16 * GROUP) {
        let mut blocks = [vdupq_n_u8(0); GROUP];
        let mut count = 0;
        let (whole, rest) = group.as_chunks();
        for block in whole {
            blocks[count] = reverse(simd::load_u8x16(block));
            count += 1;
        }
        if !rest.is_empty() {
            blocks[count] = reverse(simd::load_u8x16(&load_short(rest).to_le_bytes()));
            count += 1;
        }
        y = absorb_group(y, &blocks[..count], powers);
    }
    y
}

/// Reverses the bytes.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn reverse(x: uint8x16_t) -> uint8x16_t {
    let halves = vrev64q_u8(x);
    vextq_u8::<8>(halves, halves)
}

/// A sum of products, not reduced: parts at x^0, x^64 and x^128.
struct Sum {
    low: uint8x16_t,
    middle: uint8x16_t,
    high: uint8x16_t,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "neon")]
    fn zero() -> Self {
        let zero = vdupq_n_u8(0);
        Self { low: zero, middle: zero, high: zero }
    }

    /// Adds a·b.
    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn add(&mut self, a: uint8x16_t, b: uint8x16_t) {
        let swapped = vextq_u8::<8>(b, b);
        self.low = veorq_u8(self.low, product_low(a, b));
        self.high = veorq_u8(self.high, product_high(a, b));
        let cross = veorq_u8(product_low(a, swapped), product_high(a, swapped));
        self.middle = veorq_u8(self.middle, cross);
    }

    /// Divides by x^128: two folds of 64 bits, and the middle part joins where the first lands.
    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn reduce(self) -> uint8x16_t {
        let poly = vreinterpretq_u8_u64(vdupq_n_u64(0xc200_0000_0000_0000));
        let fold = |x, onto| veorq_u8(veorq_u8(onto, vextq_u8::<8>(x, x)), product_low(x, poly));
        fold(fold(self.low, self.middle), self.high)
    }
}

/// The product of the low halves.
#[inline]
#[target_feature(enable = "aes,neon")]
fn product_low(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let low = |x| vgetq_lane_u64::<0>(vreinterpretq_u64_u8(x));
    vreinterpretq_u8_p128(vmull_p64(low(a), low(b)))
}

/// The product of the high halves.
#[inline]
#[target_feature(enable = "aes,neon")]
fn product_high(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_p128(vmull_high_p64(vreinterpretq_p64_u8(a), vreinterpretq_p64_u8(b)))
}

/// The product by x, in constant time.
fn times_x(v: u128) -> u128 {
    const POLY: u128 = 0xc200_0000_0000_0000_0000_0000_0000_0001;
    let carry = (v >> 127).wrapping_neg();
    v << 1 ^ carry & POLY
}
