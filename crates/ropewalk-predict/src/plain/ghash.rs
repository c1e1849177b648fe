//! GHASH (NIST SP 800-38D, section 6.4), a product and a reduction for each block.
//!
//! With the bits of each byte reversed, a block is a polynomial in the instructions' format.

use core::arch::aarch64::*;

pub(super) struct Hash {
    key: [u64; 2],
    sum: uint8x16_t,
}

impl Hash {
    #[inline]
    #[target_feature(enable = "aes")]
    pub(super) fn new(key: uint8x16_t) -> Self {
        Self { key: halves(vrbitq_u8(key)), sum: vdupq_n_u8(0) }
    }

    #[inline]
    #[target_feature(enable = "aes")]
    pub(super) fn add(&mut self, block: uint8x16_t) {
        let ([k0, k1], [x0, x1]) = (self.key, halves(veorq_u8(self.sum, vrbitq_u8(block))));
        let zero = vdupq_n_u8(0);
        let middle = veorq_u8(product(k0, x1), product(k1, x0));
        let low = veorq_u8(product(k0, x0), vextq_u8::<8>(zero, middle));
        let high = veorq_u8(product(k1, x1), vextq_u8::<8>(middle, zero));
        // x^128 is x^7 + x^2 + x + 1. The part above 192 first, since its product overlaps 128.
        let top = product(halves(high)[1], 0x87);
        let high = veorq_u8(high, vextq_u8::<8>(top, zero));
        let low = veorq_u8(low, vextq_u8::<8>(zero, top));
        self.sum = veorq_u8(low, product(halves(high)[0], 0x87));
    }

    #[inline]
    #[target_feature(enable = "aes")]
    pub(super) fn finish(self) -> uint8x16_t {
        vrbitq_u8(self.sum)
    }
}

#[inline]
#[target_feature(enable = "aes")]
fn product(a: u64, b: u64) -> uint8x16_t {
    vreinterpretq_u8_p128(vmull_p64(a, b))
}

#[inline]
#[target_feature(enable = "aes")]
fn halves(x: uint8x16_t) -> [u64; 2] {
    let x = vreinterpretq_u64_u8(x);
    [vgetq_lane_u64::<0>(x), vgetq_lane_u64::<1>(x)]
}
