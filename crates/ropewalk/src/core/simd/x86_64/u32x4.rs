//! Four words on 128 bits, where there are no wider vectors.

use core::arch::x86_64::*;

#[cfg(not(ropewalk_ct = "msan"))]
use super::quarter_rounds::half_128;
use super::{
    big_endian, from_u128, load_128, load_u32x4, store_128, store_u32x4,
    u32x8::{TURNED_BY_16, TURNED_BY_24},
    unseen, xor_part_128,
};
use crate::core::{simd::piece, text::Text};

words! {
    /// Four lanes.
    U32x4(__m128i, 4 of u32) needs Ssse3 {
        add: _mm_add_epi32, xor: _mm_xor_si128, and: _mm_and_si128, or: _mm_or_si128,
        splat: splat, load: load_u32x4, store: store_u32x4,
        rotr: rotr, shr: shr, swap_bytes: swap_bytes, words: words, bytes: bytes,
    }
}

rows! {
    U32x4(__m128i, 4) needs Ssse3, many registers false {
        repeat: load_u32x4, turn: turn, rows_to_blocks: itself,
        quarter: transpose, gather: gather, xor: _mm_xor_si128, and: _mm_and_si128, load: load_128, store: store_128,
        add_part: add_part, first_number: first_number, repeat_number: from_u128, half: half_128,
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn splat(word: u32) -> __m128i {
    _mm_set1_epi32(word.cast_signed())
}

#[inline]
#[target_feature(enable = "ssse3")]
fn rotr<const R: i32>(x: __m128i) -> __m128i {
    // As for eight lanes.
    if R == 16 {
        return _mm_shuffle_epi8(x, half(unseen(&TURNED_BY_16.0)));
    }
    if R == 24 {
        return _mm_shuffle_epi8(x, half(unseen(&TURNED_BY_24.0)));
    }
    let left = _mm_cvtsi32_si128(32 - R);
    _mm_or_si128(_mm_srli_epi32::<R>(x), _mm_sll_epi32(x, left))
}

#[inline]
#[target_feature(enable = "sse2")]
fn half(bytes: &[u8; 32]) -> __m128i {
    load_128(&bytes.as_chunks().0[0])
}

#[inline]
#[target_feature(enable = "sse2")]
fn shr<const R: i32>(x: __m128i) -> __m128i {
    _mm_srli_epi32::<R>(x)
}

#[inline]
#[target_feature(enable = "sse2")]
fn turn<const N: i32>(x: __m128i) -> __m128i {
    match N {
        1 => _mm_shuffle_epi32::<0b00_11_10_01>(x),
        2 => _mm_shuffle_epi32::<0b01_00_11_10>(x),
        _ => _mm_shuffle_epi32::<0b10_01_00_11>(x),
    }
}

#[inline]
fn itself(rows: [__m128i; 4]) -> [__m128i; 4] {
    rows
}

#[inline]
#[target_feature(enable = "sse2")]
fn transpose([a, b, c, d]: [__m128i; 4]) -> [__m128i; 4] {
    let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
    [
        _mm_unpacklo_epi64(ab, cd),
        _mm_unpackhi_epi64(ab, cd),
        _mm_unpacklo_epi64(ab_high, cd_high),
        _mm_unpackhi_epi64(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "sse2")]
fn add_part(key_stream: __m128i, mut text: Text<'_>) {
    xor_part_128(&mut text, key_stream);
}

#[inline]
#[target_feature(enable = "sse2")]
fn first_number(v: __m128i) -> u128 {
    let half = |v| u128::from(_mm_cvtsi128_si64(v).cast_unsigned());
    half(v) | half(_mm_unpackhi_epi64(v, v)) << 64
}

#[inline]
#[target_feature(enable = "ssse3")]
fn swap_bytes(x: __m128i) -> __m128i {
    _mm_shuffle_epi8(x, big_endian())
}

/// Four words of four blocks.
#[inline]
#[target_feature(enable = "ssse3")]
fn words<const BLOCK: usize, const BIG_ENDIAN: bool>(
    blocks: &[&[u8; BLOCK]; 4],
    at: usize,
) -> [__m128i; 4] {
    let row = |i: usize| {
        let row = load_128(piece(blocks[i], at));
        if BIG_ENDIAN { swap_bytes(row) } else { row }
    };
    transpose([row(0), row(1), row(2), row(3)])
}

#[cfg(feature = "chacha20-poly1305")]
#[inline]
#[target_feature(enable = "sse2")]
fn gather([a, b, c, d]: &[&[u32; 4]; 4]) -> [__m128i; 4] {
    transpose([load_u32x4(a), load_u32x4(b), load_u32x4(c), load_u32x4(d)])
}

#[inline]
#[target_feature(enable = "sse2")]
fn bytes(words: [__m128i; 4]) -> [[u8; 16]; 4] {
    let mut out = [[0; 16]; 4];
    for (bytes, lane) in out.iter_mut().zip(transpose(words)) {
        store_128(bytes, lane);
    }
    out
}
