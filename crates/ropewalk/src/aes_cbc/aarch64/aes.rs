//! AES-CBC with the Armv8 AES instructions.

use core::{arch::aarch64::*, hint::black_box};

use super::super::{Block, Cbc, Secret};
use crate::{
    aes::{
        RoundKeys,
        aarch64::{decrypt, expand_both},
        middle_rounds,
    },
    cpu::Aes as Cpu,
    simd::{aarch64 as simd, each},
    text::{Piece, Text},
};

pub(crate) struct Aes {
    cpu: Cpu,
    /// For encrypting, and for decrypting.
    keys: [RoundKeys; 2],
}

impl Cbc for Aes {
    kernel! { Aes: fn encrypt(&self, iv: &Block, text: Text<'_>) = Aes::encrypt_kernel }
    kernel! { Aes: fn decrypt(&self, iv: &Block, text: Text<'_>) = Aes::decrypt_kernel }
}

kernel! { Aes: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Aes {
    #[inline]
    pub(crate) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    /// For encrypting, and for decrypting.
    #[inline(always)]
    pub(crate) fn keys(&self) -> &[RoundKeys; 2] {
        &self.keys
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn encrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        let RoundKeys { keys, rounds } = &self.keys[0];
        match rounds {
            10 => encrypt_rounds::<10>(keys, iv, text),
            12 => encrypt_rounds::<12>(keys, iv, text),
            _ => encrypt_rounds::<14>(keys, iv, text),
        }
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn decrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        let RoundKeys { keys, rounds } = &self.keys[1];
        match rounds {
            10 => decrypt_rounds::<10>(keys, iv, text),
            12 => decrypt_rounds::<12>(keys, iv, text),
            _ => decrypt_rounds::<14>(keys, iv, text),
        }
    }
}

/// Encrypts block by block: each waits for the one before.
///
/// Nothing but rounds lies on the chain: AESE adds a key first, and takes with it a block of
/// plaintext and the last round key of the block before.
#[target_feature(enable = "aes,neon")]
fn encrypt_rounds<const ROUNDS: usize>(keys: &[Block; 15], iv: &Block, mut text: Text<'_>) {
    let key = |r: usize| simd::load_u8x16(&keys[r]);
    let (first, last) = (key(0), key(ROUNDS));
    let between = veorq_u8(first, last);
    let (mut x, mut added) = (simd::load_u8x16(iv), first);
    while let Some(mut piece) = text.next::<16>() {
        x = vaesmcq_u8(vaeseq_u8(x, veorq_u8(simd::load_u8x16(piece.input()), added)));
        middle_rounds!(ROUNDS: r => if r < ROUNDS - 1 {
            x = vaesmcq_u8(vaeseq_u8(x, key(r)));
        });
        x = vaeseq_u8(x, key(ROUNDS - 1));
        simd::store_u8x16(piece.output(), veorq_u8(x, last));
        added = between;
    }
}

#[target_feature(enable = "aes,neon")]
fn decrypt_rounds<const ROUNDS: usize>(keys: &[Block; 15], iv: &Block, mut text: Text<'_>) {
    let mut before = simd::load_u8x16(iv);
    while let Some(mut piece) = text.next::<128>() {
        before = step::<ROUNDS, 8, 128>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<64>() {
        before = step::<ROUNDS, 4, 64>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<32>() {
        before = step::<ROUNDS, 2, 32>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<16>() {
        step::<ROUNDS, 1, 16>(keys, before, &mut piece);
    }
}

/// Decrypts `N` blocks; returns the last of the ciphertext.
#[inline]
#[target_feature(enable = "aes,neon")]
fn step<const ROUNDS: usize, const N: usize, const BYTES: usize>(
    keys: &[Block; 15],
    before: uint8x16_t,
    text: &mut Piece<'_, BYTES>,
) -> uint8x16_t {
    let x =
        decrypt::<Aes, ROUNDS, N>(keys, each(|i| simd::load_u8x16(&text.input().as_chunks().0[i])));
    // Read again: in registers, ciphertext would drive out round keys.
    let input: &[Block] = black_box(text.input()).as_chunks().0;
    let ciphertext: [_; N] = each(|i| simd::load_u8x16(&input[i]));
    let output: [_; N] = each(|i| veorq_u8(x[i], if i == 0 { before } else { ciphertext[i - 1] }));
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_u8x16(out, v);
    }
    ciphertext[N - 1]
}
