//! GHASH (SP 800-38D, section 6.4) on 128 bits.
//!
//! Blocks are kept byte-reversed and the key multiplied by x, so that products need no bit
//! reflection: a·b·x^-128 modulo x^128 + x^127 + x^126 + x^121 + 1, as RFC 8452 defines POLYVAL.

use core::arch::x86_64::*;

use crate::{aes::Block, simd::x86_64 as simd};

/// Blocks that are reduced at once.
pub(super) const GROUP: usize = 8;

/// H^8 … H^1.
pub(super) type Powers = [Block; GROUP];

/// The powers of the hash key H = E(0).
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
pub(super) fn powers(h: __m128i) -> Powers {
    let h = times_x(reverse(h));
    let (mut powers, mut power) = ([[0; 16]; GROUP], h);
    for place in powers.iter_mut().rev() {
        simd::store_128(place, power);
        power = product(power, h);
    }
    powers
}

/// The hash after up to [`GROUP`] more blocks, byte-reversed: y·H^n + x_1·H^n + … + x_n·H.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(super) fn absorb_group(y: __m128i, blocks: &[__m128i], powers: &Powers) -> __m128i {
    let (mut sum, mut y) = (Sum::zero(), y);
    for (&x, power) in blocks.iter().zip(&powers[GROUP - blocks.len()..]) {
        sum.add(_mm_xor_si128(x, y), simd::load_128(power));
        y = _mm_setzero_si128();
    }
    sum.reduce()
}

/// The product of two powers.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(super) fn product(a: __m128i, b: __m128i) -> __m128i {
    let mut sum = Sum::zero();
    sum.add(a, b);
    sum.reduce()
}

/// The hash after data that ends on a block or is filled up with zeros.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
pub(super) fn absorb_data(mut y: __m128i, data: &[u8], powers: &Powers) -> __m128i {
    for group in data.chunks(16 * GROUP) {
        let mut blocks = [_mm_setzero_si128(); GROUP];
        let mut count = 0;
        let (whole, rest) = group.as_chunks();
        for block in whole {
            blocks[count] = reverse(simd::load_128(block));
            count += 1;
        }
        if !rest.is_empty() {
            blocks[count] = reverse(simd::from_u128(crate::simd::load_short(rest)));
            count += 1;
        }
        y = absorb_group(y, &blocks[..count], powers);
    }
    y
}

/// Reverses the bytes.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn reverse(x: __m128i) -> __m128i {
    _mm_shuffle_epi8(x, _mm_set_epi64x(0x00010203_04050607, 0x08090a0b_0c0d0e0f))
}

/// A sum of products, not reduced: parts at x^0, x^64 and x^128.
struct Sum {
    low: __m128i,
    middle: __m128i,
    high: __m128i,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "sse2")]
    fn zero() -> Self {
        let zero = _mm_setzero_si128();
        Self { low: zero, middle: zero, high: zero }
    }

    /// Adds a·b.
    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    fn add(&mut self, a: __m128i, b: __m128i) {
        let cross =
            _mm_xor_si128(_mm_clmulepi64_si128::<0x01>(a, b), _mm_clmulepi64_si128::<0x10>(a, b));
        self.low = _mm_xor_si128(self.low, _mm_clmulepi64_si128::<0x00>(a, b));
        self.high = _mm_xor_si128(self.high, _mm_clmulepi64_si128::<0x11>(a, b));
        self.middle = _mm_xor_si128(self.middle, cross);
    }

    /// Divides by x^128: two folds of 64 bits, and the middle part joins where the first lands.
    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    fn reduce(self) -> __m128i {
        let poly = _mm_set1_epi64x(0xc200_0000_0000_0000_u64.cast_signed());
        let fold = |x, onto| {
            let swapped = _mm_shuffle_epi32::<0b01_00_11_10>(x);
            _mm_xor_si128(_mm_xor_si128(onto, swapped), _mm_clmulepi64_si128::<0x00>(x, poly))
        };
        fold(fold(self.low, self.middle), self.high)
    }
}

/// The product by x, in constant time.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn times_x(v: __m128i) -> __m128i {
    let poly = _mm_set_epi64x(0xc200_0000_0000_0000_u64.cast_signed(), 1);
    let carry = _mm_srai_epi32::<31>(_mm_shuffle_epi32::<0b11_11_11_11>(v));
    let across = _mm_slli_si128::<8>(_mm_srli_epi64::<63>(v));
    let doubled = _mm_or_si128(_mm_add_epi64(v, v), across);
    _mm_xor_si128(doubled, _mm_and_si128(carry, poly))
}
