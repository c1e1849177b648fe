//! Whole blocks of a message that comes in pieces: its hash comes in and goes out.

use core::arch::x86_64::*;

use super::{
    super::{
        super::parts::Place,
        ghash512::{Sum, fold_lanes, reverse},
    },
    Keys, POWERS, STEP, STEPS, Table, View,
    counter::{Ahead, Counter},
    powers_at, rounds, step,
};
use crate::{sealing::stream::Way, simd::x86_64 as simd, text::Text};

/// Bytes for which steps pay.
const LONG: usize = 2 * 16 * STEP;

/// Encrypts or decrypts whole blocks. By value, a text would be copied in halves that wait for the words that have just
/// been stored.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(super) fn piece(keys: &Keys, place: &mut Place, text: &mut Text<'_>, way: Way) {
    // Counters of steps differ in their last bytes; of one that is made of a nonce, nobody may ask what that is.
    if text.len() >= LONG && !place.first.is_secret() {
        let before = place.blocks.wrapping_neg() as usize % STEP;
        some(keys, place, &mut text.take(16 * before), way);
        let steps = &mut text.take(text.len() / (16 * STEP) * (16 * STEP));
        match (keys.rounds, way) {
            (10, Way::Seal) => long::<true, false>(keys, place, steps),
            (10, Way::Open) => long::<true, true>(keys, place, steps),
            (_, Way::Seal) => long::<false, false>(keys, place, steps),
            (_, Way::Open) => long::<false, true>(keys, place, steps),
        }
    }
    some(keys, place, text, way);
}

/// Blocks, mostly few.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn some(keys: &Keys, place: &mut Place, text: &mut Text<'_>, way: Way) {
    while text.len() > 64 {
        few::<4>(keys, place, text, way);
    }
    if text.len() > 0 {
        few::<1>(keys, place, text, way);
    }
}

/// Whole steps, of which the first block is one of a step.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn long<const TEN: bool, const OPEN: bool>(keys: &Keys, place: &mut Place, text: &mut Text<'_>) {
    let mut view = keys.view();
    if TEN {
        view.keys.rounds = 10;
    }
    let table = view.table;
    // In registers: what is behind a reference would be updated there.
    let mut text = text.reborrow();
    let mut counter = Counter::after(table, place.first.nonce(), place.blocks);
    let mut ahead = Ahead::beginning(table, &mut counter);
    let mut sum = Sum::zero();
    let mut hash = hash_of(place);

    // The first step hashes nothing, which takes as long as no code for it. Steps are hashed in groups that are
    // reduced once; the first group has that step and may be short, and the last one has those that remain.
    let steps = text.len() / (16 * STEP);
    let mut behind = [_mm512_setzero_si512(); 4];
    let mut at = POWERS - STEP * (steps % STEPS + 1);
    let mut until = at + STEP;
    while let Some(piece) = text.next() {
        behind = step::<TEN, OPEN, true, true, true>(
            view,
            &mut counter,
            &mut ahead,
            piece,
            behind,
            &mut sum,
            at,
        );
        at += STEP;
        if at == until {
            if at == POWERS {
                hash = _mm512_xor_si512(hash, _mm512_zextsi128_si512(fold_lanes(sum.reduce())));
                sum = Sum::zero();
                at = POWERS - STEP * STEPS;
            }
            behind[0] = _mm512_xor_si512(behind[0], hash);
            hash = _mm512_setzero_si512();
            until = POWERS;
        }
    }
    let powers = powers_at::<4>(table, POWERS - STEP);
    for i in 0..4 {
        sum.add(behind[i], simd::load_512(&powers[i]));
    }
    place.blocks = place.blocks.wrapping_add((STEP * steps) as u32);
    store_hash(place, sum);
}

/// Up to four blocks in each of `N` vectors.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn few<const N: usize>(keys: &Keys, place: &mut Place, text: &mut Text<'_>, way: Way) {
    let View { table, keys } = keys.view();
    let mut text = text.take(64 * N);
    let blocks = text.len() / 16;

    // Byte-reversed, the counter is the lowest word.
    let order = _mm512_broadcast_i32x4(simd::reversal());
    let first = _mm512_broadcast_i32x4(simd::load_128(&place.first.block));
    let later = place.blocks.wrapping_add(1).cast_signed();
    let lanes = _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0);
    let lanes = _mm512_add_epi32(lanes, _mm512_maskz_set1_epi32(0x1111, later));
    let mut next = _mm512_add_epi32(_mm512_shuffle_epi8(first, order), lanes);
    let key = simd::splat_4x(keys.key(0));
    let mut state = [key; N];
    for i in 0..N {
        state[i] = _mm512_xor_si512(_mm512_shuffle_epi8(next, order), key);
        next = _mm512_add_epi32(next, _mm512_set4_epi32(0, 0, 0, 4));
    }
    rounds(keys, &mut state);

    let last = simd::splat_4x(keys.last());
    let mut hash = hash_of(place);
    let mut sum = Sum::zero();
    let powers = powers_at::<N>(table, POWERS - blocks);
    let input_only = if way == Way::Open { u64::MAX } else { 0 };
    for i in 0..N {
        let key_stream = |input| _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
        let hashed;
        if let Some(mut piece) = text.next::<64>() {
            let input = simd::load_512(piece.input());
            let output = key_stream(input);
            simd::store_512(piece.output(), output);
            hashed = _mm512_mask_mov_epi8(output, input_only, input);
        } else {
            let mut rest = text.take(64);
            // A masked store hands nothing on to a load that follows: who has a block, and goes on with it, would wait.
            let one = N == 1 && rest.len() == 16;
            let input = if one {
                _mm512_zextsi128_si512(simd::load_128(rest.input().first_chunk().unwrap()))
            } else {
                simd::load_less_512(rest.input())
            };
            let output = key_stream(input);
            hashed = _mm512_maskz_mov_epi8(
                simd::first_bytes(rest.len()),
                _mm512_mask_mov_epi8(output, input_only, input),
            );
            if one {
                let place = rest.output().first_chunk_mut().unwrap();
                simd::store_128(place, _mm512_castsi512_si128(output));
            } else {
                simd::store_less_512(rest.output(), output);
            }
        }
        sum.add(_mm512_xor_si512(reverse(hashed), hash), simd::load_512(&powers[i]));
        hash = _mm512_setzero_si512();
    }
    place.blocks = place.blocks.wrapping_add(blocks as u32);
    store_hash(place, sum);
}

/// The hash after a block, or what there is of it.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,bmi2")]
pub(super) fn hash_block(table: &Table, hash: __m128i, data: &[u8]) -> __m128i {
    let block = _mm_shuffle_epi8(simd::load_part_128(data), simd::reversal());
    let h = simd::load_128(&table[POWERS - 1]);
    let mut sum = Sum::zero();
    sum.add(_mm512_zextsi128_si512(_mm_xor_si128(hash, block)), _mm512_zextsi128_si512(h));
    _mm512_castsi512_si128(sum.reduce())
}

/// Byte-reversed, before the next block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn hash_of(place: &Place) -> __m512i {
    _mm512_zextsi128_si512(_mm_shuffle_epi8(simd::load_128(&place.hash), simd::reversal()))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,vpclmulqdq")]
fn store_hash(place: &mut Place, sum: Sum) {
    let hash = fold_lanes(sum.reduce());
    simd::store_128(&mut place.hash, _mm_shuffle_epi8(hash, simd::reversal()));
}
