//! x86-64 vectors.

use core::arch::x86_64::*;

#[cfg(feature = "chacha20")]
pub(crate) use u32x4::U32x4;

pub(crate) use super::unseen;
use super::{each, load_short, numbers_of};
use crate::text::Text;

#[cfg(feature = "chacha20")]
mod u32x4;

words! {
    /// Eight lanes.
    U32x8(__m256i, 8) needs Avx2 {
        add: _mm256_add_epi32, xor: _mm256_xor_si256, and: _mm256_and_si256, or: _mm256_or_si256,
        splat: splat_256, load: load_u32x8, store: store_u32x8,
        rotr: rotr_256, shr: shr_256, big_endian_words: big_endian_words_256,
        big_endian_bytes: big_endian_bytes_256,
    }
}

words! {
    /// Sixteen lanes.
    U32x16(__m512i, 16) needs Avx512 {
        add: _mm512_add_epi32, xor: _mm512_xor_si512, and: _mm512_and_si512, or: _mm512_or_si512,
        splat: splat_512, load: load_u32x16, store: store_u32x16,
        rotr: _mm512_ror_epi32, shr: shr_512, big_endian_words: big_endian_words_512,
        big_endian_bytes: big_endian_bytes_512,
        choose: choose_512, majority: majority_512,
    }
}

#[cfg(feature = "chacha20")]
rows! {
    U32x8(__m256i, 8) needs Avx2, many registers false {
        repeat: repeat_256, turn: turn_256, rows_to_blocks: rows_to_blocks_256,
        quarter: quad_256, xor: _mm256_xor_si256, load: load_256, store: store_256,
        add_part: add_part_256, add_last: add_last_256, first_number: first_number_256,
    }
}

#[cfg(feature = "chacha20")]
rows! {
    U32x16(__m512i, 16) needs Avx512, many registers true {
        repeat: repeat_512, turn: turn_512, rows_to_blocks: rows_to_blocks_512,
        quarter: quad_512, xor: _mm512_xor_si512, load: load_512, store: store_512,
        add_part: add_part_512, add_last: add_last_512, first_number: first_number_512,
    }
}

bytes! {
    /// One block.
    U8x16(__m128i, 1) needs Ssse3 {
        xor: _mm_xor_si128, add_words: _mm_add_epi32, look_up: _mm_shuffle_epi8,
        shift_in: shift_in_128, low_nibbles: low_nibbles_128, high_nibbles: high_nibbles_128,
        splat: load_128, load: load_1x, store: store_1x,
    }
}

bytes! {
    /// A block, with the encodings of AVX.
    U8x16Avx(__m128i, 1) needs Avx2 {
        xor: _mm_xor_si128, add_words: _mm_add_epi32, look_up: _mm_shuffle_epi8,
        shift_in: shift_in_128, low_nibbles: low_nibbles_128, high_nibbles: high_nibbles_128,
        splat: load_128, load: load_1x, store: store_1x,
    }
}

bytes! {
    /// Two blocks.
    U8x32(__m256i, 2) needs Avx2 {
        xor: _mm256_xor_si256, add_words: _mm256_add_epi32, look_up: _mm256_shuffle_epi8,
        shift_in: shift_in_256, low_nibbles: low_nibbles_256, high_nibbles: high_nibbles_256,
        splat: splat_2x, load: load_2x, store: store_2x,
    }
}

blocks! {
    /// A block, with the encodings of SSE.
    Sse1x(__m128i, 1) needs AesniClmul {
        zero: _mm_setzero_si128, splat: load_128, load: load_1x, store: store_1x,
        from_numbers: from_numbers_1x, numbers: numbers_1x,
        xor: _mm_xor_si128, and: _mm_and_si128, reverse: reverse_1x, sum_lanes: itself, last_lane: itself, with_last: second,
        whiten: _mm_xor_si128, round: round_1x, last_round: last_round_1x,
        last_round_onto: last_round_onto_1x,
        inv_round: inv_round_1x, inv_last_round: inv_last_round_1x,
        add_product: add_product_1x, fold: fold_1x,
    }
}

blocks! {
    /// A block, with the encodings of AVX, which need no copies of operands.
    Avx1x(__m128i, 1) needs AvxClmul {
        zero: _mm_setzero_si128, splat: load_128, load: load_1x, store: store_1x,
        from_numbers: from_numbers_1x, numbers: numbers_1x,
        xor: _mm_xor_si128, and: _mm_and_si128, reverse: reverse_1x, sum_lanes: itself, last_lane: itself, with_last: second,
        whiten: _mm_xor_si128, round: round_1x, last_round: last_round_1x,
        last_round_onto: last_round_onto_1x,
        inv_round: inv_round_1x, inv_last_round: inv_last_round_1x,
        add_product: add_product_1x, fold: fold_1x,
    }
}

blocks! {
    /// Two blocks.
    Avx2x(__m256i, 2) needs Vaes256Clmul {
        zero: _mm256_setzero_si256, splat: splat_2x, load: load_2x, store: store_2x,
        from_numbers: from_numbers_2x, numbers: numbers_2x,
        xor: _mm256_xor_si256, and: _mm256_and_si256, reverse: reverse_2x, sum_lanes: sum_lanes_2x,
        last_lane: last_lane_2x, with_last: with_last_2x,
        whiten: _mm256_xor_si256, round: round_2x, last_round: last_round_2x,
        last_round_onto: last_round_onto_2x,
        inv_round: inv_round_2x, inv_last_round: inv_last_round_2x,
        add_product: add_product_2x, fold: fold_2x,
    }
}

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
#[target_feature(enable = "sse2")]
fn load_1x([block]: &[[u8; 16]; 1]) -> __m128i {
    load_128(block)
}

#[inline]
#[target_feature(enable = "sse2")]
fn store_1x([block]: &mut [[u8; 16]; 1], v: __m128i) {
    store_128(block, v);
}

#[inline]
#[target_feature(enable = "sse2")]
fn from_numbers_1x([number, _]: [u128; 2]) -> __m128i {
    from_u128(number)
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn numbers_1x(v: __m128i) -> [u128; 2] {
    [to_u128(v), 0]
}

#[inline]
#[target_feature(enable = "ssse3")]
pub(crate) fn reverse_1x(v: __m128i) -> __m128i {
    _mm_shuffle_epi8(v, reversal())
}

#[inline]
fn itself(v: __m128i) -> __m128i {
    v
}

#[inline]
fn second(_: __m128i, v: __m128i) -> __m128i {
    v
}

#[inline]
#[target_feature(enable = "aes")]
fn round_1x(v: __m128i, _: __m128i, key: __m128i) -> __m128i {
    _mm_aesenc_si128(v, key)
}

#[inline]
#[target_feature(enable = "aes")]
fn last_round_1x(v: __m128i, _: __m128i, key: __m128i) -> __m128i {
    _mm_aesenclast_si128(v, key)
}

#[inline]
#[target_feature(enable = "aes")]
fn inv_round_1x(v: __m128i, _: __m128i, key: __m128i) -> __m128i {
    _mm_aesdec_si128(v, key)
}

#[inline]
#[target_feature(enable = "aes")]
fn inv_last_round_1x(v: __m128i, _: __m128i, key: __m128i) -> __m128i {
    _mm_aesdeclast_si128(v, key)
}

#[inline]
#[target_feature(enable = "aes")]
fn last_round_onto_1x(v: __m128i, _: __m128i, key: __m128i, text: __m128i) -> __m128i {
    _mm_aesenclast_si128(v, _mm_xor_si128(key, text))
}

#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(crate) fn add_product_1x(
    [low, middle, high]: [__m128i; 3],
    a: __m128i,
    b: __m128i,
) -> [__m128i; 3] {
    let cross =
        _mm_xor_si128(_mm_clmulepi64_si128::<0x01>(a, b), _mm_clmulepi64_si128::<0x10>(a, b));
    [
        _mm_xor_si128(low, _mm_clmulepi64_si128::<0x00>(a, b)),
        _mm_xor_si128(middle, cross),
        _mm_xor_si128(high, _mm_clmulepi64_si128::<0x11>(a, b)),
    ]
}

#[inline]
#[target_feature(enable = "pclmulqdq")]
pub(crate) fn fold_1x(v: __m128i, onto: __m128i) -> __m128i {
    let poly = _mm_set1_epi64x(0xc200_0000_0000_0000_u64.cast_signed());
    let swapped = _mm_shuffle_epi32::<0b01_00_11_10>(v);
    _mm_xor_si128(_mm_xor_si128(onto, swapped), _mm_clmulepi64_si128::<0x00>(v, poly))
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat_2x(block: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_128(block))
}

#[inline]
#[target_feature(enable = "avx")]
fn load_2x(blocks: &[[u8; 16]; 2]) -> __m256i {
    let (chunks, _) = blocks.as_flattened().as_chunks();
    load_256(&chunks[0])
}

#[inline]
#[target_feature(enable = "avx")]
fn store_2x(blocks: &mut [[u8; 16]; 2], v: __m256i) {
    let (chunks, _) = blocks.as_flattened_mut().as_chunks_mut();
    store_256(&mut chunks[0], v);
}

#[inline]
#[target_feature(enable = "avx2")]
fn from_numbers_2x([low, high]: [u128; 2]) -> __m256i {
    _mm256_set_m128i(from_u128(high), from_u128(low))
}

#[inline]
#[target_feature(enable = "avx2")]
fn numbers_2x(v: __m256i) -> [u128; 2] {
    [to_u128(_mm256_castsi256_si128(v)), to_u128(_mm256_extracti128_si256::<1>(v))]
}

#[inline]
#[target_feature(enable = "avx2")]
fn reverse_2x(v: __m256i) -> __m256i {
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(reversal()))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_lanes_2x(v: __m256i) -> __m256i {
    let high = _mm256_extracti128_si256::<1>(v);
    _mm256_zextsi128_si256(_mm_xor_si128(_mm256_castsi256_si128(v), high))
}

#[inline]
#[target_feature(enable = "avx2")]
fn last_lane_2x(v: __m256i) -> __m256i {
    _mm256_zextsi128_si256(_mm256_extracti128_si256::<1>(v))
}

#[inline]
#[target_feature(enable = "avx2")]
fn with_last_2x(v: __m256i, other: __m256i) -> __m256i {
    _mm256_blend_epi32::<0b1111_0000>(v, other)
}

#[inline]
#[target_feature(enable = "vaes,avx2")]
fn round_2x(v: __m256i, _: __m256i, key: __m256i) -> __m256i {
    _mm256_aesenc_epi128(v, key)
}

#[inline]
#[target_feature(enable = "vaes,avx2")]
fn last_round_2x(v: __m256i, _: __m256i, key: __m256i) -> __m256i {
    _mm256_aesenclast_epi128(v, key)
}

#[inline]
#[target_feature(enable = "vaes,avx2")]
fn inv_round_2x(v: __m256i, _: __m256i, key: __m256i) -> __m256i {
    _mm256_aesdec_epi128(v, key)
}

#[inline]
#[target_feature(enable = "vaes,avx2")]
fn inv_last_round_2x(v: __m256i, _: __m256i, key: __m256i) -> __m256i {
    _mm256_aesdeclast_epi128(v, key)
}

#[inline]
#[target_feature(enable = "vaes,avx2")]
fn last_round_onto_2x(v: __m256i, _: __m256i, key: __m256i, text: __m256i) -> __m256i {
    _mm256_aesenclast_epi128(v, _mm256_xor_si256(key, text))
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn add_product_2x([low, middle, high]: [__m256i; 3], a: __m256i, b: __m256i) -> [__m256i; 3] {
    let cross = _mm256_xor_si256(
        _mm256_clmulepi64_epi128::<0x01>(a, b),
        _mm256_clmulepi64_epi128::<0x10>(a, b),
    );
    [
        _mm256_xor_si256(low, _mm256_clmulepi64_epi128::<0x00>(a, b)),
        _mm256_xor_si256(middle, cross),
        _mm256_xor_si256(high, _mm256_clmulepi64_epi128::<0x11>(a, b)),
    ]
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn fold_2x(v: __m256i, onto: __m256i) -> __m256i {
    let poly = _mm256_set1_epi64x(0xc200_0000_0000_0000_u64.cast_signed());
    let swapped = _mm256_shuffle_epi32::<0b01_00_11_10>(v);
    let product = _mm256_clmulepi64_epi128::<0x00>(v, poly);
    _mm256_xor_si256(_mm256_xor_si256(onto, swapped), product)
}

#[inline]
#[target_feature(enable = "ssse3")]
fn quarter_1x([block]: &[&[u8; 64]; 1], quarter: usize) -> __m128i {
    _mm_shuffle_epi8(load_128(&block.as_chunks().0[quarter]), big_endian())
}

#[inline]
#[target_feature(enable = "avx2")]
fn quarter_2x([low, high]: &[&[u8; 64]; 2], quarter: usize) -> __m256i {
    let [low, high] = [low, high].map(|block| &block.as_chunks().0[quarter]);
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

/// The order of all sixteen bytes, the other way round.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn reversal() -> __m128i {
    _mm_set_epi64x(0x00010203_04050607, 0x08090a0b_0c0d0e0f)
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

#[inline]
#[target_feature(enable = "avx2")]
fn splat_256(word: u32) -> __m256i {
    _mm256_set1_epi32(word.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn rotr_256<const R: i32>(x: __m256i) -> __m256i {
    // Whole bytes move in one instruction, and on another port. Where LLVM sees which, it makes two of it.
    if R == 16 {
        return _mm256_shuffle_epi8(x, load_256(unseen(&TURNED_BY_16)));
    }
    if R == 24 {
        return _mm256_shuffle_epi8(x, load_256(unseen(&TURNED_BY_24)));
    }
    let left = _mm_cvtsi32_si128(32 - R);
    _mm256_or_si256(_mm256_srli_epi32::<R>(x), _mm256_sll_epi32(x, left))
}

/// Where the bytes of each word come from that is turned right by so many bits.
static TURNED_BY_16: [u8; 32] = turned(2);
static TURNED_BY_24: [u8; 32] = turned(3);

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

/// Four words of eight blocks: rows `r` and `r + 4` in the halves of vector `r`, so that each half
/// is a square of its own.
#[inline]
#[target_feature(enable = "avx2")]
fn big_endian_words_256(blocks: &[&[u8; 64]; 8], quarter: usize) -> [__m256i; 4] {
    let swap = _mm256_broadcastsi128_si256(big_endian());
    let row = |i: usize| load_128(&blocks[i].as_chunks().0[quarter]);
    quad_256(each(|r| {
        let rows = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(row(r)), row(r + 4));
        _mm256_shuffle_epi8(rows, swap)
    }))
}

/// Half `k` of vector `j` becomes lane `4 k + j`.
#[inline]
#[target_feature(enable = "avx2")]
fn big_endian_bytes_256(words: [__m256i; 4]) -> [[u8; 16]; 8] {
    let swap = _mm256_broadcastsi128_si256(big_endian());
    let mut out = [[0; 16]; 8];
    for (j, v) in quad_256(words).into_iter().enumerate() {
        let v = _mm256_shuffle_epi8(v, swap);
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
fn add_part_256(key_stream: __m256i, mut text: Text<'_>) {
    if let Some(mut piece) = text.next::<16>() {
        let sum = _mm_xor_si128(_mm256_castsi256_si128(key_stream), load_128(piece.input()));
        store_128(piece.output(), sum);
        xor_part_128(&mut text, _mm256_extracti128_si256::<1>(key_stream));
    } else {
        xor_part_128(&mut text, _mm256_castsi256_si128(key_stream));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_last_256(key_stream: __m256i, mut text: Text<'_>) -> [u128; 4] {
    if let Some(mut piece) = text.next() {
        let sum = _mm256_xor_si256(key_stream, load_256(piece.input()));
        store_256(piece.output(), sum);
        let [a, b] = numbers_2x(sum);
        return [a, b, 0, 0];
    }
    add_part_256(key_stream, text.reborrow());
    numbers_of(text.output())
}

#[inline]
#[target_feature(enable = "avx2")]
fn first_number_256(v: __m256i) -> u128 {
    numbers_2x(v)[0]
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
#[target_feature(enable = "avx512bw,avx512f,avx2,bmi2")]
fn add_last_512(key_stream: __m512i, mut text: Text<'_>) -> [u128; 4] {
    let sum = if let Some(mut piece) = text.next() {
        let sum = _mm512_xor_si512(key_stream, load_512(piece.input()));
        store_512(piece.output(), sum);
        sum
    } else {
        let sum = _mm512_xor_si512(key_stream, load_less_512(text.input()));
        store_less_512(text.output(), sum);
        _mm512_maskz_mov_epi8(first_bytes(text.len()), sum)
    };
    let [a, b] = numbers_2x(_mm512_castsi512_si256(sum));
    let [c, d] = numbers_2x(_mm512_extracti64x4_epi64::<1>(sum));
    [a, b, c, d]
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

/// A function of three bits, by its truth table: bit `4 a + 2 b + c` of `TABLE`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn ternary_512<const TABLE: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    #[cfg(not(ropewalk_ct = "msan"))]
    return _mm512_ternarylogic_epi32::<TABLE>(a, b, c);
    // MemorySanitizer does not know the instruction, takes any secret operand for a leak, and what
    // comes out for public.
    #[cfg(ropewalk_ct = "msan")]
    {
        let ones = _mm512_set1_epi32(-1);
        let mut sum = _mm512_setzero_si512();
        for row in (0..8).filter(|row| TABLE >> row & 1 == 1) {
            let of = |x, bit| if row & bit == 0 { _mm512_xor_si512(x, ones) } else { x };
            let ab = _mm512_and_si512(of(a, 4), of(b, 2));
            sum = _mm512_or_si512(sum, _mm512_and_si512(ab, of(c, 1)));
        }
        sum
    }
}

/// Four words of sixteen blocks: rows `r`, `r + 4`, `r + 8` and `r + 12` in the quarters of vector
/// `r`, so that each quarter is a square of its own. Rows come in from memory, through any port;
/// shuffles of whole rows would all go through one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn big_endian_words_512(blocks: &[&[u8; 64]; 16], quarter: usize) -> [__m512i; 4] {
    let swap = _mm512_broadcast_i32x4(big_endian());
    let row = |i: usize| load_128(&blocks[i].as_chunks().0[quarter]);
    quad_512(each(|r| {
        let rows = _mm512_castsi128_si512(row(r));
        let rows = _mm512_inserti32x4::<1>(rows, row(r + 4));
        let rows = _mm512_inserti32x4::<2>(rows, row(r + 8));
        let rows = _mm512_inserti32x4::<3>(rows, row(r + 12));
        _mm512_shuffle_epi8(rows, swap)
    }))
}

/// Quarter `k` of vector `j` becomes lane `4 k + j`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn big_endian_bytes_512(words: [__m512i; 4]) -> [[u8; 16]; 16] {
    let swap = _mm512_broadcast_i32x4(big_endian());
    let mut out = [[0; 16]; 16];
    for (j, v) in quad_512(words).into_iter().enumerate() {
        let v = _mm512_shuffle_epi8(v, swap);
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

/// The bytes of each 32-bit word, reversed.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn big_endian() -> __m128i {
    _mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203)
}

/// The bytes of each 64-bit word, reversed.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn big_endian_64() -> __m128i {
    _mm_set_epi64x(0x08090a0b_0c0d0e0f, 0x00010203_04050607)
}

/// Loads and stores of whole vectors.
macro_rules! memory {
    ($( $feature:literal: $load:ident, $store:ident, $V:ty as [$T:ty; $N:literal] = $loadu:ident, $storeu:ident; )+) => { $(
        #[inline]
        #[allow(unsafe_code, dead_code)]
        #[target_feature(enable = $feature)]
        pub(crate) fn $load(from: &[$T; $N]) -> $V {
            // SAFETY: `from` is as many readable bytes as the vector has; no alignment is asked for.
            unsafe { $loadu(from.as_ptr().cast()) }
        }

        #[inline]
        #[allow(unsafe_code, dead_code)]
        #[target_feature(enable = $feature)]
        pub(crate) fn $store(to: &mut [$T; $N], v: $V) {
            // SAFETY: `to` is as many writable bytes as the vector has; no alignment is asked for.
            unsafe { $storeu(to.as_mut_ptr().cast(), v) }
        }
    )+ };
}

memory! {
    "sse2": load_128, store_128, __m128i as [u8; 16] = _mm_loadu_si128, _mm_storeu_si128;
    "sse2": load_u32x4, store_u32x4, __m128i as [u32; 4] = _mm_loadu_si128, _mm_storeu_si128;
    "sse2": load_u64x2, store_u64x2, __m128i as [u64; 2] = _mm_loadu_si128, _mm_storeu_si128;
    "avx": load_256, store_256, __m256i as [u8; 32] = _mm256_loadu_si256, _mm256_storeu_si256;
    "avx": load_u32x8, store_u32x8, __m256i as [u32; 8] = _mm256_loadu_si256, _mm256_storeu_si256;
    "avx": load_u64x4, store_u64x4, __m256i as [u64; 4] = _mm256_loadu_si256, _mm256_storeu_si256;
    "avx512f": load_512, store_512, __m512i as [u8; 64] = _mm512_loadu_si512, _mm512_storeu_si512;
    "avx512f": load_u64x8, store_u64x8, __m512i as [u64; 8] = _mm512_loadu_si512, _mm512_storeu_si512;
    "avx512f": load_u32x16, store_u32x16, __m512i as [u32; 16] = _mm512_loadu_si512, _mm512_storeu_si512;
}

/// The four quarters of a block.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn load_128x4(block: &[u8; 64]) -> [__m128i; 4] {
    each(|i| load_128(&block.as_chunks().0[i]))
}

/// The last block or two of a message of `len` bytes (FIPS 180-4, section 5.1.1), put together in registers:
/// loads would wait for bytes that were stored singly.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(crate) fn padded_64(rest: &[u8], len: u64) -> ([[__m128i; 4]; 2], usize) {
    let (quarters, short) = rest.as_chunks();
    let end = from_u128(load_short(short) | 0x80 << (8 * short.len()));
    let length = _mm_set_epi64x((len << 3).swap_bytes().cast_signed(), 0);
    let mut tail = [[_mm_setzero_si128(); 4]; 2];
    let [first, second] = &mut tail;
    for i in 0..4 {
        if let Some(quarter) = quarters.get(i) {
            first[i] = load_128(quarter);
        } else if i == quarters.len() {
            first[i] = end;
        }
    }
    if rest.len() < 56 {
        first[3] = _mm_or_si128(first[3], length);
        return (tail, 1);
    }
    second[3] = length;
    (tail, 2)
}

/// Writes a function that does nothing, in its place: the compiler moves neither what makes this behind a later
/// such call, nor what is made of it before an earlier one.
macro_rules! keep_order {
    ($name:ident($V:ty => $reg:ident), $features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        #[allow(unsafe_code)]
        pub(crate) fn $name(x: &mut $V) {
            // MemorySanitizer takes whatever comes out of assembly for initialised, and so for public.
            #[cfg(ropewalk_ct = "msan")]
            let _ = x;
            // SAFETY: there is no instruction in it.
            #[cfg(not(ropewalk_ct = "msan"))]
            unsafe {
                core::arch::asm!(
                    "/* {} */",
                    inout($reg) * x,
                    options(nomem, nostack, preserves_flags)
                );
            }
        }
    };
}

keep_order! { keep_order_256(__m256i => ymm_reg), "avx2" }
keep_order! { keep_order_512(__m512i => zmm_reg), "avx512f" }

#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn from_u128(x: u128) -> __m128i {
    _mm_set_epi64x((x >> 64) as i64, x as i64)
}

#[inline]
#[target_feature(enable = "sse4.1")]
pub(crate) fn to_u128(v: __m128i) -> u128 {
    let (low, high) = (_mm_cvtsi128_si64(v), _mm_extract_epi64::<1>(v));
    u128::from(high.cast_unsigned()) << 64 | u128::from(low.cast_unsigned())
}

/// A mask of the first `n` bytes of 64. What is beyond 255 of `n` counts for nothing, so that it never
/// has more.
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn first_bytes(n: usize) -> u64 {
    _bzhi_u64(u64::MAX, n as u32)
}

/// The bytes, at most 64, and zeros above them.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn load_part_512(bytes: &[u8]) -> __m512i {
    match bytes.try_into() {
        Ok(bytes) => load_512(bytes),
        Err(_) => load_less_512(bytes),
    }
}

/// The bytes, less than 64, and zeros above them.
#[inline]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn load_less_512(bytes: &[u8]) -> __m512i {
    // A load with an empty mask still waits for stores that its 64 bytes would overlap, and may
    // need help from microcode where they are not mapped: no load is cheaper.
    if bytes.is_empty() {
        return _mm512_setzero_si512();
    }
    let mask = first_bytes(bytes.len());
    // SAFETY: the mask admits the readable bytes only.
    unsafe { _mm512_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) }
}

/// The low bytes of `v`, as many as there is room for.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn store_part_512(bytes: &mut [u8], v: __m512i) {
    // A masked store is not forwarded to the loads that follow; nor is an empty one free.
    match <&mut [u8; 64]>::try_from(&mut *bytes) {
        Ok(bytes) => store_512(bytes, v),
        Err(_) => store_less_512(bytes, v),
    }
}

/// The low bytes of `v`, less than 64, as many as there is room for.
#[inline]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn store_less_512(bytes: &mut [u8], v: __m512i) {
    if bytes.is_empty() {
        return;
    }
    let mask = first_bytes(bytes.len());
    // SAFETY: the mask admits the writable bytes only.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), mask, v) }
}

/// The bytes, at most 16, and zeros above them.
#[inline]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512bw,avx512vl,bmi2")]
pub(crate) fn load_part_128(bytes: &[u8]) -> __m128i {
    if let Ok(bytes) = bytes.try_into() {
        return load_128(bytes);
    }
    if bytes.is_empty() {
        return _mm_setzero_si128();
    }
    let mask = _bzhi_u32(u32::MAX, bytes.len() as u32) as u16;
    // SAFETY: the mask admits the readable bytes only.
    unsafe { _mm_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) }
}

/// The low bytes of `v`, as many as there is room for.
#[inline]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512bw,avx512vl,bmi2")]
pub(crate) fn store_part_128(bytes: &mut [u8], v: __m128i) {
    if let Ok(bytes) = <&mut [u8; 16]>::try_from(&mut *bytes) {
        return store_128(bytes, v);
    }
    if bytes.is_empty() {
        return;
    }
    let mask = _bzhi_u32(u32::MAX, bytes.len() as u32) as u16;
    // SAFETY: the mask admits the writable bytes only.
    unsafe { _mm_mask_storeu_epi8(bytes.as_mut_ptr().cast(), mask, v) }
}

/// The low `n` bytes of `v`, and zeros; all of them from 16 on.
#[inline]
#[target_feature(enable = "avx512bw,avx512vl,bmi2")]
pub(crate) fn first_of_128(v: __m128i, n: usize) -> __m128i {
    _mm_maskz_mov_epi8(_bzhi_u32(u32::MAX, n.min(16) as u32) as u16, v)
}

/// Adds the low bytes of `key_stream` to less than a block of text.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn xor_part_128(text: &mut Text<'_>, key_stream: __m128i) {
    let mut block = [0; 16];
    block[..text.len()].copy_from_slice(text.input());
    let sum = _mm_xor_si128(key_stream, load_128(&block));
    store_128(&mut block, sum);
    let len = text.len();
    text.output().copy_from_slice(&block[..len]);
}
