//! GHASH (SP 800-38D, 6.4) on four lanes of 128 bits.
//!
//! Blocks are kept byte-reversed and the key multiplied by x, so that products need no bit
//! reflection: a·b·x^-128 modulo x^128 + x^127 + x^126 + x^121 + 1, as RFC 8452 defines POLYVAL.

use core::arch::x86_64::*;

use crate::core::{
    opaque::unknown,
    simd::x86_64::{self as simd, ternary_512},
};

/// A sum of products, not reduced: 128-bit parts at x^0, x^64 and x^128, in each lane.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    low: __m512i,
    middle: __m512i,
    high: __m512i,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn zero() -> Self {
        let zero = _mm512_setzero_si512();
        Self { low: zero, middle: zero, high: zero }
    }

    /// From its parts.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn of([low, middle, high]: [__m512i; 3]) -> Self {
        Self { low, middle, high }
    }

    /// Adds a·b in each lane.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(super) fn add(&mut self, a: __m512i, b: __m512i) {
        let cross = _mm512_xor_si512(
            _mm512_clmulepi64_epi128::<0x01>(a, b),
            _mm512_clmulepi64_epi128::<0x10>(a, b),
        );
        self.low = _mm512_xor_si512(self.low, _mm512_clmulepi64_epi128::<0x00>(a, b));
        self.high = _mm512_xor_si512(self.high, _mm512_clmulepi64_epi128::<0x11>(a, b));
        self.middle = _mm512_xor_si512(self.middle, cross);
    }

    /// Adds a·b + c·d in each lane: one ternary instruction sums two products.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(super) fn add2(&mut self, [a, c]: [__m512i; 2], [b, d]: [__m512i; 2]) {
        let m = _mm512_clmulepi64_epi128::<0x01>(a, b);
        self.middle = xor3(self.middle, m, _mm512_clmulepi64_epi128::<0x10>(a, b));
        let (l, h) =
            (_mm512_clmulepi64_epi128::<0x00>(a, b), _mm512_clmulepi64_epi128::<0x11>(a, b));
        let m = _mm512_clmulepi64_epi128::<0x01>(c, d);
        self.middle = xor3(self.middle, m, _mm512_clmulepi64_epi128::<0x10>(c, d));
        self.low = xor3(self.low, l, _mm512_clmulepi64_epi128::<0x00>(c, d));
        self.high = xor3(self.high, h, _mm512_clmulepi64_epi128::<0x11>(c, d));
    }

    /// Divides by x^128: two folds of 64 bits. The middle part is added in between, where the first fold lands.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(super) fn reduce(self) -> __m512i {
        fold(fold(self.low, self.middle), self.high)
    }
}

/// A sum of products, each with three instructions instead of four (Karatsuba). It takes two vectors at a time: the middle
/// factors, the sums of halves of blocks, then fill one vector. So three vectors are reversed for six products, which is nine
/// instructions on port 5 instead of ten.
pub(super) struct Pairs {
    low: __m512i,
    middle: __m512i,
    high: __m512i,
}

impl Pairs {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn zero() -> Self {
        let zero = _mm512_setzero_si512();
        Self { low: zero, middle: zero, high: zero }
    }

    /// Adds the products of blocks, which are not yet reversed, and powers, given the sums of their halves.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
    pub(super) fn add(&mut self, data: &[u8; 128], powers: &[u8; 128], powers_halves: __m512i) {
        // Byte reversal has also swapped the halves.
        let (x, y) = (reverse(halves_added(data)), powers_halves);
        let m = _mm512_clmulepi64_epi128::<0x01>(x, y);
        self.middle = xor3(self.middle, m, _mm512_clmulepi64_epi128::<0x10>(x, y));

        let ([a, c], [b, d]) = (two(data), two(powers));
        let (a, c) = (reverse(a), reverse(c));
        let l = _mm512_clmulepi64_epi128::<0x00>(a, b);
        self.low = xor3(self.low, l, _mm512_clmulepi64_epi128::<0x00>(c, d));
        let h = _mm512_clmulepi64_epi128::<0x11>(a, b);
        self.high = xor3(self.high, h, _mm512_clmulepi64_epi128::<0x11>(c, d));
    }

    /// Continues a sum.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn after(sum: Sum) -> Self {
        let Sum { low, middle, high } = sum;
        Self { low, middle: xor3(low, middle, high), high }
    }

    /// Adds a·b + c·d in each lane, of reversed blocks in registers. Where a product takes two cycles, and four shuffles within 128
    /// bits start in one, shuffles align the halves, of powers too.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(super) fn add2(&mut self, [a, c]: [__m512i; 2], [b, d]: [__m512i; 2]) {
        let halves =
            |a, c| _mm512_xor_si512(_mm512_unpacklo_epi64(a, c), _mm512_unpackhi_epi64(a, c));
        let (x, y) = (halves(a, c), halves(b, d));
        let m = _mm512_clmulepi64_epi128::<0x00>(x, y);
        self.middle = xor3(self.middle, m, _mm512_clmulepi64_epi128::<0x11>(x, y));
        let l = _mm512_clmulepi64_epi128::<0x00>(a, b);
        self.low = xor3(self.low, l, _mm512_clmulepi64_epi128::<0x00>(c, d));
        let h = _mm512_clmulepi64_epi128::<0x11>(a, b);
        self.high = xor3(self.high, h, _mm512_clmulepi64_epi128::<0x11>(c, d));
    }

    /// Makes the compiler add later products after earlier ones.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn keep_order(&mut self) {
        simd::keep_order_512(&mut self.low);
        simd::keep_order_512(&mut self.middle);
        simd::keep_order_512(&mut self.high);
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn sum(self) -> Sum {
        let Self { low, middle, high } = self;
        Sum { low, middle: xor3(low, middle, high), high }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn two(bytes: &[u8; 128]) -> [__m512i; 2] {
    let [first, second] = bytes.as_chunks().0 else { unreachable!("twice 64") };
    [simd::load_512(first), simd::load_512(second)]
}

/// Both halves of each block, added: the lower halves of lanes are those of the first vector, the upper ones those of the second.
/// Loads align the halves, where shuffles would compete for port 5; the load of the second vector never crosses a cache line.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn halves_added(bytes: &[u8; 128]) -> __m512i {
    let [first, second] = two(bytes);
    let [.., upper] = bytes.as_chunks::<64>().0 else { unreachable!("twice 64") };
    let after = bytes[8..].first_chunk().unwrap_or_else(|| unreachable!("64 more"));
    let lower = _mm512_xor_si512(first, simd::load_512(after));
    let mut both =
        _mm512_mask_xor_epi64(lower, 0b1010_1010, second, simd::load_lower_halves_512(upper));
    // LLVM would move shuffles of this before the sums, where there are more of them.
    simd::keep_order_512(&mut both);
    both
}

/// Divides by x^64, and adds `onto`.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn fold(x: __m512i, onto: __m512i) -> __m512i {
    let poly = _mm512_set1_epi64(0xc200_0000_0000_0000_u64.cast_signed());
    let swapped = _mm512_shuffle_epi32::<0b01_00_11_10>(x);
    xor3(onto, swapped, _mm512_clmulepi64_epi128::<0x00>(x, poly))
}

/// a·b in each lane.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
pub(super) fn mul(a: __m512i, b: __m512i) -> __m512i {
    let mut sum = Sum::zero();
    sum.add(a, b);
    sum.reduce()
}

/// a·a in each lane: the two cross products are equal and cancel.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn square(a: __m512i) -> __m512i {
    Sum {
        low: _mm512_clmulepi64_epi128::<0x00>(a, a),
        middle: _mm512_setzero_si512(),
        high: _mm512_clmulepi64_epi128::<0x11>(a, a),
    }
    .reduce()
}

/// The sum of the lanes.
#[inline]
#[target_feature(enable = "avx512f,avx2")]
pub(super) fn fold_lanes(x: __m512i) -> __m128i {
    let y = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
    _mm_xor_si128(_mm256_castsi256_si128(y), _mm256_extracti128_si256::<1>(y))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    ternary_512::<0x96>(a, b, c)
}

/// Reverses the bytes of each lane.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn reverse(x: __m512i) -> __m512i {
    _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(simd::reversal()))
}

/// A factor of many products: b, and b·x^-64 for their low halves. The products of both halves then begin at the same power, and
/// one fold replaces two: six instructions on port 5 instead of eight.
struct Factor {
    b: __m512i,
    shifted: __m512i,
}

impl Factor {
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    fn new(b: __m512i) -> Self {
        Self { b, shifted: fold(b, _mm512_setzero_si512()) }
    }

    /// a·b in each lane.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    fn times(&self, a: __m512i) -> __m512i {
        let low = _mm512_xor_si512(
            _mm512_clmulepi64_epi128::<0x00>(a, self.shifted),
            _mm512_clmulepi64_epi128::<0x01>(a, self.b),
        );
        let high = _mm512_xor_si512(
            _mm512_clmulepi64_epi128::<0x10>(a, self.shifted),
            _mm512_clmulepi64_epi128::<0x11>(a, self.b),
        );
        fold(low, high)
    }
}

/// The powers of the hash key H = E(0), for byte-reversed blocks, in groups of four: the highest come first, so that consecutive
/// blocks meet consecutive powers, and the last are H^4 to H^1.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq,pclmulqdq")]
pub(super) fn powers(h: __m128i, places: &mut [[u8; 64]]) {
    let h = times_x(_mm_shuffle_epi8(h, simd::reversal()));

    // Powers of two are squares, each in every lane, and depend on nothing else; the others depend on them.
    let h1 = _mm512_broadcast_i32x4(h);
    let h2 = square(h1);
    let h4 = square(h2);
    let h8 = Factor::new(square(h4));
    let h2121 = _mm512_mask_blend_epi64(0b1100_1100, h2, h1);
    let h4343 = mul(h2121, h2);
    let first = _mm512_mask_blend_epi64(0xf0, h4343, h2121);
    // Two chains: a product has a latency of 8 cycles, and two keep port 5 busy for 12.
    let mut fours = [first, Factor::new(h4).times(first)];
    let mut left = places.len();
    while let Some(place) = places.get_mut(left.wrapping_sub(1)) {
        let [next, after] = fours;
        simd::store_512(place, next);
        fours = [after, h8.times(next)];
        // Opaque to LLVM, so that the loop is not unrolled.
        left = unknown(left as u64 - 1) as usize;
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
