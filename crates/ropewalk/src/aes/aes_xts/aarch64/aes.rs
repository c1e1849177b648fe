//! AES-XTS with the Armv8 AES instructions. Tweaks are computed in general registers, in parallel.

use core::arch::aarch64::*;

use super::super::{
    Block, Secret, Xts,
    units::{self, MANY},
};
use crate::{
    aes::{
        RoundKeys, Rounds,
        aarch64::{encrypt, expand as expand_kernel, expand_both as expand_both_kernel, xex},
        aes_ecb::aarch64::aes::blocks,
    },
    core::{
        cpu::Aes as Cpu,
        simd::{aarch64 as simd, each},
        text::Text,
    },
};

pub(in crate::aes::aes_xts) struct Aes {
    cpu: Cpu,
    /// The text keys for encryption, and those for decryption.
    pub(in crate::aes::aes_xts) text: [RoundKeys; 2],
    pub(in crate::aes::aes_xts) tweak: RoundKeys,
}

impl Xts for Aes {
    kernel! { Aes: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Aes::kernel::<true> }
    kernel! { Aes: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Aes::kernel::<false> }
}

kernel! { Aes: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }
kernel! { Aes: fn expand_both(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both_kernel }

impl Aes {
    #[inline]
    pub(in crate::aes::aes_xts) fn new(cpu: Cpu, [text, tweak]: Secret<'_>) -> Self {
        Self { cpu, text: expand_both(cpu, text), tweak: expand(cpu, tweak) }
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn kernel<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, mut text: Text<'_>) {
        let keys = self.text[usize::from(!ENCRYPT)].view().ten_or_fourteen();
        let tweak_keys = Rounds { keys: &self.tweak.keys, rounds: keys.rounds };
        apply::<ENCRYPT>(keys, tweak_keys, tweak, unit, &mut text);
    }
}

#[target_feature(enable = "aes,neon")]
fn apply<const ENCRYPT: bool>(
    keys: Rounds<'_>,
    tweak_keys: Rounds<'_>,
    tweak: &Block,
    unit: usize,
    text: &mut Text<'_>,
) {
    let mut text = text.reborrow();
    if text.len() <= unit {
        let [first] = encrypt::<Aes, 1>(tweak_keys, [simd::load_u8x16(tweak)]);
        return one_unit::<ENCRYPT>(keys, simd::to_u128(first), &mut text);
    }
    let mut first = u128::from_le_bytes(*tweak);
    while text.len() > 0 {
        let numbers = units::numbers(first);
        let numbers: [_; MANY] = each(|i| simd::load_u8x16(&numbers[i]));
        for tweak in encrypt::<Aes, MANY>(tweak_keys, numbers) {
            let mut text = text.take(unit);
            if text.len() > 0 {
                one_unit::<ENCRYPT>(keys, simd::to_u128(tweak), &mut text);
            }
        }
        first = first.wrapping_add(MANY as u128);
    }
}

/// A data unit whose tweak is already encrypted.
#[inline(never)]
#[target_feature(enable = "aes,neon")]
pub(super) fn unit(keys: Rounds<'_>, first: &Block, mut text: Text<'_>, encrypt: bool) {
    let first = u128::from_le_bytes(*first);
    if encrypt {
        one_unit::<true>(keys, first, &mut text);
    } else {
        one_unit::<false>(keys, first, &mut text);
    }
}

/// A data unit, given its first tweak. The buffer is passed by reference: by value, it would be copied in halves, which stall on
/// the words just stored.
#[inline]
#[target_feature(enable = "aes,neon")]
fn one_unit<const ENCRYPT: bool>(keys: Rounds<'_>, first: u128, text: &mut Text<'_>) {
    // A local copy stays in registers; a reference would be updated in memory.
    let mut text = text.reborrow();
    let (mut whole, mut tweaks) = (units::take_whole(&mut text), Tweaks { next: first });
    while let Some(piece) = whole.next::<128>() {
        blocks::<Aes, 8, 128, ENCRYPT>(keys, tweaks.next(), piece);
    }
    if let Some(piece) = whole.next::<64>() {
        blocks::<Aes, 4, 64, ENCRYPT>(keys, tweaks.next(), piece);
    }
    if let Some(piece) = whole.next::<32>() {
        blocks::<Aes, 2, 32, ENCRYPT>(keys, tweaks.next(), piece);
    }
    if let Some(piece) = whole.next::<16>() {
        blocks::<Aes, 1, 16, ENCRYPT>(keys, tweaks.next(), piece);
    }
    if text.len() > 0 {
        end::<ENCRYPT>(keys, tweaks.next, text);
    }
}

/// A block and a partial block, given the first tweak.
#[target_feature(enable = "aes,neon")]
fn end<const ENCRYPT: bool>(keys: Rounds<'_>, tweak: u128, mut text: Text<'_>) {
    let crypt = |tweak, x| {
        let [x] = xex::<Aes, 1, ENCRYPT>(keys, [simd::from_u128(x)], [simd::from_u128(tweak)]);
        simd::to_u128(x)
    };
    let [first, second] = units::last_two(tweak, ENCRYPT);
    let block = crypt(first, units::first_block(&text));
    let block = units::steal(&mut text, block);
    units::finish(&mut text, crypt(second, block));
}

struct Tweaks {
    next: u128,
}

impl Tweaks {
    /// The next `N` tweaks.
    #[inline]
    #[target_feature(enable = "neon")]
    fn next<const N: usize>(&mut self) -> [uint8x16_t; N] {
        let mut tweaks = [vdupq_n_u8(0); N];
        for tweak in &mut tweaks {
            *tweak = simd::from_u128(self.next);
            self.next = units::next(self.next);
        }
        tweaks
    }
}
