//! AES-XTS with vector permutes on 128 bits.

use super::super::{
    Block, Secret, Xts,
    vperm::{self, Keys},
};
use crate::core::{cpu::Ssse3 as Cpu, simd::x86_64::U8x16, text::Text};

pub(in crate::aes::aes_xts) struct Ssse3 {
    cpu: Cpu,
    keys: Keys,
}

impl Xts for Ssse3 {
    kernel! { Ssse3: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Ssse3::kernel::<true> }
    kernel! { Ssse3: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Ssse3::kernel::<false> }
}

impl Ssse3 {
    #[inline]
    pub(in crate::aes::aes_xts) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: Keys::new::<U8x16>(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn kernel<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, mut text: Text<'_>) {
        if text.len() == 16 {
            return vperm::alone::<U8x16>(self.cpu, &self.keys, ENCRYPT, tweak, &mut text);
        }
        apply(self.cpu, &self.keys, ENCRYPT, tweak, unit, &mut text);
    }
}

/// Encryption and decryption: they differ only in the rounds, which are out of line.
#[inline(never)]
#[target_feature(enable = "ssse3")]
fn apply(cpu: Cpu, keys: &Keys, encrypt: bool, tweak: &Block, unit: usize, text: &mut Text<'_>) {
    vperm::apply::<U8x16, U8x16, 1>(cpu, keys, encrypt, tweak, unit, text);
}
