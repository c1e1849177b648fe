//! AES-CBC with AES instructions on 128 bits.

use core::{arch::x86_64::*, hint::black_box};

use super::super::{Block, Cbc, Secret};
use crate::{
    aes::{
        RoundKeys,
        x86_64::{decrypt, encrypt, expand, invert},
    },
    cpu::Aesni as Cpu,
    simd::{each, x86_64 as simd},
    text::{Piece, Text},
};

pub(in crate::aes_cbc) struct Aesni {
    cpu: Cpu,
    keys: RoundKeys,
    /// For decrypting.
    inverse: RoundKeys,
}

impl Cbc for Aesni {
    kernel! { Aesni: fn encrypt(&self, iv: &Block, text: Text<'_>) = Aesni::encrypt_kernel }
    kernel! { Aesni: fn decrypt(&self, iv: &Block, text: Text<'_>) = Aesni::decrypt_kernel }
}

kernel! { Aesni: fn make(cpu, secret: &[u8]) -> (RoundKeys, RoundKeys) = make_kernel }

#[inline]
#[target_feature(enable = "aes,sse4.1,ssse3")]
pub(super) fn make_kernel(secret: &[u8]) -> (RoundKeys, RoundKeys) {
    let keys = expand(secret);
    let inverse = invert(&keys);
    (keys, inverse)
}

impl Aesni {
    #[inline]
    pub(in crate::aes_cbc) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let (keys, inverse) = make(cpu, secret);
        Self { cpu, keys, inverse }
    }

    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn encrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        encrypt_text(&self.keys, iv, text);
    }

    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn decrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        let RoundKeys { keys, rounds } = &self.inverse;
        match rounds {
            10 => decrypt_rounds::<10>(keys, iv, text),
            12 => decrypt_rounds::<12>(keys, iv, text),
            _ => decrypt_rounds::<14>(keys, iv, text),
        }
    }
}

/// Encrypts block by block: each waits for the one before.
#[inline]
#[target_feature(enable = "aes,sse4.1")]
pub(super) fn encrypt_text(keys: &RoundKeys, iv: &Block, text: Text<'_>) {
    let RoundKeys { keys, rounds } = keys;
    match rounds {
        10 => encrypt_rounds::<10>(keys, iv, text),
        12 => encrypt_rounds::<12>(keys, iv, text),
        _ => encrypt_rounds::<14>(keys, iv, text),
    }
}

#[inline]
#[target_feature(enable = "aes,sse4.1")]
fn encrypt_rounds<const ROUNDS: usize>(keys: &[Block; 15], iv: &Block, mut text: Text<'_>) {
    let mut before = simd::load_128(iv);
    while let Some(mut piece) = text.next::<16>() {
        let x = _mm_xor_si128(simd::load_128(piece.input()), before);
        [before] = encrypt::<ROUNDS, 1>(keys, [x]);
        simd::store_128(piece.output(), before);
    }
}

#[target_feature(enable = "aes,sse4.1,ssse3")]
fn decrypt_rounds<const ROUNDS: usize>(keys: &[Block; 15], iv: &Block, mut text: Text<'_>) {
    let mut before = simd::load_128(iv);
    while let Some(mut piece) = text.next::<128>() {
        before = step::<ROUNDS, 8, 128>(black_box(keys), before, &mut piece);
    }
    if let Some(mut piece) = text.next::<64>() {
        before = step::<ROUNDS, 4, 64>(keys, before, &mut piece);
    }
    while let Some(mut piece) = text.next::<16>() {
        before = step::<ROUNDS, 1, 16>(keys, before, &mut piece);
    }
}

/// Decrypts `N` blocks; returns the last of the ciphertext.
#[inline]
#[target_feature(enable = "aes,sse4.1")]
fn step<const ROUNDS: usize, const N: usize, const BYTES: usize>(
    keys: &[Block; 15],
    mut before: __m128i,
    text: &mut Piece<'_, BYTES>,
) -> __m128i {
    let ciphertext: [_; N] = each(|i| simd::load_128(&text.input().as_chunks().0[i]));
    let x = decrypt::<ROUNDS, N>(keys, ciphertext);
    for (i, out) in text.output().as_chunks_mut().0.iter_mut().enumerate() {
        simd::store_128(out, _mm_xor_si128(x[i], before));
        before = ciphertext[i];
    }
    before
}
