//! The last vectors of a message, which are all of a short one.

use core::arch::x86_64::*;

use super::{
    super::{
        super::Nonce,
        ghash512::{Sum, fold_lanes, reverse},
    },
    Block, Keys, POWERS, Rounds, View,
    counter::Counter,
    of_lengths, powers_at,
};
use crate::{
    aes::middle_rounds,
    core::{opaque::unseen, simd::x86_64 as simd, text::Text},
};

/// The state before the last vectors of a message.
pub(super) struct Before {
    pub(super) counter: Counter,
    pub(super) sum: Sum,
    /// The value to be added to the next block of the hash.
    pub(super) hash: __m512i,
    pub(super) lengths: __m128i,
}

/// The direction of a message, and the state before its last vectors; none for a short message.
pub(super) struct How<'a> {
    pub(super) open: bool,
    pub(super) before: Option<&'a Before>,
}

/// The last vectors of a message, or all of a short one, with additional data of at most 4 blocks: one reduction. The last vector
/// has a spare block: counter 1 for AES, and the lengths for GHASH. The buffer is passed by reference: by value it would be
/// copied in halves, which stall on the words just stored.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
pub(super) fn last<const N: usize>(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
    how: &How<'_>,
) {
    // Otherwise LLVM would pass the fields of this reference on the stack, and the caller could not tail-call this function.
    let how = unseen(how);
    // A local copy stays in registers; a reference would be updated in memory.
    let mut text = text.reborrow();
    let View { table, keys } = keys.view();
    let part = text.len().wrapping_add(15) / 16 % 4;
    let at = POWERS - 1 - (4 * (N - 1) + part);
    let (mut counter, mut sum, hash, lengths);
    if let Some(before) = how.before {
        counter = before.counter;
        (sum, hash, lengths) = (before.sum, before.hash, before.lengths);
    } else {
        counter = Counter::new(table, nonce);
        (sum, hash) = (Sum::zero(), _mm512_setzero_si512());
        lengths = of_lengths(aad, &text);
    }
    // Additional data of one block goes in the last vector, unless the text fills its lanes.
    let mut header = _mm_setzero_si128();
    if aad.len() <= 16 && part < 3 {
        header = simd::load_part_128(aad);
    } else if !aad.is_empty() {
        let [power] = powers_at(table, at - aad.len().div_ceil(16));
        sum.add(reverse(simd::load_part_512(aad)), simd::load_512(power));
    }

    let spare = 0b11 << (2 * part);
    let mut state = counter.next::<N>();
    state[N - 1] = _mm512_mask_blend_epi64(spare, state[N - 1], counter.first());
    rounds(keys, &mut state);
    let pad = last_round::<N, true>(keys, &mut state, &mut text, spare, lengths, header, how.open);
    state[0] = _mm512_xor_si512(state[0], hash);
    let powers = powers_at::<N, _>(table, at);
    for i in 0..N {
        let mut power = simd::load_512(&powers[i]);
        if i == N - 1 {
            // Where that lane is not free, it holds the lengths.
            let of_header = if part < 3 { &table[at - 1] } else { &table[POWERS - 1] };
            power = _mm512_mask_broadcast_i32x4(power, 0xf000, simd::load_128(of_header));
        }
        sum.add(state[i], power);
    }
    simd::store_128(tag, fold_lanes(_mm512_xor_si512(reverse(sum.reduce()), pad)));
}

/// The rounds between the first and the last.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
pub(super) fn rounds<const N: usize>(keys: Rounds<'_>, state: &mut [__m512i; N]) {
    if N > 5 {
        // Among so many instructions, the jumps of a loop cost little.
        for key in keys.keys.get(1..keys.rounds).unwrap_or_default() {
            let key = simd::splat_4x(key);
            for i in 0..N {
                state[i] = _mm512_aesenc_epi128(state[i], key);
            }
        }
        return;
    }
    middle_rounds!(keys.rounds; round => {
        let key = simd::splat_4x(keys.key(round));
        for i in 0..N {
            state[i] = _mm512_aesenc_epi128(state[i], key);
        }
    });
}

/// The last round of up to `N` vectors, the last of which is not whole: XORs them into the text, leaves in `state` the blocks to
/// hash, with the lengths in the `spare` lane, and returns the encrypted counter of that lane. The `HEADER`, if there is one, is
/// additional data for the last lane, which then holds no text. Each function that calls this calls an instance of its own: LLVM
/// would not inline a shared one, and vectors would go through memory.
#[inline]
#[target_feature(enable = "vaes,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
pub(super) fn last_round<const N: usize, const HEADER: bool>(
    keys: Rounds<'_>,
    state: &mut [__m512i; N],
    text: &mut Text<'_>,
    spare: u8,
    lengths: __m128i,
    header: __m128i,
    open: bool,
) -> __m512i {
    let last = simd::splat_4x(keys.last());
    let mut pad = last;
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 => if i < N {
        // Of the last two vectors, one may be short, and the other then has nothing.
        let whole = if i + 2 < N {
            let Some(piece) = text.next::<64>() else { unreachable!("there are two more") };
            Some(piece)
        } else if i + 1 < N {
            text.next::<64>()
        } else {
            None
        };
        let (output, mut hashed);
        if let Some(mut piece) = whole {
            let input = simd::load_512(piece.input());
            output = _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
            simd::store_512(piece.output(), output);
            hashed = either(input, output, open);
        } else if 1 < N && N < 5 && text.len() == 0 {
            // Data to be opened can be hashed before the cipher. (With more vectors, LLVM would keep all in memory.)
            hashed = _mm512_setzero_si512();
            output = _mm512_aesenclast_epi128(state[i], last);
        } else {
            let mut rest = text.take(64);
            // A masked store is not forwarded to later loads: a caller that goes on with the one or two blocks would stall.
            let blocks = if N == 1 { rest.len() } else { 0 };
            let input = match blocks {
                16 => _mm512_zextsi128_si512(simd::load_128(rest.input().first_chunk().unwrap())),
                32 => _mm512_zextsi256_si512(simd::load_256(rest.input().first_chunk().unwrap())),
                _ => simd::load_less_512(rest.input()),
            };
            output = _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
            let end = _mm512_maskz_mov_epi8(simd::first_bytes(rest.len()), output);
            hashed = either(input, end, open);
            match blocks {
                16 => simd::store_128(
                    rest.output().first_chunk_mut().unwrap(),
                    _mm512_castsi512_si128(output),
                ),
                32 => simd::store_256(
                    rest.output().first_chunk_mut().unwrap(),
                    _mm512_castsi512_si256(output),
                ),
                _ => simd::store_less_512(rest.output(), output),
            }
        }
        if i == N - 1 {
            if HEADER {
                hashed = _mm512_inserti32x4::<3>(hashed, header);
            }
            hashed = reverse(hashed);
            let lengths = _mm512_broadcast_i32x4(lengths);
            state[i] = _mm512_mask_mov_epi64(hashed, spare, lengths);
            pad = _mm512_maskz_mov_epi64(spare, output);
        } else {
            state[i] = reverse(hashed);
        }
    });
    pad
}

/// The data to hash: a jump, so that opened data does not wait for the cipher.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn either(input: __m512i, mut output: __m512i, open: bool) -> __m512i {
    if open {
        return input;
    }
    simd::keep_order_512(&mut output);
    output
}
