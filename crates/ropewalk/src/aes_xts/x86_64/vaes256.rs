//! AES-XTS with AES instructions on 256 bits: two blocks, and two tweaks, in each vector.

use core::arch::x86_64::*;

use super::super::{
    Block, Secret, Xts,
    units::{self, MANY},
};
use crate::{
    aes::{
        RoundKeys, Rounds, middle_rounds,
        x86_64::{expand as expand_kernel, expand_both as expand_both_kernel, looped_1x, xex_1x},
    },
    aes_ecb::x86_64::vaes256::{single, whole},
    cpu::Vaes256Clmul as Cpu,
    secret::Wiped,
    simd::{align_stack, each, x86_64 as simd},
    text::{Piece, Text},
};

pub(in crate::aes_xts) struct Vaes256 {
    cpu: Cpu,
    /// For encrypting texts, and for decrypting them.
    pub(in crate::aes_xts) text: [RoundKeys; 2],
    pub(in crate::aes_xts) tweak: RoundKeys,
}

impl Xts for Vaes256 {
    kernel! { Vaes256Clmul: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Vaes256::kernel::<true> }
    kernel! { Vaes256Clmul: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Vaes256::kernel::<false> }
}

kernel! { Vaes256Clmul: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }
kernel! { Vaes256Clmul: fn expand_both(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both_kernel }

impl Vaes256 {
    #[inline]
    pub(in crate::aes_xts) fn new(cpu: Cpu, [text, tweak]: Secret<'_>) -> Self {
        Self { cpu, text: expand_both(cpu, text), tweak: expand(cpu, tweak) }
    }

    #[inline]
    #[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
    fn kernel<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, mut text: Text<'_>) {
        apply(self, tweak, unit, &mut text, ENCRYPT);
    }

    /// For texts, and for tweaks.
    #[inline]
    fn keys(&self, encrypt: bool) -> [Rounds<'_>; 2] {
        [self.text[usize::from(!encrypt)].view(), self.tweak.view()]
    }
}

#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn apply(key: &Vaes256, tweak: &Block, unit: usize, text: &mut Text<'_>, encrypt: bool) {
    let [keys, tweak_keys] = key.keys(encrypt);
    if text.len() > unit {
        return units(key, tweak, unit, text, encrypt);
    }
    let none = _mm_setzero_si128();
    let [first] =
        xex_1x::<Vaes256, 1>(tweak_keys.ten_or_fourteen(), [simd::load_128(tweak)], [none], true);
    one_unit(keys, first, text, encrypt);
}

/// More than one.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn units(key: &Vaes256, tweak: &Block, unit: usize, text: &mut Text<'_>, encrypt: bool) {
    let [keys, tweak_keys] = key.keys(encrypt);
    let (mut text, mut number) = (text.reborrow(), u128::from_le_bytes(*tweak));
    // In memory, for one place to call a unit.
    let (mut firsts, mut i) = (Wiped::new([[0; 16]; MANY]), 0);
    while text.len() > 0 {
        if i % MANY == 0 {
            *firsts = units::numbers(number);
            let none = [_mm_setzero_si128(); MANY];
            let x = looped_1x::<Vaes256, MANY>(
                tweak_keys,
                each(|i| simd::load_128(&firsts[i])),
                none,
                true,
            );
            for i in 0..MANY {
                simd::store_128(&mut firsts[i], x[i]);
            }
            number = number.wrapping_add(MANY as u128);
        }
        one_unit(keys, simd::load_128(&firsts[i % MANY]), &mut text.take(unit), encrypt);
        i += 1;
    }
}

/// A block, given its tweak.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
#[allow(improper_ctypes_definitions, reason = "C has vectors go in registers")]
extern "C" fn block(keys: Rounds<'_>, x: __m128i, around: __m128i, encrypt: bool) -> __m128i {
    let [x] = xex_1x::<Vaes256, 1>(keys.ten_or_fourteen(), [x], [around], encrypt);
    x
}

/// A data unit of which others have encrypted the tweak.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
pub(super) fn unit(keys: Rounds<'_>, first: &Block, mut text: Text<'_>, encrypt: bool) {
    one_unit(keys, simd::load_128(first), &mut text, encrypt);
}

/// A data unit, given its first tweak. By value, a text would be copied in halves that wait for words that have just been
/// stored.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn one_unit(keys: Rounds<'_>, first: __m128i, text: &mut Text<'_>, encrypt: bool) {
    align_stack();
    // In registers: what is behind a reference would be updated there.
    let mut text = text.reborrow();
    let mut blocks = units::take_whole(&mut text);
    let mut two = _mm256_broadcastsi128_si256(first);
    // A block alone needs no other tweak.
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

/// All blocks but one that is left alone, given the first tweak twice; returns the next two.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn pairs(keys: Rounds<'_>, first: __m256i, blocks: &mut Text<'_>, encrypt: bool) -> __m256i {
    let a = _mm256_blend_epi32::<0b1111_0000>(first, times_bits::<1, 63>(first));
    let mut tweaks = [a, times_bits::<2, 62>(a), times_bits::<4, 60>(a), times_bits::<6, 58>(a)];
    // Steps of four vectors overlap, and need fewer tweaks; many blocks go eight by eight.
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

/// A block and less than one behind it, given the first tweak.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn end(keys: Rounds<'_>, tweak: __m128i, mut text: Text<'_>, encrypt: bool) {
    let crypt =
        |tweak, x| simd::to_u128(block(keys, simd::from_u128(x), simd::from_u128(tweak), encrypt));
    let [first, second] = units::last_two(simd::to_u128(tweak), encrypt);
    let stolen_from = crypt(first, units::first_block(&text));
    let rest = units::steal(&mut text, stolen_from);
    units::finish(&mut text, crypt(second, rest));
}

/// Eight vectors. Beside the first rounds their tweaks become those of the next eight, each by itself, so that no step
/// begins with what waits.
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
        // LLVM would have all tweaks before the rounds, or after them.
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
        // With the last round key, off the chain of rounds.
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

/// Each block times x to the power of `BITS`, with `64 - BITS` given too.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn times_bits<const BITS: i32, const REST: i32>(v: __m256i) -> __m256i {
    let moved = _mm256_slli_epi64::<BITS>(v);
    let beyond = _mm256_srli_epi64::<REST>(v);
    let back = _mm256_clmulepi64_epi128::<0x01>(beyond, polynomial());
    _mm256_xor_si256(_mm256_xor_si256(moved, _mm256_bslli_epi128::<8>(beyond)), back)
}

/// x^128, which is x^7 + x^2 + x + 1.
#[inline]
#[target_feature(enable = "avx")]
fn polynomial() -> __m256i {
    _mm256_set1_epi64x(0x87)
}
