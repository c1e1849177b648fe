//! Eight words on 512 bits.

use core::arch::x86_64::*;

use super::{
    AHEAD, ask_for, big_endian_64, load_256, load_u64x8, store_128, store_u64x8, summed_512,
    ternary_512,
};
use crate::core::simd::piece;

words! {
    /// Eight lanes.
    U64x8(__m512i, 8 of u64) needs Avx512 {
        add: _mm512_add_epi64, xor: _mm512_xor_si512, and: _mm512_and_si512, or: _mm512_or_si512,
        splat: splat_512, load: load_u64x8, store: store_u64x8,
        rotr: _mm512_ror_epi64, shr: shr_512, swap_bytes: swap_bytes_512, words: words_512, bytes: bytes_512,
        choose: choose_512, majority: majority_512, summed: summed_512, sum: sum_512, add_where_not: add_where_not_512,
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat_512(word: u64) -> __m512i {
    _mm512_set1_epi64(word.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f")]
fn shr_512<const R: i32>(x: __m512i) -> __m512i {
    _mm512_srl_epi64(x, _mm_cvtsi32_si128(R))
}

// As for sixteen lanes.

#[inline]
#[target_feature(enable = "avx512f")]
fn choose_512(x: __m512i, yes: __m512i, no: __m512i) -> __m512i {
    ternary_512::<0xca>(x, yes, no)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn majority_512(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    ternary_512::<0xe8>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sum_512(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    ternary_512::<0x96>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add_where_not_512(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    ternary_512::<0xd2>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_bytes_512(x: __m512i) -> __m512i {
    _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(big_endian_64()))
}

/// Four words of eight blocks. The halves of a vector are rows two apart: two vectors make pairs of words, whose order one more
/// shuffle corrects.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn words_512<const BLOCK: usize, const BIG_ENDIAN: bool>(
    blocks: &[&[u8; BLOCK]; 8],
    at: usize,
) -> [__m512i; 4] {
    if BLOCK == 128 {
        let (half, line) = (at / 32 % 2, at / 64);
        unroll!(i in 0 1 2 3 => ask_for(blocks[4 * half + i], AHEAD + 64 * line));
    }
    let row = |i: usize| load_256(piece(blocks[i], at));
    let rows = |i: usize| {
        let rows = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(row(i)), row(i + 2));
        if BIG_ENDIAN { swap_bytes_512(rows) } else { rows }
    };
    let [a, b, c, d] = [rows(0), rows(1), rows(4), rows(5)];
    let (ab, cd) = (_mm512_unpacklo_epi64(a, b), _mm512_unpacklo_epi64(c, d));
    let (ab_odd, cd_odd) = (_mm512_unpackhi_epi64(a, b), _mm512_unpackhi_epi64(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(ab, cd),
        _mm512_shuffle_i64x2::<0x88>(ab_odd, cd_odd),
        _mm512_shuffle_i64x2::<0xdd>(ab, cd),
        _mm512_shuffle_i64x2::<0xdd>(ab_odd, cd_odd),
    ]
}

/// Quarter `k` made of even words belongs to lane `2 k`, quarter `k` made of odd words to lane `2 k + 1`.
#[inline]
#[target_feature(enable = "avx512f")]
fn bytes_512([a, b, c, d]: [__m512i; 4]) -> [[u8; 32]; 8] {
    let mut out = [[0; 32]; 8];
    for (half, (a, b)) in [(a, b), (c, d)].into_iter().enumerate() {
        for (odd, v) in
            [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)].into_iter().enumerate()
        {
            let mut store =
                |lane: usize, v| store_128(&mut out[lane + odd].as_chunks_mut().0[half], v);
            store(0, _mm512_castsi512_si128(v));
            store(2, _mm512_extracti32x4_epi32::<1>(v));
            store(4, _mm512_extracti32x4_epi32::<2>(v));
            store(6, _mm512_extracti32x4_epi32::<3>(v));
        }
    }
    out
}
