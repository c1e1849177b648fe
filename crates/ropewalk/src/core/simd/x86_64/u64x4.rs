//! Four words on 256 bits.

use core::arch::x86_64::*;

use super::{big_endian_64, load_128, load_u64x4, store_128, store_u64x4};
use crate::core::simd::piece;

words! {
    /// Four lanes.
    U64x4(__m256i, 4 of u64) needs Avx2 {
        add: _mm256_add_epi64, xor: _mm256_xor_si256, and: _mm256_and_si256, or: _mm256_or_si256,
        splat: splat_256, load: load_u64x4, store: store_u64x4,
        rotr: rotr_256, shr: shr_256, swap_bytes: swap_bytes_256, words: words_256, bytes: bytes_256,
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat_256(word: u64) -> __m256i {
    _mm256_set1_epi64x(word.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn rotr_256<const R: i32>(x: __m256i) -> __m256i {
    let left = _mm_cvtsi32_si128(64 - R);
    _mm256_or_si256(_mm256_srli_epi64::<R>(x), _mm256_sll_epi64(x, left))
}

#[inline]
#[target_feature(enable = "avx2")]
fn shr_256<const R: i32>(x: __m256i) -> __m256i {
    _mm256_srli_epi64::<R>(x)
}

#[inline]
#[target_feature(enable = "avx2")]
fn swap_bytes_256(x: __m256i) -> __m256i {
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(big_endian_64()))
}

/// Four words of four blocks: rows `r` and `r + 2` in the halves of a vector, so that each half is a 2x2 matrix of its own.
#[inline]
#[target_feature(enable = "avx2")]
fn words_256<const BLOCK: usize, const BIG_ENDIAN: bool>(
    blocks: &[&[u8; BLOCK]; 4],
    at: usize,
) -> [__m256i; 4] {
    let row = |i: usize, at: usize| load_128(piece(blocks[i], at));
    let rows = |i: usize, at: usize| {
        let rows = _mm256_castsi128_si256(row(i, at));
        let rows = _mm256_inserti128_si256::<1>(rows, row(i + 2, at));
        if BIG_ENDIAN { swap_bytes_256(rows) } else { rows }
    };
    let [a, b] = [rows(0, at), rows(1, at)];
    let [c, d] = [rows(0, at + 16), rows(1, at + 16)];
    [
        _mm256_unpacklo_epi64(a, b),
        _mm256_unpackhi_epi64(a, b),
        _mm256_unpacklo_epi64(c, d),
        _mm256_unpackhi_epi64(c, d),
    ]
}

/// Halves made of even words belong to lanes 0 and 2, those made of odd words to lanes 1 and 3.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_256([a, b, c, d]: [__m256i; 4]) -> [[u8; 32]; 4] {
    let mut out = [[0; 32]; 4];
    for (half, (a, b)) in [(a, b), (c, d)].into_iter().enumerate() {
        for (odd, v) in
            [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)].into_iter().enumerate()
        {
            let mut store =
                |lane: usize, v| store_128(&mut out[lane + odd].as_chunks_mut().0[half], v);
            store(0, _mm256_castsi256_si128(v));
            store(2, _mm256_extracti128_si256::<1>(v));
        }
    }
    out
}
