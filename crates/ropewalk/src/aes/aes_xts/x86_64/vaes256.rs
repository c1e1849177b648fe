//! AES-XTS with AES instructions on 256 bits: two blocks, and two tweaks, in each vector.

use core::arch::x86_64::*;

use super::{
    super::{
        Block, Secret, Xts,
        units::{self, MANY},
    },
    backends::{backend, first_tweaks},
};
use crate::{
    aes::{
        RoundKeys, Rounds,
        aes_ecb::x86_64::vaes256::{single, whole},
        middle_rounds,
        x86_64::{expand as expand_kernel, expand_both as expand_both_kernel, xex_1x},
    },
    core::{
        opaque::align_stack,
        secret::Wiped,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

backend! { Vaes256 needs Vaes256Clmul, "vaes,vpclmulqdq,aes,pclmulqdq,avx2" }

/// A data unit, given its first tweak. The buffer is passed by reference: by value, it would be copied in halves, which stall on
/// the words just stored.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn one_unit(keys: Rounds<'_>, first: __m128i, text: &mut Text<'_>, encrypt: bool) {
    align_stack();
    // A local copy stays in registers; a reference would be updated in memory.
    let mut text = text.reborrow();
    let mut blocks = units::take_whole(&mut text);
    let mut two = _mm256_broadcastsi128_si256(first);
    // A single block needs no other tweak.
    if blocks.len() != 16 || text.len() > 0 {
        two = pairs(keys, two, &mut blocks, encrypt);
    }
    let mut next = _mm256_castsi256_si128(two);
    if let Some(piece) = blocks.next::<16>() {
        single::<Vaes256>(keys, next, piece, encrypt);
        next = _mm256_extracti128_si256::<1>(two);
    }
    if text.len() > 0 {
        end(keys, next, text, encrypt);
    }
}

/// All blocks but a single last one, given the first tweak twice; returns the next two.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn pairs(keys: Rounds<'_>, first: __m256i, blocks: &mut Text<'_>, encrypt: bool) -> __m256i {
    let a = _mm256_blend_epi32::<0b1111_0000>(first, times_bits::<1, 63>(first));
    let mut tweaks = [a, times_bits::<2, 62>(a), times_bits::<4, 60>(a), times_bits::<6, 58>(a)];
    // Steps of four vectors overlap, and need fewer tweaks; long texts take steps of eight.
    if blocks.len() >= 512 {
        let [a, b, c, d] = tweaks;
        let [e, f, g, h] = each(|i| eighth(tweaks[i]));
        let mut around = [a, b, c, d, e, f, g, h];
        while let Some(piece) = blocks.next::<256>() {
            match encrypt {
                true => step::<true>(keys.unseen(), &mut around, piece),
                false => step::<false>(keys.unseen(), &mut around, piece),
            }
        }
        let [a, b, c, d, ..] = around;
        tweaks = [a, b, c, d];
    }
    while let Some(piece) = blocks.next::<128>() {
        whole::<Vaes256, 4, 128>(keys, tweaks, piece, encrypt);
        tweaks = each(|i| eighth(tweaks[i]));
    }
    let [mut a, mut b, c, d] = tweaks;
    if let Some(piece) = blocks.next::<64>() {
        whole::<Vaes256, 2, 64>(keys, [a, b], piece, encrypt);
        (a, b) = (c, d);
    }
    if let Some(piece) = blocks.next::<32>() {
        whole::<Vaes256, 1, 32>(keys, [a], piece, encrypt);
        a = b;
    }
    a
}

/// Eight vectors. During the first rounds their tweaks become those of the next eight, each independently, so that no step begins
/// with a stall.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx2")]
fn step<const ENCRYPT: bool>(
    keys: Rounds<'_>,
    tweaks: &mut [__m256i; 8],
    mut text: Piece<'_, 256>,
) {
    let around = *tweaks;
    let k = simd::splat_2x(keys.key(0));
    let mut x: [__m256i; 8] = each(|i| {
        let input = simd::load_256(&text.input().as_chunks().0[i]);
        _mm256_xor_si256(_mm256_xor_si256(input, around[i]), k)
    });
    middle_rounds!(keys.rounds; r => {
        let k = simd::splat_2x(keys.key(r));
        for i in 0..8 {
            x[i] = if ENCRYPT { _mm256_aesenc_epi128(x[i], k) } else { _mm256_aesdec_epi128(x[i], k) };
        }
        // LLVM would move all tweaks before or after the rounds.
        simd::keep_order_256(&mut x[7]);
        if r <= 4 {
            for i in [2 * r - 2, 2 * r - 1] {
                tweaks[i] = sixteenth(around[i]);
                simd::keep_order_256(&mut tweaks[i]);
            }
        }
    });
    let k = simd::splat_2x(keys.last());
    for (i, out) in text.output().as_chunks_mut().0.iter_mut().enumerate() {
        // Added to the last round key, off the critical path.
        let last = _mm256_xor_si256(k, around[i]);
        let output = if ENCRYPT {
            _mm256_aesenclast_epi128(x[i], last)
        } else {
            _mm256_aesdeclast_epi128(x[i], last)
        };
        simd::store_256(out, output);
    }
}

/// Each block times x^8.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn eighth(v: __m256i) -> __m256i {
    let back = _mm256_clmulepi64_epi128::<0x00>(_mm256_bsrli_epi128::<15>(v), polynomial());
    _mm256_xor_si256(_mm256_bslli_epi128::<1>(v), back)
}

/// Each block times x^16.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn sixteenth(v: __m256i) -> __m256i {
    let back = _mm256_clmulepi64_epi128::<0x00>(_mm256_bsrli_epi128::<14>(v), polynomial());
    _mm256_xor_si256(_mm256_bslli_epi128::<2>(v), back)
}

/// Multiplies each block by x^`BITS`; `REST` is `64 - BITS`.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn times_bits<const BITS: i32, const REST: i32>(v: __m256i) -> __m256i {
    let moved = _mm256_slli_epi64::<BITS>(v);
    let beyond = _mm256_srli_epi64::<REST>(v);
    let back = _mm256_clmulepi64_epi128::<0x01>(beyond, polynomial());
    _mm256_xor_si256(_mm256_xor_si256(moved, _mm256_bslli_epi128::<8>(beyond)), back)
}

/// x^128, which is x^7 + x^2 + x + 1 in the field.
#[inline]
#[target_feature(enable = "avx")]
fn polynomial() -> __m256i {
    _mm256_set1_epi64x(0x87)
}
