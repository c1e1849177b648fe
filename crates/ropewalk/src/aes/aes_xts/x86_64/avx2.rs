//! AES-XTS with vector permutes on 256 bits: two blocks in each vector.

use super::super::{
    Block, Secret, Xts,
    vperm::{self, Keys},
};
use crate::core::{
    cpu::Avx2 as Cpu,
    simd::x86_64::{U8x16Avx, U8x32},
    text::Text,
};

pub(in crate::aes::aes_xts) struct Avx2 {
    cpu: Cpu,
    keys: Keys,
}

impl Xts for Avx2 {
    kernel! { Avx2: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Avx2::kernel::<true> }
    kernel! { Avx2: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Avx2::kernel::<false> }
}

impl Avx2 {
    #[inline]
    pub(in crate::aes::aes_xts) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: Keys::new::<U8x16Avx>(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn kernel<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, mut text: Text<'_>) {
        if text.len() == 16 {
            return vperm::alone::<U8x16Avx>(self.cpu, &self.keys, ENCRYPT, tweak, &mut text);
        }
        apply(self.cpu, &self.keys, ENCRYPT, tweak, unit, &mut text);
    }
}

/// Encryption and decryption: they differ only in the rounds, which are out of line.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn apply(cpu: Cpu, keys: &Keys, encrypt: bool, tweak: &Block, unit: usize, text: &mut Text<'_>) {
    vperm::apply::<U8x32, U8x16Avx, 2>(cpu, keys, encrypt, tweak, unit, text);
}
