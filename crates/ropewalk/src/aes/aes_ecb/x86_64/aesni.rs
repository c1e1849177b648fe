//! AES-ECB with AES instructions on 128 bits.

use core::arch::x86_64::*;

use super::super::{Ecb, Secret};
use crate::{
    aes::{
        RoundKeys, Rounds,
        x86_64::{expand_both, xex_1x},
    },
    core::{
        cpu::Aesni as Cpu,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

#[derive(Clone)]
pub(in crate::aes::aes_ecb) struct Aesni {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Ecb for Aesni {
    kernel! { Aesni: fn encrypt(&self, text: Text<'_>) = Aesni::kernel::<true> }
    kernel! { Aesni: fn decrypt(&self, text: Text<'_>) = Aesni::kernel::<false> }
}

kernel! { Aesni: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Aesni {
    #[inline]
    pub(in crate::aes::aes_ecb) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn kernel<const ENCRYPT: bool>(&self, mut text: Text<'_>) {
        let keys = self.keys[usize::from(!ENCRYPT)].view();
        if text.len() <= 16 {
            // A separate path for one block has fewer jumps, and round keys used once are memory operands.
            let Some(piece) = text.next() else { return };
            return blocks::<Aesni, 1, 16>(keys, [_mm_setzero_si128()], piece, ENCRYPT);
        }
        apply::<ENCRYPT>(keys, text)
    }
}

/// Inlined: a buffer in memory and a call would be a tenth of the time of four blocks.
#[inline]
#[target_feature(enable = "aes,sse4.1,ssse3")]
fn apply<const ENCRYPT: bool>(keys: Rounds<'_>, mut text: Text<'_>) {
    let none = _mm_setzero_si128();
    while let Some(piece) = text.next::<128>() {
        blocks::<Aesni, 8, 128>(keys.unseen(), [none; 8], piece, ENCRYPT);
    }
    if let Some(piece) = text.next::<64>() {
        blocks::<Aesni, 4, 64>(keys.unseen(), [none; 4], piece, ENCRYPT);
    }
    while let Some(piece) = text.next::<32>() {
        blocks::<Aesni, 2, 32>(keys.unseen(), [none; 2], piece, ENCRYPT);
    }
    if let Some(piece) = text.next::<16>() {
        blocks::<Aesni, 1, 16>(keys, [none], piece, ENCRYPT);
    }
}

/// `N` blocks, which are `BYTES` bytes, with `around` added before and after.
#[inline]
#[target_feature(enable = "aes,sse4.1")]
pub(crate) fn blocks<Mode, const N: usize, const BYTES: usize>(
    keys: Rounds<'_>,
    around: [__m128i; N],
    mut text: Piece<'_, BYTES>,
    encrypt: bool,
) {
    let input = each(|i| simd::load_128(&text.input().as_chunks().0[i]));
    let output = xex_1x::<Mode, N>(keys, input, around, encrypt);
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_128(out, v);
    }
}
