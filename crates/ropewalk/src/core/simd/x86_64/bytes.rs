//! Blocks whose bytes are indices for vector permutes.

use core::arch::x86_64::*;

use super::{
    keep_order_128, keep_order_256, load_1x, load_2x, load_128, splat_2x, store_1x, store_2x,
};

bytes! {
    /// One block.
    U8x16(__m128i, 1) needs Ssse3 {
        xor: _mm_xor_si128, add_words: _mm_add_epi32, look_up: _mm_shuffle_epi8,
        shift_in: shift_in_128, low_nibbles: low_nibbles_128, high_nibbles: high_nibbles_128,
        splat: load_128, load: load_1x, store: store_1x, keep_order: keep_order_128,
    }
}

bytes! {
    /// A block, with the encodings of AVX.
    U8x16Avx(__m128i, 1) needs Avx2 {
        xor: _mm_xor_si128, add_words: _mm_add_epi32, look_up: _mm_shuffle_epi8,
        shift_in: shift_in_128, low_nibbles: low_nibbles_128, high_nibbles: high_nibbles_128,
        splat: load_128, load: load_1x, store: store_1x, keep_order: keep_order_128,
    }
}

bytes! {
    /// Two blocks.
    U8x32(__m256i, 2) needs Avx2 {
        xor: _mm256_xor_si256, add_words: _mm256_add_epi32, look_up: _mm256_shuffle_epi8,
        shift_in: shift_in_256, low_nibbles: low_nibbles_256, high_nibbles: high_nibbles_256,
        splat: splat_2x, load: load_2x, store: store_2x, keep_order: keep_order_256,
    }
}

impl U8x16Avx {
    /// As the first of two blocks.
    #[inline(always)]
    pub(crate) fn widen(self) -> U8x32 {
        let Self(v, cpu) = self;
        U8x32(
            proven!(Avx2: cpu, fn enter(v: __m128i) -> __m256i { _mm256_zextsi128_si256(v) }),
            cpu,
        )
    }
}

impl U8x32 {
    #[inline(always)]
    pub(crate) fn first(self) -> U8x16Avx {
        let Self(v, cpu) = self;
        U8x16Avx(
            proven!(Avx2: cpu, fn enter(v: __m256i) -> __m128i { _mm256_castsi256_si128(v) }),
            cpu,
        )
    }
}

#[inline]
#[target_feature(enable = "ssse3")]
fn shift_in_128(x: __m128i, low: __m128i) -> __m128i {
    _mm_alignr_epi8::<15>(x, low)
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift_in_256(x: __m256i, low: __m256i) -> __m256i {
    _mm256_alignr_epi8::<15>(x, low)
}

#[inline]
#[target_feature(enable = "sse2")]
fn low_nibbles_128(x: __m128i) -> __m128i {
    _mm_and_si128(x, _mm_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "sse2")]
fn high_nibbles_128(x: __m128i) -> __m128i {
    low_nibbles_128(_mm_srli_epi32::<4>(x))
}

#[inline]
#[target_feature(enable = "avx2")]
fn low_nibbles_256(x: __m256i) -> __m256i {
    _mm256_and_si256(x, _mm256_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "avx2")]
fn high_nibbles_256(x: __m256i) -> __m256i {
    low_nibbles_256(_mm256_srli_epi32::<4>(x))
}
