//! Four adjacent messages that are alike: with one key, of one or four whole blocks, with equally long additional data of at most
//! a block.
//!
//! This is the common case, and such messages are so short that grouping takes longer than their encryption. Here grouping is a
//! comparison of lengths, and everything else is straight-line code. It does not serve messages with different keys: gathering
//! these takes as long as serial processing.

use core::arch::x86_64::*;

use super::{
    super::{
        super::many::Message,
        ghash512::{Sum, reverse},
    },
    LaneKey, POWERS, Tag, lane_key,
};
use crate::{
    aes::middle_rounds,
    core::{
        block::Block,
        simd::{
            each,
            x86_64::{self as simd, gather_4x, put_4x},
        },
    },
};

/// Bytes of a nonce that is a counter block without its counter.
const NONCE: usize = 12;

// Seals or opens the `left` messages in groups of four that are alike, and clears their bits.
kernel! { VaesClmul512: pub(super) fn fours(cpu, open: bool, left: &mut u64, messages: &mut [Message<'_>], tags: &mut [Tag]) = kernel }

#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn kernel(open: bool, left: &mut u64, messages: &mut [Message<'_>], tags: &mut [Tag]) {
    let (messages, _) = messages.as_chunks_mut();
    let (tags, _) = tags.as_chunks_mut();
    for (i, (messages, tags)) in messages.iter_mut().zip(tags).enumerate() {
        let bits = 0b1111_u64.rotate_left(4 * i as u32);
        if *left & bits == bits && four(open, messages, tags) {
            *left &= !bits;
        }
    }
}

/// Seals or opens four messages, if they are alike.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn four(open: bool, messages: &mut [Message<'_>; 4], tags: &mut [Tag; 4]) -> bool {
    let [first, others @ ..] = &*messages;
    let (aad, text) = (first.aad.len(), first.text.len());
    if aad > 16 || !matches!(text, 16 | 64) || first.nonce.len() != NONCE {
        return false;
    }
    let alike = |message: &Message<'_>| {
        let lens =
            (message.nonce.len() ^ NONCE) | (message.aad.len() ^ aad) | (message.text.len() ^ text);
        lens == 0 && core::ptr::eq(message.key, first.key)
    };
    others.iter().all(alike)
        && match text {
            16 => blocks::<1>(open, messages, tags),
            _ => blocks::<4>(open, messages, tags),
        }
}

/// Texts of `B` blocks.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn blocks<const B: usize>(
    open: bool,
    messages: &mut [Message<'_>; 4],
    tags: &mut [Tag; 4],
) -> bool {
    let Some(LaneKey { keys, rounds, powers }) = lane_key(messages[0].key) else { return false };
    let nonces = join(each(|lane| nonce(&messages[lane])));
    let (len, aads) =
        (messages[0].aad.len(), join(each(|lane| simd::load_part_128(messages[lane].aad))));
    let [a, b, c, d] = messages;
    let (Some(a), Some(b), Some(c), Some(d)) = (text(a), text(b), text(c), text(d)) else {
        return false;
    };
    let texts: [&mut [Block; B]; 4] = [a, b, c, d];

    let base = _mm512_xor_si512(nonces, simd::splat_4x(&keys[0]));
    let counter = |n: usize| _mm512_xor_si512(base, _mm512_set4_epi32((n as i32) << 24, 0, 0, 0));
    let (mut end, mut x): (_, [_; B]) = (counter(1), each(|i| counter(2 + i)));
    middle_rounds!(rounds; r => {
        let key = simd::splat_4x(&keys[r]);
        for i in 0..B {
            x[i] = _mm512_aesenc_epi128(x[i], key);
        }
        end = _mm512_aesenc_epi128(end, key);
    });
    // Interleaved with the rounds.
    let power = |at: usize| simd::splat_4x(&powers[at]);
    let lengths = _mm_set_epi64x(8 * len as i64, 128 * B as i64);
    let header = [reverse(aads), _mm512_broadcast_i32x4(lengths)];
    let mut sum = Sum::zero();
    sum.add2(header, [power(POWERS - 2 - B), power(POWERS - 1)]);

    let last = simd::splat_4x(&keys[rounds.min(14)]);
    let inputs = if open { !0 } else { 0 };
    for i in 0..B {
        let input = gather_4x(each(|lane| &texts[lane][i]));
        let output = _mm512_aesenclast_epi128(x[i], _mm512_xor_si512(last, input));
        for lane in 0..4 {
            put_4x(lane, &mut texts[lane][i], output);
        }
        x[i] = reverse(_mm512_mask_mov_epi64(output, inputs, input));
    }
    if B == 1 {
        sum.add(x[0], power(POWERS - 2));
    }
    for i in (1..B).step_by(2) {
        let at = POWERS - 2 - B + i;
        sum.add2([x[i - 1], x[i]], [power(at), power(at + 1)]);
    }
    let tag = _mm512_xor_si512(_mm512_aesenclast_epi128(end, last), reverse(sum.reduce()));
    for lane in 0..4 {
        put_4x(lane, &mut tags[lane].bytes, tag);
    }
    true
}

#[inline]
#[target_feature(enable = "avx512bw,avx512vl,bmi2")]
fn nonce(message: &Message<'_>) -> __m128i {
    match message.nonce.first_chunk::<NONCE>() {
        Some(nonce) => simd::load_part_128(nonce),
        None => _mm_setzero_si128(),
    }
}

#[inline(always)]
fn text<'a, const B: usize>(message: &'a mut Message<'_>) -> Option<&'a mut [Block; B]> {
    message.text.as_chunks_mut().0.first_chunk_mut()
}

#[inline]
#[target_feature(enable = "avx512f")]
fn join([a, b, c, d]: [__m128i; 4]) -> __m512i {
    let v = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
    _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(v, c), d)
}
