//! GHASH of additional data, and of any data without a cipher to interleave: bound by port 5.

use core::arch::x86_64::*;

use super::{
    super::{
        super::Nonce,
        ghash512::{Pairs, Sum, fold_lanes, halves_added, reverse},
    },
    Block, POWERS, Table,
    counter::{first_counter, last_bytes},
};
use crate::{aes::middle_rounds, core::simd::x86_64 as simd};

/// Vectors between reductions.
const GROUP: usize = POWERS / 4;

/// The tag of a nonce and additional data, without a text.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
pub(super) fn mac(table: &Table, rounds: usize, nonce: &Nonce, aad: &[u8], tag: &mut Block) {
    let key = |r: usize| simd::load_128(&table[POWERS + r]);
    let first = _mm512_xor_si512(first_counter(table, nonce), last_bytes(1, 1, 1, 1));
    let mut pad = _mm512_castsi512_si128(first);
    middle_rounds!(rounds; r => pad = _mm_aesenc_si128(pad, key(r)));
    pad = _mm_aesenclast_si128(pad, key(rounds));

    let lengths = _mm_set_epi64x(8 * aad.len() as i64, 0);
    let (vectors, rest) = aad.as_chunks();
    let zero = _mm_setzero_si128();
    let blocks = rest.len().div_ceil(16);
    let hash = if blocks < 4 {
        let end = reverse(simd::load_part_512(rest));
        let lengths = _mm512_broadcast_i32x4(lengths);
        let end = _mm512_mask_mov_epi64(end, 0b11 << (2 * blocks), lengths);
        hash_vectors(table, zero, vectors, end, blocks + 1)
    } else {
        let hash = hash(table, zero, aad);
        hash_vectors(table, hash, &[], _mm512_zextsi128_si512(lengths), 1)
    };
    simd::store_128(tag, _mm_xor_si128(_mm_shuffle_epi8(hash, simd::reversal()), pad));
}

/// The hash after more data.
#[inline(never)]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,bmi2")]
pub(super) fn hash(table: &Table, hash: __m128i, data: &[u8]) -> __m128i {
    let (vectors, rest) = data.as_chunks();
    let end = reverse(simd::load_part_512(rest));
    hash_vectors(table, hash, vectors, end, rest.len().div_ceil(16))
}

/// The hash after vectors and the first `blocks` of `end`, which are at most four. Each group is reduced once; the first may be
/// short, and the last includes the end.
#[inline(never)]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,bmi2")]
fn hash_vectors(
    table: &Table,
    hash: __m128i,
    vectors: &[[u8; 64]],
    mut end: __m512i,
    blocks: usize,
) -> __m128i {
    let mut hash = _mm512_zextsi128_si512(hash);
    if vectors.is_empty() {
        end = _mm512_xor_si512(end, hash);
    }
    let before_last = vectors.len().saturating_sub((POWERS - blocks) / 4);
    let (mut before, last) = vectors.split_at(before_last);
    let mut sum = loop {
        let first = before.len().checked_sub(1).map(|others| others % GROUP + 1);
        let (group, until) = match first {
            Some(first) => (&before[..first], POWERS),
            None => (last, POWERS - blocks),
        };
        let sum = products(group, &table[until - 4 * group.len()..until], hash);
        let Some(first) = first else { break sum };
        hash = _mm512_zextsi128_si512(fold_lanes(sum.reduce()));
        hash = hash_groups(table, hash, before[first..].as_chunks().0);
        before = &[];
    };
    if blocks > 0 {
        let powers = table[POWERS - blocks..].as_flattened();
        sum.add(end, simd::load_512(powers.first_chunk().unwrap()));
    }
    fold_lanes(sum.reduce())
}

/// The products of up to [`GROUP`] vectors and as many powers.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw")]
fn products(vectors: &[[u8; 64]], powers: &[Block], hash: __m512i) -> Sum {
    let mut sum = Sum::zero();
    let [first, others @ ..] = vectors else { return sum };
    let ([first_power, powers @ ..], []) = powers.as_flattened().as_chunks() else { return sum };
    let (pairs, last) = others.as_chunks();
    let (powers, last_power) = powers.as_chunks();
    for ([a, c], [b, d]) in pairs.iter().zip(powers) {
        let (a, c) = (reverse(simd::load_512(a)), reverse(simd::load_512(c)));
        sum.add2([a, c], [simd::load_512(b), simd::load_512(d)]);
    }
    if let ([last], [power]) = (last, last_power) {
        sum.add(reverse(simd::load_512(last)), simd::load_512(power));
    }
    // Last, as it depends on the hash before.
    let x = _mm512_xor_si512(reverse(simd::load_512(first)), hash);
    sum.add(x, simd::load_512(first_power));
    sum
}

/// The hash after whole groups. The sums of halves of the powers stay in registers. Everything else is loaded again for each
/// group: registers do not suffice for both, and the stack is not aligned for vectors.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw")]
fn hash_groups(table: &Table, mut hash: __m512i, groups: &[[[u8; 64]; GROUP]]) -> __m512i {
    let mut halves = [hash; GROUP / 2];
    let (_, powers) = group_powers(table);
    for i in 0..GROUP / 2 {
        halves[i] = halves_added(&powers[i]);
    }
    for [first, others @ ..] in groups {
        let (first_power, powers) = group_powers(simd::unseen(table));
        let mut pairs = Pairs::zero();
        let data = others.as_flattened().as_chunks().0;
        unroll!(i in 0 1 2 3 4 5 => pairs.add(&data[i], &powers[i], halves[i]));
        let mut sum = pairs.sum();
        let x = _mm512_xor_si512(reverse(simd::load_512(first)), hash);
        sum.add(x, simd::load_512(first_power));
        hash = _mm512_zextsi128_si512(fold_lanes(sum.reduce()));
    }
    hash
}

/// The powers for a group: those of its first vector, and of pairs.
#[inline]
fn group_powers(table: &Table) -> (&[u8; 64], &[[u8; 128]; GROUP / 2]) {
    let (first, pairs) = table[..POWERS].as_flattened().split_first_chunk().unwrap();
    (first, pairs.as_chunks().0.try_into().unwrap())
}
