//! Sixteen words on 512 bits.

use core::arch::x86_64::*;

#[cfg(all(feature = "chacha20", not(ropewalk_ct = "msan")))]
use super::quarter_rounds::half_512;
use super::{
    AHEAD, ask_for, big_endian, blocks::numbers_2x, load_128, load_512, load_less_512, load_u32x4,
    load_u32x16, store_128, store_512, store_less_512, store_u32x16, summed_512, ternary_512,
};
use crate::core::{
    simd::{each, piece},
    text::Text,
};

words! {
    /// Sixteen lanes.
    U32x16(__m512i, 16 of u32) needs Avx512 {
        add: _mm512_add_epi32, xor: _mm512_xor_si512, and: _mm512_and_si512, or: _mm512_or_si512,
        splat: splat_512, load: load_u32x16, store: store_u32x16,
        rotr: _mm512_ror_epi32, shr: shr_512, swap_bytes: swap_bytes_512, words: words_512, bytes: bytes_512,
        choose: choose_512, majority: majority_512, summed: summed_512,
    }
}

#[cfg(feature = "chacha20")]
rows! {
    U32x16(__m512i, 16) needs Avx512, many registers true {
        repeat: repeat_512, turn: turn_512, rows_to_blocks: rows_to_blocks_512,
        quarter: quad_512, gather: gather_512, xor: _mm512_xor_si512, and: _mm512_and_si512, load: load_512, store: store_512,
        add_part: add_part_512, first_number: first_number_512, half: half_512,
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn repeat_512(row: &[u32; 4]) -> __m512i {
    _mm512_broadcast_i32x4(load_u32x4(row))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn turn_512<const N: i32>(x: __m512i) -> __m512i {
    match N {
        1 => _mm512_shuffle_epi32::<0b00_11_10_01>(x),
        2 => _mm512_shuffle_epi32::<0b01_00_11_10>(x),
        _ => _mm512_shuffle_epi32::<0b10_01_00_11>(x),
    }
}

/// Quarter `k` of vector `j` becomes quarter `j` of vector `k`.
#[inline]
#[target_feature(enable = "avx512f")]
fn rows_to_blocks_512([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, cd) = (_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0x88>(c, d));
    let (ab_odd, cd_odd) = (_mm512_shuffle_i32x4::<0xdd>(a, b), _mm512_shuffle_i32x4::<0xdd>(c, d));
    [
        _mm512_shuffle_i32x4::<0x88>(ab, cd),
        _mm512_shuffle_i32x4::<0x88>(ab_odd, cd_odd),
        _mm512_shuffle_i32x4::<0xdd>(ab, cd),
        _mm512_shuffle_i32x4::<0xdd>(ab_odd, cd_odd),
    ]
}

#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn add_part_512(key_stream: __m512i, mut text: Text<'_>) {
    let sum = _mm512_xor_si512(key_stream, load_less_512(text.input()));
    store_less_512(text.output(), sum);
}

#[inline]
#[target_feature(enable = "avx512f,avx2")]
fn first_number_512(v: __m512i) -> u128 {
    numbers_2x(_mm512_castsi512_si256(v))[0]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat_512(word: u32) -> __m512i {
    _mm512_set1_epi32(word.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f")]
fn shr_512<const R: i32>(x: __m512i) -> __m512i {
    _mm512_srl_epi32(x, _mm_cvtsi32_si128(R))
}

// LLVM makes two instructions of Maj, and sometimes of Ch.

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
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_bytes_512(x: __m512i) -> __m512i {
    _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(big_endian()))
}

/// Four words of sixteen blocks: rows `r`, `r + 4`, `r + 8` and `r + 12` in the quarters of vector `r`, so that each quarter is a
/// 4x4 matrix of its own. Rows are loaded from memory, through any load port; shuffles of whole rows would all use one port.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn words_512<const BLOCK: usize, const BIG_ENDIAN: bool>(
    blocks: &[&[u8; BLOCK]; 16],
    at: usize,
) -> [__m512i; 4] {
    unroll!(i in 0 1 2 3 => ask_for(blocks[at / 4 + i], AHEAD));
    let row = |i: usize| load_128(piece(blocks[i], at));
    quad_512(each(|r| {
        let rows = _mm512_castsi128_si512(row(r));
        let rows = _mm512_inserti32x4::<1>(rows, row(r + 4));
        let rows = _mm512_inserti32x4::<2>(rows, row(r + 8));
        let rows = _mm512_inserti32x4::<3>(rows, row(r + 12));
        if BIG_ENDIAN { swap_bytes_512(rows) } else { rows }
    }))
}

#[cfg(feature = "chacha20-poly1305")]
#[inline]
#[target_feature(enable = "avx512f")]
fn gather_512(rows: &[&[u32; 4]; 16]) -> [__m512i; 4] {
    let row = |i: usize| load_u32x4(rows[i]);
    quad_512(each(|r| {
        let rows = _mm512_castsi128_si512(row(r));
        let rows = _mm512_inserti32x4::<1>(rows, row(r + 4));
        let rows = _mm512_inserti32x4::<2>(rows, row(r + 8));
        _mm512_inserti32x4::<3>(rows, row(r + 12))
    }))
}

/// Quarter `k` of vector `j` becomes lane `4 k + j`.
#[inline]
#[target_feature(enable = "avx512f")]
fn bytes_512(words: [__m512i; 4]) -> [[u8; 16]; 16] {
    let mut out = [[0; 16]; 16];
    for (j, v) in quad_512(words).into_iter().enumerate() {
        store_128(&mut out[j], _mm512_castsi512_si128(v));
        store_128(&mut out[4 + j], _mm512_extracti32x4_epi32::<1>(v));
        store_128(&mut out[8 + j], _mm512_extracti32x4_epi32::<2>(v));
        store_128(&mut out[12 + j], _mm512_extracti32x4_epi32::<3>(v));
    }
    out
}

#[inline]
#[target_feature(enable = "avx512f")]
fn quad_512([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
    [
        _mm512_unpacklo_epi64(ab, cd),
        _mm512_unpackhi_epi64(ab, cd),
        _mm512_unpacklo_epi64(ab_high, cd_high),
        _mm512_unpackhi_epi64(ab_high, cd_high),
    ]
}
