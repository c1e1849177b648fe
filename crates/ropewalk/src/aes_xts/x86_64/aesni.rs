//! AES-XTS with AES instructions on 128 bits.

use core::arch::x86_64::*;

use super::super::{
    Block, Secret, Xts,
    units::{self, MANY},
};
use crate::{
    aes::{
        RoundKeys, Rounds,
        x86_64::{expand as expand_kernel, expand_both as expand_both_kernel, looped_1x, xex_1x},
    },
    aes_ecb::x86_64::aesni::blocks,
    cpu::AesniClmul as Cpu,
    secret::Wiped,
    simd::{each, x86_64 as simd},
    text::Text,
};

pub(in crate::aes_xts) struct Aesni {
    cpu: Cpu,
    /// For encrypting texts, and for decrypting them.
    pub(in crate::aes_xts) text: [RoundKeys; 2],
    pub(in crate::aes_xts) tweak: RoundKeys,
}

impl Xts for Aesni {
    kernel! { AesniClmul: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Aesni::kernel::<true> }
    kernel! { AesniClmul: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Aesni::kernel::<false> }
}

kernel! { AesniClmul: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }
kernel! { AesniClmul: fn expand_both(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both_kernel }

impl Aesni {
    #[inline]
    pub(in crate::aes_xts) fn new(cpu: Cpu, [text, tweak]: Secret<'_>) -> Self {
        Self { cpu, text: expand_both(cpu, text), tweak: expand(cpu, tweak) }
    }

    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
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
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
fn apply(key: &Aesni, tweak: &Block, unit: usize, text: &mut Text<'_>, encrypt: bool) {
    let [keys, tweak_keys] = key.keys(encrypt);
    if text.len() > unit {
        return units(key, tweak, unit, text, encrypt);
    }
    let none = _mm_setzero_si128();
    let [first] =
        xex_1x::<Aesni, 1>(tweak_keys.ten_or_fourteen(), [simd::load_128(tweak)], [none], true);
    one_unit(keys, first, text, encrypt);
}

/// More than one.
#[inline(never)]
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
fn units(key: &Aesni, tweak: &Block, unit: usize, text: &mut Text<'_>, encrypt: bool) {
    let [keys, tweak_keys] = key.keys(encrypt);
    let (mut text, mut number) = (text.reborrow(), u128::from_le_bytes(*tweak));
    // In memory, for one place to call a unit.
    let (mut firsts, mut i) = (Wiped::new([[0; 16]; MANY]), 0);
    while text.len() > 0 {
        if i % MANY == 0 {
            *firsts = units::numbers(number);
            let none = [_mm_setzero_si128(); MANY];
            let x = looped_1x::<Aesni, MANY>(
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
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
#[allow(improper_ctypes_definitions, reason = "C has vectors go in registers")]
extern "C" fn block(keys: Rounds<'_>, x: __m128i, around: __m128i, encrypt: bool) -> __m128i {
    let [x] = xex_1x::<Aesni, 1>(keys.ten_or_fourteen(), [x], [around], encrypt);
    x
}

/// A data unit of which others have encrypted the tweak.
#[inline(never)]
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
pub(super) fn unit(keys: Rounds<'_>, first: &Block, mut text: Text<'_>, encrypt: bool) {
    one_unit(keys, simd::load_128(first), &mut text, encrypt);
}

/// A data unit, given its first tweak. By value, a text would be copied in halves that wait for words that have just been
/// stored.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
fn one_unit(keys: Rounds<'_>, first: __m128i, text: &mut Text<'_>, encrypt: bool) {
    // In registers: what is behind a reference would be updated there.
    let mut text = text.reborrow();
    let (mut whole, mut tweaks) = (units::take_whole(&mut text), Tweaks { next: first });
    if whole.len() >= 128 {
        // Each tweak from the one eight blocks before: four instructions and not five, which wait for no
        // other tweak, and not for the ports of AES.
        let mut around = tweaks.next::<8>();
        while let Some(piece) = whole.next::<128>() {
            blocks::<Aesni, 8, 128>(keys.unseen(), around, piece, encrypt);
            around = each(|i| eighth(around[i]));
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

/// A block and less than one behind it, given the first tweak.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
fn end(keys: Rounds<'_>, tweak: __m128i, mut text: Text<'_>, encrypt: bool) {
    let crypt =
        |tweak, x| simd::to_u128(block(keys, simd::from_u128(x), simd::from_u128(tweak), encrypt));
    let [first, second] = units::last_two(simd::to_u128(tweak), encrypt);
    let stolen_from = crypt(first, units::first_block(&text));
    let rest = units::steal(&mut text, stolen_from);
    units::finish(&mut text, crypt(second, rest));
}

struct Tweaks {
    next: __m128i,
}

impl Tweaks {
    /// The next `N`.
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

/// Times α: what leaves each half goes into the other, and comes back from the upper as x^7 + x^2 + x + 1.
#[inline]
#[target_feature(enable = "sse2")]
fn next(tweak: __m128i) -> __m128i {
    let top = _mm_shuffle_epi32::<0b00_01_00_11>(tweak);
    let carry = _mm_and_si128(_mm_srai_epi32::<31>(top), _mm_set_epi32(0, 1, 0, 0x87));
    _mm_xor_si128(_mm_add_epi64(tweak, tweak), carry)
}

/// Times α^8.
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
fn eighth(tweak: __m128i) -> __m128i {
    let beyond = _mm_bsrli_si128::<15>(tweak);
    let back = _mm_clmulepi64_si128::<0x00>(beyond, _mm_set_epi64x(0, 0x87));
    _mm_xor_si128(_mm_bslli_si128::<1>(tweak), back)
}
