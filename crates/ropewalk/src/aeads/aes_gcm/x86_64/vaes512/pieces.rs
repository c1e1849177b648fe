//! Whole blocks of a message in chunks, with the hash as input and output.

use core::arch::x86_64::*;

use super::{
    super::{
        super::parts::Place,
        ghash512::{Sum, reverse},
    },
    Keys, POWERS, Table, View, eights, hash_in, hash_out,
    last::rounds,
    powers_at,
    steps::{STEP, long},
};
use crate::{
    aeads::stream::Way,
    aes::x86_64::encrypt,
    core::{block::Block, simd::x86_64 as simd, text::Text},
};

/// From this many bytes on, steps are faster.
const LONG: usize = 2 * 16 * STEP;

/// Encrypts or decrypts whole blocks. The buffer is passed by reference: by value it would be copied in halves, which stall on
/// the words just stored.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(super) fn piece(keys: &Keys, place: &mut Place, text: &mut Text<'_>, way: Way) {
    // Steps depend on the last byte of the counter. A counter that was computed from a nonce is secret: no branch may depend on
    // it.
    if text.len() >= LONG && !place.first.is_secret() {
        let by_eights = keys.eights && text.len() >= 2 * 16 * eights::STEP;
        let step = if by_eights { eights::STEP } else { STEP };
        let before = place.blocks.wrapping_neg() as usize % step;
        some(keys, place, &mut text.take(16 * before), way);
        let whole_blocks = text.len() / (16 * step) * step;
        let whole = &mut text.take(16 * whole_blocks);
        let Place { first, hash, blocks } = place;
        let open = way == Way::Open;
        if by_eights {
            eights::long(keys, first.nonce(), &[], whole, hash, open, Some(*blocks));
        } else {
            long(keys, first.nonce(), &[], whole, hash, open, Some(*blocks));
        }
        *blocks = blocks.wrapping_add(whole_blocks as u32);
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
    let mut hash = hash_in(&place.hash);
    let mut sum = Sum::zero();
    let powers = powers_at::<N, _>(table, POWERS - blocks);
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
            // A masked store is not forwarded to later loads: a caller that goes on with the block would stall.
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
    hash_out(&mut place.hash, sum.reduce());
}

/// The tag: E(J0) is computed interleaved with the hash of the lengths, which are passed in registers.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(super) fn finish(keys: &Keys, place: &Place, aad: u64, text: u64, tag: &mut Block) {
    let View { table, keys } = keys.view();
    let [mask] = encrypt(keys, [simd::load_128(&place.first.block)]);
    let lengths = _mm_set_epi64x((8 * aad).cast_signed(), (8 * text).cast_signed());
    let before = _mm_shuffle_epi8(simd::load_128(&place.hash), simd::reversal());
    let hash = hash_reversed(table, before, lengths);
    simd::store_128(tag, _mm_xor_si128(mask, _mm_shuffle_epi8(hash, simd::reversal())));
}

/// The hash after a block, which may be short.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,bmi2")]
pub(super) fn hash_block(table: &Table, hash: __m128i, data: &[u8]) -> __m128i {
    hash_reversed(table, hash, _mm_shuffle_epi8(simd::load_part_128(data), simd::reversal()))
}

/// The same for a block that is byte-reversed.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl,bmi2")]
fn hash_reversed(table: &Table, hash: __m128i, block: __m128i) -> __m128i {
    let h = simd::load_128(&table[POWERS - 1]);
    let mut sum = Sum::zero();
    sum.add(_mm512_zextsi128_si512(_mm_xor_si128(hash, block)), _mm512_zextsi128_si512(h));
    _mm512_castsi512_si128(sum.reduce())
}
