//! Vectors of AES and GHASH blocks.

use core::arch::x86_64::*;

use super::{
    from_u128, hash_groups_1x, keep_order_128, keep_order_256, load_1x, load_2x, load_128,
    reversal, splat_2x, store_1x, store_2x, to_u128,
};
use crate::core::simd::{each, each_of};

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
        add_two_products: add_two_products_1x, halves_added: halves_added_1x, whole_middle: whole_middle_1x,
        hash_groups: hash_groups_1x, keep_order: keep_order_128,
    }
}

blocks! {
    /// A block, with the encodings of AVX, which do not overwrite an operand.
    Avx1x(__m128i, 1) needs AvxClmul {
        zero: _mm_setzero_si128, splat: load_128, load: load_1x, store: store_1x,
        from_numbers: from_numbers_1x, numbers: numbers_1x,
        xor: _mm_xor_si128, and: _mm_and_si128, reverse: reverse_1x, sum_lanes: itself, last_lane: itself, with_last: second,
        whiten: _mm_xor_si128, round: round_1x, last_round: last_round_1x,
        last_round_onto: last_round_onto_1x,
        inv_round: inv_round_1x, inv_last_round: inv_last_round_1x,
        add_product: add_product_1x, fold: fold_1x,
        add_two_products: add_two_products_1x, halves_added: halves_added_1x, whole_middle: whole_middle_1x,
        hash_groups: hash_groups_1x, keep_order: keep_order_128,
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
        add_two_products: add_two_products_2x, halves_added: halves_added_2x, whole_middle: whole_middle_2x,
        hash_groups: hash_groups_2x, keep_order: keep_order_256,
    }
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
pub(super) fn round_1x(v: __m128i, _: __m128i, key: __m128i) -> __m128i {
    _mm_aesenc_si128(v, key)
}

#[inline]
#[target_feature(enable = "aes")]
pub(super) fn last_round_1x(v: __m128i, _: __m128i, key: __m128i) -> __m128i {
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

/// Three products each (Karatsuba): the product of the sums of halves contains all three parts. On Zen 3 a product takes two
/// cycles. On Intel it takes one, on a port that shuffles use too, and one shuffle serves two vectors.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
pub(super) fn add_two_products_1x(
    [low, middle, high]: [__m128i; 3],
    [a, c]: [__m128i; 2],
    [b, d]: [__m128i; 2],
    added: __m128i,
) -> [__m128i; 3] {
    let x = halves_added_1x(a, c);
    let m = _mm_xor_si128(middle, _mm_clmulepi64_si128::<0x00>(x, added));
    let l = _mm_xor_si128(low, _mm_clmulepi64_si128::<0x00>(a, b));
    let h = _mm_xor_si128(high, _mm_clmulepi64_si128::<0x11>(a, b));
    [
        _mm_xor_si128(l, _mm_clmulepi64_si128::<0x00>(c, d)),
        _mm_xor_si128(m, _mm_clmulepi64_si128::<0x11>(x, added)),
        _mm_xor_si128(h, _mm_clmulepi64_si128::<0x11>(c, d)),
    ]
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
pub(super) fn halves_added_1x(a: __m128i, b: __m128i) -> __m128i {
    let inner = _mm_alignr_epi8::<8>(b, a);
    _mm_xor_si128(inner, _mm_blend_epi16::<0b1111_0000>(a, b))
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
pub(super) fn whole_middle_1x([low, middle, high]: [__m128i; 3]) -> [__m128i; 3] {
    [low, _mm_xor_si128(middle, _mm_xor_si128(low, high)), high]
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
fn from_numbers_2x([low, high]: [u128; 2]) -> __m256i {
    _mm256_set_m128i(from_u128(high), from_u128(low))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn numbers_2x(v: __m256i) -> [u128; 2] {
    [to_u128(_mm256_castsi256_si128(v)), to_u128(_mm256_extracti128_si256::<1>(v))]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn reverse_2x(v: __m256i) -> __m256i {
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
pub(super) fn round_2x(v: __m256i, _: __m256i, key: __m256i) -> __m256i {
    _mm256_aesenc_epi128(v, key)
}

#[inline]
#[target_feature(enable = "vaes,avx2")]
pub(super) fn last_round_2x(v: __m256i, _: __m256i, key: __m256i) -> __m256i {
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
pub(crate) fn add_product_2x(
    [low, middle, high]: [__m256i; 3],
    a: __m256i,
    b: __m256i,
) -> [__m256i; 3] {
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

/// Three products each (Karatsuba): the product of the sums of halves contains all three parts. On Zen 3 a product takes two
/// cycles. On Intel it takes one, on a port that shuffles use too, and one shuffle serves two vectors.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
pub(super) fn add_two_products_2x(
    [low, middle, high]: [__m256i; 3],
    [a, c]: [__m256i; 2],
    [b, d]: [__m256i; 2],
    added: __m256i,
) -> [__m256i; 3] {
    let x = halves_added_2x(a, c);
    let m = _mm256_xor_si256(middle, _mm256_clmulepi64_epi128::<0x00>(x, added));
    let l = _mm256_xor_si256(low, _mm256_clmulepi64_epi128::<0x00>(a, b));
    let h = _mm256_xor_si256(high, _mm256_clmulepi64_epi128::<0x11>(a, b));
    [
        _mm256_xor_si256(l, _mm256_clmulepi64_epi128::<0x00>(c, d)),
        _mm256_xor_si256(m, _mm256_clmulepi64_epi128::<0x11>(x, added)),
        _mm256_xor_si256(h, _mm256_clmulepi64_epi128::<0x11>(c, d)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn halves_added_2x(a: __m256i, b: __m256i) -> __m256i {
    let inner = _mm256_alignr_epi8::<8>(b, a);
    _mm256_xor_si256(inner, _mm256_blend_epi32::<0b1100_1100>(a, b))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn whole_middle_2x([low, middle, high]: [__m256i; 3]) -> [__m256i; 3] {
    [low, _mm256_xor_si256(middle, _mm256_xor_si256(low, high)), high]
}

#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
pub(crate) fn fold_2x(v: __m256i, onto: __m256i) -> __m256i {
    let poly = _mm256_set1_epi64x(0xc200_0000_0000_0000_u64.cast_signed());
    let swapped = _mm256_shuffle_epi32::<0b01_00_11_10>(v);
    let product = _mm256_clmulepi64_epi128::<0x00>(v, poly);
    _mm256_xor_si256(_mm256_xor_si256(onto, swapped), product)
}

/// The hash after groups of sixteen blocks, byte-reversed, given the powers by which such a group is multiplied.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn hash_groups_2x(mut hash: __m256i, data: &[[u8; 16]], powers: &[[u8; 16]]) -> __m256i {
    let Some(powers) = powers.first_chunk::<16>() else { return hash };
    let two = |blocks: &[[u8; 16]; 16], i: usize| {
        let pairs = blocks.as_chunks().0;
        [load_2x(&pairs[2 * i]), load_2x(&pairs[2 * i + 1])]
    };
    let added: [_; 4] = each(|i| {
        let [a, b] = two(powers, i);
        halves_added_2x(a, b)
    });
    for group in data.as_chunks::<16>().0 {
        let mut sum = [_mm256_setzero_si256(); 3];
        // The part that depends on the hash comes last.
        for i in [1, 2, 3, 0] {
            let [mut a, b] = each_of(two(group, i), |v| reverse_2x(v));
            if i == 0 {
                a = _mm256_xor_si256(a, hash);
            }
            sum = add_two_products_2x(sum, [a, b], two(powers, i), added[i]);
        }
        let [low, middle, high] = whole_middle_2x(sum);
        hash = sum_lanes_2x(fold_2x(fold_2x(low, middle), high));
    }
    hash
}
