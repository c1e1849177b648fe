//! AES-CBC with the Armv8 AES instructions.

use core::{arch::aarch64::*, hint::black_box};

use super::super::{Block, Cbc, CbcLaneKey, Secret};
use crate::{
    aes::{
        RoundKeys, Rounds,
        aarch64::{decrypt, expand_both},
        middle_rounds,
    },
    core::{
        cpu::Aes as Cpu,
        simd::{aarch64 as simd, each},
        text::{Piece, Text},
    },
};

pub(crate) struct Aes {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Cbc for Aes {
    kernel! { Aes: fn encrypt(&self, iv: &Block, text: Text<'_>) = Aes::encrypt_kernel }
    kernel! { Aes: fn decrypt(&self, iv: &Block, text: Text<'_>) = Aes::decrypt_kernel }
}

impl CbcLaneKey for Aes {
    fn round_keys(&self) -> Option<&RoundKeys> {
        Some(&self.keys[0])
    }
}

kernel! { Aes: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Aes {
    #[inline]
    pub(crate) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    /// The keys for encryption, and those for decryption.
    #[inline(always)]
    pub(crate) fn keys(&self) -> &[RoundKeys; 2] {
        &self.keys
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn encrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        let keys = self.keys[0].view();
        encrypt_chain(keys, iv, text)
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn decrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        let keys = self.keys[1].view();
        decrypt_chain(keys, iv, text)
    }
}

/// Encrypts block by block: each depends on the one before.
///
/// Only rounds are on the critical path. AESE adds its key first, so the key of round 0, the block of plaintext and the last
/// round key of the block before are one operand.
#[target_feature(enable = "aes,neon")]
fn encrypt_chain(keys: Rounds<'_>, iv: &Block, mut text: Text<'_>) {
    let key = |r: usize| simd::load_u8x16(keys.key(r));
    let (first, last) = (key(0), simd::load_u8x16(keys.last()));
    let between = veorq_u8(first, last);
    let (mut x, mut around) = (simd::load_u8x16(iv), first);
    while let Some(mut piece) = text.next::<16>() {
        let added = veorq_u8(simd::load_u8x16(piece.input()), around);
        middle_rounds!(keys.rounds; r => {
            x = vaesmcq_u8(vaeseq_u8(x, if r == 1 { added } else { key(r - 1) }));
        });
        x = vaeseq_u8(x, simd::load_u8x16(keys.before_last()));
        simd::store_u8x16(piece.output(), veorq_u8(x, last));
        around = between;
    }
}

#[target_feature(enable = "aes,neon")]
fn decrypt_chain(keys: Rounds<'_>, iv: &Block, mut text: Text<'_>) {
    let mut before = simd::load_u8x16(iv);
    while let Some(mut piece) = text.next::<128>() {
        before = step::<8, 128>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<64>() {
        before = step::<4, 64>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<32>() {
        before = step::<2, 32>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<16>() {
        step::<1, 16>(keys, before, &mut piece);
    }
}

/// Decrypts `N` blocks; returns the last block of ciphertext.
#[inline]
#[target_feature(enable = "aes,neon")]
fn step<const N: usize, const BYTES: usize>(
    keys: Rounds<'_>,
    before: uint8x16_t,
    text: &mut Piece<'_, BYTES>,
) -> uint8x16_t {
    let x = decrypt::<Aes, N>(keys, each(|i| simd::load_u8x16(&text.input().as_chunks().0[i])));
    // Loaded again: kept in registers, ciphertext would displace round keys.
    let input: &[Block] = black_box(text.input()).as_chunks().0;
    let ciphertext: [_; N] = each(|i| simd::load_u8x16(&input[i]));
    let output: [_; N] = each(|i| veorq_u8(x[i], if i == 0 { before } else { ciphertext[i - 1] }));
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_u8x16(out, v);
    }
    ciphertext[N - 1]
}
