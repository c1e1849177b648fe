//! Eight words on 256 bits.

use core::arch::x86_64::*;

#[cfg(all(feature = "chacha20", not(ropewalk_ct = "msan")))]
use super::quarter_rounds::half_256;
use super::{
    big_endian, blocks::numbers_2x, from_u128, load_128, load_256, load_u32x4, load_u32x8,
    store_128, store_256, store_u32x8, unseen, xor_part_128,
};
use crate::core::{
    simd::{each, piece},
    text::Text,
};

words! {
    /// Eight lanes.
    U32x8(__m256i, 8 of u32) needs Avx2 {
        add: _mm256_add_epi32, xor: _mm256_xor_si256, and: _mm256_and_si256, or: _mm256_or_si256,
        splat: splat_256, load: load_u32x8, store: store_u32x8,
        rotr: rotr_256, shr: shr_256, swap_bytes: swap_bytes_256, words: words_256, bytes: bytes_256,
    }
}

#[cfg(feature = "chacha20")]
rows! {
    U32x8(__m256i, 8) needs Avx2, many registers false {
        repeat: repeat_256, turn: turn_256, rows_to_blocks: rows_to_blocks_256,
        quarter: quad_256, gather: gather_256, xor: _mm256_xor_si256, and: _mm256_and_si256, load: load_256, store: store_256,
        add_part: add_part_256, first_number: first_number_256, repeat_number: repeat_number_256, half: half_256,
    }
}

#[cfg(feature = "chacha20-poly1305")]
words! {
    /// Eight lanes, with the rotations of AVX-512.
    U32x8Turning(__m256i, 8 of u32) needs Avx512By256 {
        add: _mm256_add_epi32, xor: _mm256_xor_si256, and: _mm256_and_si256, or: _mm256_or_si256,
        splat: splat_256, load: load_u32x8, store: store_u32x8,
        rotr: _mm256_ror_epi32, shr: shr_256, swap_bytes: swap_bytes_256, words: words_256, bytes: bytes_256,
    }
}

#[cfg(feature = "chacha20-poly1305")]
rows! {
    U32x8Turning(__m256i, 8) needs Avx512By256, many registers true {
        repeat: repeat_256, turn: turn_256, rows_to_blocks: rows_to_blocks_256,
        quarter: quad_256, gather: gather_256, xor: _mm256_xor_si256, and: _mm256_and_si256, load: load_256, store: store_256,
        add_part: add_part_256, first_number: first_number_256,
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat_256(word: u32) -> __m256i {
    _mm256_set1_epi32(word.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn rotr_256<const R: i32>(x: __m256i) -> __m256i {
    // Rotations by whole bytes are one instruction, on another port. Where LLVM sees the indices, it makes two instructions.
    if R == 16 {
        return _mm256_shuffle_epi8(x, load_256(unseen(&TURNED_BY_16.0)));
    }
    if R == 24 {
        return _mm256_shuffle_epi8(x, load_256(unseen(&TURNED_BY_24.0)));
    }
    let left = _mm_cvtsi32_si128(32 - R);
    _mm256_or_si256(_mm256_srli_epi32::<R>(x), _mm256_sll_epi32(x, left))
}

/// Byte indices for rotations of each word to the right by so many bits.
pub(crate) static TURNED_BY_16: Aligned = Aligned(turned(2));
pub(crate) static TURNED_BY_24: Aligned = Aligned(turned(3));

/// Aligned as memory operands of instructions have to be.
#[repr(align(32))]
pub(crate) struct Aligned(pub(crate) [u8; 32]);

const fn turned(bytes: usize) -> [u8; 32] {
    let (mut from, mut i) = ([0; 32], 0);
    while i < 32 {
        from[i] = (i % 16 / 4 * 4 + (i + bytes) % 4) as u8;
        i += 1;
    }
    from
}

#[inline]
#[target_feature(enable = "avx2")]
fn shr_256<const R: i32>(x: __m256i) -> __m256i {
    _mm256_srli_epi32::<R>(x)
}

#[inline]
#[target_feature(enable = "avx2")]
fn swap_bytes_256(x: __m256i) -> __m256i {
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(big_endian()))
}

/// Four words of eight blocks: rows `r` and `r + 4` in the halves of vector `r`, so that each half is a 4x4 matrix of its own.
#[inline]
#[target_feature(enable = "avx2")]
fn words_256<const BLOCK: usize, const BIG_ENDIAN: bool>(
    blocks: &[&[u8; BLOCK]; 8],
    at: usize,
) -> [__m256i; 4] {
    let row = |i: usize| load_128(piece(blocks[i], at));
    quad_256(each(|r| {
        let rows = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(row(r)), row(r + 4));
        if BIG_ENDIAN { swap_bytes_256(rows) } else { rows }
    }))
}

#[cfg(feature = "chacha20-poly1305")]
#[inline]
#[target_feature(enable = "avx2")]
fn gather_256(rows: &[&[u32; 4]; 8]) -> [__m256i; 4] {
    quad_256(each(|r| {
        let low = _mm256_castsi128_si256(load_u32x4(rows[r]));
        _mm256_inserti128_si256::<1>(low, load_u32x4(rows[r + 4]))
    }))
}

/// Half `k` of vector `j` becomes lane `4 k + j`.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_256(words: [__m256i; 4]) -> [[u8; 16]; 8] {
    let mut out = [[0; 16]; 8];
    for (j, v) in quad_256(words).into_iter().enumerate() {
        store_128(&mut out[j], _mm256_castsi256_si128(v));
        store_128(&mut out[4 + j], _mm256_extracti128_si256::<1>(v));
    }
    out
}

#[inline]
#[target_feature(enable = "avx2")]
fn quad_256([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
    [
        _mm256_unpacklo_epi64(ab, cd),
        _mm256_unpackhi_epi64(ab, cd),
        _mm256_unpacklo_epi64(ab_high, cd_high),
        _mm256_unpackhi_epi64(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn repeat_256(row: &[u32; 4]) -> __m256i {
    _mm256_broadcastsi128_si256(load_u32x4(row))
}

#[inline]
#[target_feature(enable = "avx2")]
fn repeat_number_256(row: u128) -> __m256i {
    _mm256_broadcastsi128_si256(from_u128(row))
}

#[inline]
#[target_feature(enable = "avx2")]
fn turn_256<const N: i32>(x: __m256i) -> __m256i {
    match N {
        1 => _mm256_shuffle_epi32::<0b00_11_10_01>(x),
        2 => _mm256_shuffle_epi32::<0b01_00_11_10>(x),
        _ => _mm256_shuffle_epi32::<0b10_01_00_11>(x),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn rows_to_blocks_256([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    [
        _mm256_permute2x128_si256::<0x20>(a, b),
        _mm256_permute2x128_si256::<0x20>(c, d),
        _mm256_permute2x128_si256::<0x31>(a, b),
        _mm256_permute2x128_si256::<0x31>(c, d),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_part_256(mut key_stream: __m256i, mut text: Text<'_>) {
    if let Some(mut piece) = text.next::<16>() {
        let sum = _mm_xor_si128(_mm256_castsi256_si128(key_stream), load_128(piece.input()));
        store_128(piece.output(), sum);
        key_stream = _mm256_permute2x128_si256::<0x11>(key_stream, key_stream);
    }
    if text.len() > 0 {
        xor_part_128(&mut text, _mm256_castsi256_si128(key_stream));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn first_number_256(v: __m256i) -> u128 {
    numbers_2x(v)[0]
}
