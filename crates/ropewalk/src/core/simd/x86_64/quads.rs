//! Four consecutive words of one block or two, for the schedule of a hash function.

use core::arch::x86_64::*;

use super::{big_endian, load_128, load_u32x4, store_u32x4, store_u32x8};
use crate::core::simd::each_of;

quads! {
    /// Of one block.
    Quads1x(__m128i, 1) needs Ssse3 {
        add: _mm_add_epi32, xor: _mm_xor_si128, shl: _mm_slli_epi32, shr: _mm_srli_epi32, shr_pairs: _mm_srli_epi64,
        splat: load_u32x4, big_endian: quarter_1x, store: store_quads_1x, shift_in: _mm_alignr_epi8,
        shuffle: _mm_shuffle_epi32, to_low: to_low_1x, to_high: to_high_1x,
    }
}

quads! {
    /// Of two blocks.
    Quads2x(__m256i, 2) needs Avx2 {
        add: _mm256_add_epi32, xor: _mm256_xor_si256, shl: _mm256_slli_epi32, shr: _mm256_srli_epi32, shr_pairs: _mm256_srli_epi64,
        splat: splat_quads_2x, big_endian: quarter_2x, store: store_quads_2x, shift_in: _mm256_alignr_epi8,
        shuffle: _mm256_shuffle_epi32, to_low: to_low_2x, to_high: to_high_2x,
    }
}

#[inline]
#[target_feature(enable = "ssse3")]
fn quarter_1x([block]: &[&[u8; 64]; 1], quarter: usize) -> __m128i {
    _mm_shuffle_epi8(load_128(&block.as_chunks().0[quarter]), big_endian())
}

#[inline]
#[target_feature(enable = "avx2")]
fn quarter_2x([low, high]: &[&[u8; 64]; 2], quarter: usize) -> __m256i {
    let [low, high] = each_of([low, high], |block| &block.as_chunks().0[quarter]);
    let both = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(load_128(low)), load_128(high));
    _mm256_shuffle_epi8(both, _mm256_broadcastsi128_si256(big_endian()))
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat_quads_2x(words: &[u32; 4]) -> __m256i {
    _mm256_broadcastsi128_si256(load_u32x4(words))
}

#[inline]
#[target_feature(enable = "sse2")]
fn store_quads_1x([to]: &mut [[u32; 4]; 1], v: __m128i) {
    store_u32x4(to, v);
}

#[inline]
#[target_feature(enable = "avx")]
fn store_quads_2x(to: &mut [[u32; 4]; 2], v: __m256i) {
    store_u32x8(&mut to.as_flattened_mut().as_chunks_mut().0[0], v);
}

#[inline]
#[target_feature(enable = "ssse3")]
fn to_low_1x(v: __m128i) -> __m128i {
    _mm_shuffle_epi8(v, evens_low())
}

#[inline]
#[target_feature(enable = "ssse3")]
fn to_high_1x(v: __m128i) -> __m128i {
    _mm_shuffle_epi8(v, evens_high())
}

#[inline]
#[target_feature(enable = "avx2")]
fn to_low_2x(v: __m256i) -> __m256i {
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(evens_low()))
}

#[inline]
#[target_feature(enable = "avx2")]
fn to_high_2x(v: __m256i) -> __m256i {
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(evens_high()))
}

/// The first word and the third, and zeros.
#[inline]
#[target_feature(enable = "sse2")]
fn evens_low() -> __m128i {
    _mm_set_epi64x(-1, 0x0b0a0908_03020100)
}

/// Zeros, and the first word and the third.
#[inline]
#[target_feature(enable = "sse2")]
fn evens_high() -> __m128i {
    _mm_set_epi64x(0x0b0a0908_03020100, -1)
}
