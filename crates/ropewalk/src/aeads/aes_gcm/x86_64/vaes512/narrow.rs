//! Texts of one block or of four, on at most 256 bits, except for these four: dense 512-bit code lowers the clock.

use core::arch::x86_64::*;

use super::{
    super::{
        super::Nonce,
        ghash512::{Sum, fold_lanes, reverse},
    },
    Block, Keys, POWERS, Table, View,
    counter::{first_counter, first_counter_2x, last_bytes},
    powers_at,
};
use crate::{
    aes::middle_rounds,
    core::{
        simd::{
            each,
            x86_64::{
                self as simd, add_product_1x, add_product_2x, fold_2x, reverse_1x, reverse_2x,
            },
        },
        text::Text,
    },
};

/// Up to a block of text, with additional data of at most one: after the cipher there is one product of one lane.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
pub(super) fn one<const OPEN: bool>(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
) {
    // A local copy stays in registers; a reference would be updated in memory.
    let mut text = text.reborrow();
    let View { table, keys } = keys.view();
    let counts = _mm256_set_epi64x(1 << 56, 0, 2 << 56, 0);
    let mut state = _mm256_xor_si256(first_counter_2x(table, nonce), counts);
    middle_rounds!(keys.rounds; round => {
        state = _mm256_aesenc_epi128(state, simd::splat_2x(keys.key(round)));
    });
    let at = POWERS - 2;
    let sum = header(table, at, aad, text.len());

    let input = simd::load_part_128(text.input());
    let last = _mm256_xor_si256(simd::splat_2x(keys.last()), _mm256_zextsi128_si256(input));
    let output = _mm256_aesenclast_epi128(state, last);
    let pad = _mm256_extracti128_si256::<1>(output);
    let output = _mm256_castsi256_si128(output);
    let len = text.len();
    simd::store_part_128(text.output(), output);
    let hashed = if OPEN { input } else { simd::first_of_128(output, len) };
    let power = simd::load_128(&table[at]);
    let zero = _mm_setzero_si128();
    let products = add_product_1x([zero; 3], reverse_1x(hashed), power);
    let [low, middle, high] =
        each(|i| _mm256_xor_si256(sum[i], _mm256_zextsi128_si256(products[i])));
    let hash = reverse_2x(fold_2x(fold_2x(low, middle), high));
    let (a, b) = (_mm256_castsi256_si128(hash), _mm256_extracti128_si256::<1>(hash));
    simd::store_128(tag, _mm_xor_si128(_mm_xor_si128(a, b), pad));
}

/// Four blocks of text, likewise: only these are on 512 bits.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
pub(super) fn four<const OPEN: bool>(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
) {
    let Some(mut text) = text.reborrow().next::<64>() else { unreachable!("there are four") };
    let View { table, keys } = keys.view();
    let base = first_counter(table, nonce);
    let mut state = _mm512_xor_si512(base, last_bytes(2, 3, 4, 5));
    let first = _mm512_castsi512_si128(base);
    let mut pad = _mm_xor_si128(first, _mm_set_epi64x(1 << 56, 0));
    middle_rounds!(keys.rounds; round => {
        let key = simd::splat_4x(keys.key(round));
        state = _mm512_aesenc_epi128(state, key);
        pad = _mm_aesenc_si128(pad, _mm512_castsi512_si128(key));
    });
    let at = POWERS - 5;
    let products = header(table, at, aad, 64);
    let last = simd::splat_4x(keys.last());
    pad = _mm_aesenclast_si128(pad, _mm512_castsi512_si128(last));

    let input = simd::load_512(text.input());
    let output = _mm512_aesenclast_epi128(state, _mm512_xor_si512(last, input));
    simd::store_512(text.output(), output);
    let [powers] = powers_at(table, at);
    let hashed = reverse(if OPEN { input } else { output });
    let mut sum = Sum::of(each(|i| _mm512_zextsi256_si512(products[i])));
    sum.add(hashed, simd::load_512(powers));
    let hash = reverse_1x(fold_lanes(sum.reduce()));
    simd::store_128(tag, _mm_xor_si128(hash, pad));
}

/// The products of additional data, up to a block before the text's first power, and of the lengths: interleaved with the rounds.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,bmi2")]
fn header(table: &Table, at: usize, aad: &[u8], text_len: usize) -> [__m256i; 3] {
    let data = reverse_1x(simd::load_part_128(aad));
    let lengths = _mm_set_epi64x(8 * aad.len() as i64, 8 * text_len as i64);
    let powers =
        _mm256_set_m128i(simd::load_128(&table[POWERS - 1]), simd::load_128(&table[at - 1]));
    let zero = _mm256_setzero_si256();
    add_product_2x([zero; 3], _mm256_set_m128i(lengths, data), powers)
}
