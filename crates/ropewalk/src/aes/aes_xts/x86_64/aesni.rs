//! AES-XTS with AES instructions on 128 bits.

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
        aes_ecb::x86_64::aesni::blocks,
        middle_rounds,
        x86_64::{expand as expand_kernel, expand_both as expand_both_kernel, xex_1x},
    },
    core::{
        secret::Wiped,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

backend! { Aesni needs AesniClmul, "aes,pclmulqdq,sse4.1,ssse3" }

/// A data unit, given its first tweak. The buffer is passed by reference: by value, it would be copied in halves, which stall on
/// the words just stored.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
fn one_unit(keys: Rounds<'_>, first: __m128i, text: &mut Text<'_>, encrypt: bool) {
    // A local copy stays in registers; a reference would be updated in memory.
    let mut text = text.reborrow();
    let (mut whole, mut tweaks) = (units::take_whole(&mut text), Tweaks { next: first });
    if whole.len() >= 128 {
        let mut around = tweaks.next::<8>();
        while let Some(piece) = whole.next::<128>() {
            match encrypt {
                true => step::<true>(keys.unseen(), &mut around, piece),
                false => step::<false>(keys.unseen(), &mut around, piece),
            }
        }
        tweaks.next = around[0];
    }
    while let Some(piece) = whole.next::<32>() {
        blocks::<Aesni, 2, 32>(keys.unseen(), tweaks.next(), piece, encrypt);
    }
    if let Some(piece) = whole.next::<16>() {
        blocks::<Aesni, 1, 16>(keys, tweaks.next(), piece, encrypt);
    }
    if text.len() > 0 {
        end(keys, tweaks.next, text, encrypt);
    }
}

/// Eight blocks, and the tweaks of the next eight, each computed from the one eight blocks before: one in each of the first eight
/// rounds. Before or after all rounds, they would fill the short scheduler queue of a Zen, and stall AES.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
fn step<const ENCRYPT: bool>(
    keys: Rounds<'_>,
    tweaks: &mut [__m128i; 8],
    mut text: Piece<'_, 128>,
) {
    let around = *tweaks;
    let k = simd::load_128(keys.key(0));
    let mut x: [__m128i; 8] = each(|i| {
        let input = simd::load_128(&text.input().as_chunks().0[i]);
        _mm_xor_si128(_mm_xor_si128(input, around[i]), k)
    });
    middle_rounds!(keys.rounds; r => {
        let k = simd::load_128(keys.key(r));
        for i in 0..8 {
            x[i] = if ENCRYPT { _mm_aesenc_si128(x[i], k) } else { _mm_aesdec_si128(x[i], k) };
        }
        // LLVM would move all tweaks before or after the rounds.
        simd::keep_order_128(&mut x[7]);
        if r <= 8 {
            tweaks[r - 1] = eighth(around[r - 1]);
            simd::keep_order_128(&mut tweaks[r - 1]);
        }
    });
    let k = simd::load_128(keys.last());
    for (i, out) in text.output().as_chunks_mut().0.iter_mut().enumerate() {
        // Added to the last round key, off the critical path.
        let last = _mm_xor_si128(k, around[i]);
        let output = if ENCRYPT {
            _mm_aesenclast_si128(x[i], last)
        } else {
            _mm_aesdeclast_si128(x[i], last)
        };
        simd::store_128(out, output);
    }
}

struct Tweaks {
    next: __m128i,
}

impl Tweaks {
    /// The next `N` tweaks.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn next<const N: usize>(&mut self) -> [__m128i; N] {
        let mut tweaks = [self.next; N];
        for tweak in &mut tweaks {
            *tweak = self.next;
            self.next = next(self.next);
        }
        tweaks
    }
}

/// Multiplication by α: the bit that leaves each half enters the other; from the upper half it reduces to x^7 + x^2 + x + 1.
#[inline]
#[target_feature(enable = "sse2")]
fn next(tweak: __m128i) -> __m128i {
    let top = _mm_shuffle_epi32::<0b00_01_00_11>(tweak);
    let carry = _mm_and_si128(_mm_srai_epi32::<31>(top), _mm_set_epi32(0, 1, 0, 0x87));
    _mm_xor_si128(_mm_add_epi64(tweak, tweak), carry)
}

/// Multiplication by α^8.
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
fn eighth(tweak: __m128i) -> __m128i {
    let beyond = _mm_bsrli_si128::<15>(tweak);
    let back = _mm_clmulepi64_si128::<0x00>(beyond, _mm_set_epi64x(0, 0x87));
    _mm_xor_si128(_mm_bslli_si128::<1>(tweak), back)
}
