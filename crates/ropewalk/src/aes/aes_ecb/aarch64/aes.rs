//! AES-ECB with the Armv8 AES instructions.

use core::arch::aarch64::*;

use super::super::{Ecb, Secret};
use crate::{
    aes::{
        RoundKeys, Rounds,
        aarch64::{expand_both, xex},
    },
    core::{
        cpu::Aes as Cpu,
        simd::{aarch64 as simd, each},
        text::{Piece, Text},
    },
};

#[derive(Clone)]
pub(in crate::aes::aes_ecb) struct Aes {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Ecb for Aes {
    kernel! { Aes: fn encrypt(&self, text: Text<'_>) = Aes::kernel::<true> }
    kernel! { Aes: fn decrypt(&self, text: Text<'_>) = Aes::kernel::<false> }
}

kernel! { Aes: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Aes {
    #[inline]
    pub(in crate::aes::aes_ecb) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn kernel<const ENCRYPT: bool>(&self, text: Text<'_>) {
        let keys = self.keys[usize::from(!ENCRYPT)].view();
        apply::<ENCRYPT>(keys, text)
    }
}

#[target_feature(enable = "aes,neon")]
fn apply<const ENCRYPT: bool>(keys: Rounds<'_>, mut text: Text<'_>) {
    let none = vdupq_n_u8(0);
    while let Some(piece) = text.next::<128>() {
        blocks::<Aes, 8, 128, ENCRYPT>(keys, [none; 8], piece);
    }
    if let Some(piece) = text.next::<64>() {
        blocks::<Aes, 4, 64, ENCRYPT>(keys, [none; 4], piece);
    }
    if let Some(piece) = text.next::<32>() {
        blocks::<Aes, 2, 32, ENCRYPT>(keys, [none; 2], piece);
    }
    if let Some(piece) = text.next::<16>() {
        blocks::<Aes, 1, 16, ENCRYPT>(keys, [none], piece);
    }
}

/// `N` blocks, which are `BYTES` bytes, with `around` added before and after.
#[inline]
#[target_feature(enable = "aes,neon")]
pub(crate) fn blocks<Mode, const N: usize, const BYTES: usize, const ENCRYPT: bool>(
    keys: Rounds<'_>,
    around: [uint8x16_t; N],
    mut text: Piece<'_, BYTES>,
) {
    let input = each(|i| simd::load_u8x16(&text.input().as_chunks().0[i]));
    let output = xex::<Mode, N, ENCRYPT>(keys, input, around);
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_u8x16(out, v);
    }
}
