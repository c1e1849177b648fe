//! AES-ECB with vector permutes on 128 bits.

use super::super::{Ecb, Secret, vperm};
use crate::{
    aes::{RoundKeys, vperm::Alone},
    core::{cpu::Ssse3 as Cpu, simd::x86_64::U8x16, text::Text},
};

#[derive(Clone)]
pub(in crate::aes::aes_ecb) struct Ssse3 {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Ecb for Ssse3 {
    kernel! { Ssse3: fn encrypt(&self, text: Text<'_>) = Ssse3::kernel::<true> }
    kernel! { Ssse3: fn decrypt(&self, text: Text<'_>) = Ssse3::kernel::<false> }
}

impl Ssse3 {
    #[inline]
    pub(in crate::aes::aes_ecb) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: U8x16::expanded_both(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn kernel<const ENCRYPT: bool>(&self, text: Text<'_>) {
        let keys = &self.keys[usize::from(!ENCRYPT)];
        vperm::apply::<U8x16, U8x16, 1>(self.cpu, keys, ENCRYPT, text);
    }
}
