//! Vectors of AES blocks, one message a lane.

use core::arch::x86_64::*;

use super::{
    blocks::{
        add_two_products_2x, fold_2x, halves_added_2x, last_round_1x, last_round_2x, numbers_2x,
        reverse_2x, round_1x, round_2x, whole_middle_2x,
    },
    from_u128, keep_order_512, load_1x, load_2x, load_128, load_512, reversal, splat_2x, splat_4x,
    store_1x, store_2x, store_128, store_512, ternary_512,
};
use crate::core::{block::words_of_12, simd::each_of};

lanes! {
    /// One block.
    Aes1x(__m128i, 1) needs Aesni {
        splat: load_128, load: load_1x, store: store_1x, gather: gather_1x, put: put_1x, xor: _mm_xor_si128, add_bytes: _mm_add_epi8,
        whiten: _mm_xor_si128, round: round_1x, last_round: last_round_1x,
    }
}

lanes! {
    /// One block, where other vectors have two.
    Aes1of2x(__m128i, 1) needs Vaes256 {
        splat: load_128, load: load_1x, store: store_1x, gather: gather_1x, put: put_1x, xor: _mm_xor_si128, add_bytes: _mm_add_epi8,
        whiten: _mm_xor_si128, round: round_1x, last_round: last_round_1x,
    }
}

lanes! {
    /// Two blocks.
    Aes2x(__m256i, 2) needs Vaes256 {
        splat: splat_2x, load: load_2x, store: store_2x, gather: gather_2x, put: put_2x, xor: _mm256_xor_si256, add_bytes: _mm256_add_epi8,
        whiten: _mm256_xor_si256, round: round_2x, last_round: last_round_2x,
    }
}

lanes! {
    /// Four blocks.
    Aes4x(__m512i, 4) needs Vaes512 {
        splat: splat_4x, load: load_4x, store: store_4x, gather: gather_4x, put: put_4x, xor: _mm512_xor_si512, add_bytes: _mm512_add_epi8,
        whiten: _mm512_xor_si512, round: round_4x, last_round: last_round_4x, keep_order: keep_order_512,
    }
}

counter_lanes! {
    Aes1x(__m128i, 1) needs Aesni {
        from_numbers: from_numbers_1x, and: _mm_and_si128, reverse_halves: reverse_halves_1x, count_up: count_up_1x,
    }
}

counter_lanes! {
    Aes2x(__m256i, 2) needs Vaes256 {
        from_numbers: from_numbers_2x, and: _mm256_and_si256, reverse_halves: reverse_halves_2x, count_up: count_up_2x,
    }
}

counter_lanes! {
    Aes4x(__m512i, 4) needs Vaes512 {
        from_numbers: from_numbers_4x, and: _mm512_and_si512, reverse_halves: reverse_halves_4x, count_up: count_up_4x,
    }
}

lanes! {
    /// Two blocks, and GHASH.
    Gcm2x(__m256i, 2) needs Vaes256Clmul {
        splat: splat_2x, load: load_2x, store: store_2x, gather: gather_2x, put: put_2x, xor: _mm256_xor_si256, add_bytes: _mm256_add_epi8,
        whiten: _mm256_xor_si256, round: round_2x, last_round: last_round_2x,
    }
}

hash_lanes! {
    Gcm2x(__m256i, 2) needs Vaes256Clmul {
        zero: _mm256_setzero_si256, from_numbers: from_numbers_2x, numbers: numbers_2x, from_nonces: from_nonces_2x, reverse: reverse_2x, shuffle: _mm256_shuffle_epi8,
        add_product: add_one_product_2x, fold: fold_2x,
        add_two_products: add_two_products_2x, halves_added: halves_added_2x, whole_middle: whole_middle_2x,
    }
}

lanes! {
    /// Four blocks, and GHASH.
    Gcm4x(__m512i, 4) needs VaesClmul512 {
        splat: splat_4x, load: load_4x, store: store_4x, gather: gather_4x, put: put_4x, xor: _mm512_xor_si512, add_bytes: _mm512_add_epi8,
        whiten: _mm512_xor_si512, round: round_4x, last_round: last_round_4x, keep_order: keep_order_512,
    }
}

hash_lanes! {
    Gcm4x(__m512i, 4) needs VaesClmul512 {
        zero: _mm512_setzero_si512, from_numbers: from_numbers_4x, numbers: numbers_4x, from_nonces: from_nonces_4x, reverse: reverse_4x, shuffle: _mm512_shuffle_epi8,
        add_product: add_product_4x, fold: fold_4x,
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn from_numbers_1x([number]: [u128; 1]) -> __m128i {
    from_u128(number)
}

#[inline]
#[target_feature(enable = "sse2")]
fn halves_reversed() -> __m128i {
    from_u128(u128::from_be_bytes([8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]))
}

#[inline]
#[target_feature(enable = "ssse3")]
fn reverse_halves_1x(v: __m128i) -> __m128i {
    _mm_shuffle_epi8(v, halves_reversed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn reverse_halves_2x(v: __m256i) -> __m256i {
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(halves_reversed()))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn reverse_halves_4x(v: __m512i) -> __m512i {
    _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(halves_reversed()))
}

#[inline]
#[target_feature(enable = "sse2")]
fn count_up_1x(v: __m128i) -> __m128i {
    _mm_add_epi64(v, from_u128(1 << 64))
}

#[inline]
#[target_feature(enable = "avx2")]
fn count_up_2x(v: __m256i) -> __m256i {
    _mm256_add_epi64(v, _mm256_broadcastsi128_si256(from_u128(1 << 64)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn count_up_4x(v: __m512i) -> __m512i {
    _mm512_add_epi64(v, _mm512_broadcast_i32x4(from_u128(1 << 64)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn from_numbers_2x([a, b]: [u128; 2]) -> __m256i {
    _mm256_set_m128i(from_u128(b), from_u128(a))
}

/// Three products, as in `add_two_products`.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn add_one_product_2x([low, middle, high]: [__m256i; 3], a: __m256i, b: __m256i) -> [__m256i; 3] {
    let halves = |x| _mm256_xor_si256(x, _mm256_shuffle_epi32::<0b01_00_11_10>(x));
    [
        _mm256_xor_si256(low, _mm256_clmulepi64_epi128::<0x00>(a, b)),
        _mm256_xor_si256(middle, _mm256_clmulepi64_epi128::<0x00>(halves(a), halves(b))),
        _mm256_xor_si256(high, _mm256_clmulepi64_epi128::<0x11>(a, b)),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn from_numbers_4x(numbers: [u128; 4]) -> __m512i {
    let [a, b, c, d] = each_of(numbers, |number| from_u128(number));
    let (low, high) = (_mm256_set_m128i(b, a), _mm256_set_m128i(d, c));
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn from_nonce(nonce: &[u8; 12]) -> __m128i {
    let [a, b, c] = each_of(words_of_12(nonce), u32::cast_signed);
    _mm_insert_epi32::<2>(_mm_insert_epi32::<1>(_mm_cvtsi32_si128(a), b), c)
}

#[inline]
#[target_feature(enable = "avx2")]
fn from_nonces_2x([a, b]: [&[u8; 12]; 2]) -> __m256i {
    _mm256_set_m128i(from_nonce(b), from_nonce(a))
}

#[inline]
#[target_feature(enable = "avx512f,avx2")]
fn from_nonces_4x([a, b, c, d]: [&[u8; 12]; 4]) -> __m512i {
    let low = _mm512_castsi256_si512(from_nonces_2x([a, b]));
    _mm512_inserti64x4::<1>(low, from_nonces_2x([c, d]))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn numbers_4x(v: __m512i) -> [u128; 4] {
    let [a, b] = numbers_2x(_mm512_castsi512_si256(v));
    let [c, d] = numbers_2x(_mm512_extracti64x4_epi64::<1>(v));
    [a, b, c, d]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn reverse_4x(v: __m512i) -> __m512i {
    _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(reversal()))
}

#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn add_product_4x([low, middle, high]: [__m512i; 3], a: __m512i, b: __m512i) -> [__m512i; 3] {
    let cross = _mm512_clmulepi64_epi128::<0x10>(a, b);
    [
        _mm512_xor_si512(low, _mm512_clmulepi64_epi128::<0x00>(a, b)),
        ternary_512::<0x96>(middle, _mm512_clmulepi64_epi128::<0x01>(a, b), cross),
        _mm512_xor_si512(high, _mm512_clmulepi64_epi128::<0x11>(a, b)),
    ]
}

#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn fold_4x(v: __m512i, onto: __m512i) -> __m512i {
    let poly = _mm512_set1_epi64(0xc200_0000_0000_0000_u64.cast_signed());
    let swapped = _mm512_shuffle_epi32::<0b01_00_11_10>(v);
    ternary_512::<0x96>(onto, swapped, _mm512_clmulepi64_epi128::<0x00>(v, poly))
}

#[inline]
#[target_feature(enable = "sse2")]
fn gather_1x([block]: [&[u8; 16]; 1]) -> __m128i {
    load_128(block)
}

#[inline]
#[target_feature(enable = "sse2")]
fn put_1x(_: usize, to: &mut [u8; 16], v: __m128i) {
    store_128(to, v);
}

#[inline]
#[target_feature(enable = "avx2")]
fn gather_2x([a, b]: [&[u8; 16]; 2]) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(load_128(a)), load_128(b))
}

#[inline]
#[target_feature(enable = "avx2")]
fn put_2x(lane: usize, to: &mut [u8; 16], v: __m256i) {
    match lane {
        0 => store_128(to, _mm256_castsi256_si128(v)),
        _ => store_128(to, _mm256_extracti128_si256::<1>(v)),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_4x(blocks: &[[u8; 16]; 4]) -> __m512i {
    load_512(&blocks.as_flattened().as_chunks().0[0])
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_4x(blocks: &mut [[u8; 16]; 4], v: __m512i) {
    store_512(&mut blocks.as_flattened_mut().as_chunks_mut().0[0], v);
}

/// Three of them are loaded with an insertion, through two ports that AES does not use.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn gather_4x([a, b, c, d]: [&[u8; 16]; 4]) -> __m512i {
    let v = _mm512_castsi128_si512(load_128(a));
    let v = _mm512_inserti32x4::<1>(v, load_128(b));
    let v = _mm512_inserti32x4::<2>(v, load_128(c));
    _mm512_inserti32x4::<3>(v, load_128(d))
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn put_4x(lane: usize, to: &mut [u8; 16], v: __m512i) {
    match lane {
        0 => store_128(to, _mm512_castsi512_si128(v)),
        1 => store_128(to, _mm512_extracti32x4_epi32::<1>(v)),
        2 => store_128(to, _mm512_extracti32x4_epi32::<2>(v)),
        _ => store_128(to, _mm512_extracti32x4_epi32::<3>(v)),
    }
}

#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn round_4x(v: __m512i, _: __m512i, key: __m512i) -> __m512i {
    _mm512_aesenc_epi128(v, key)
}

#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn last_round_4x(v: __m512i, _: __m512i, key: __m512i) -> __m512i {
    _mm512_aesenclast_epi128(v, key)
}
