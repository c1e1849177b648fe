//! AES-ECB with vector permutes, which every 64-bit Arm processor has.

use super::super::{Ecb, Secret, vperm};
use crate::{
    aes::{RoundKeys, vperm::Alone},
    core::{cpu::Neon as Cpu, simd::aarch64::U8x16, text::Text},
};

#[derive(Clone)]
pub(in crate::aes::aes_ecb) struct Neon {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Ecb for Neon {
    kernel! { Neon: fn encrypt(&self, text: Text<'_>) = Neon::kernel::<true> }
    kernel! { Neon: fn decrypt(&self, text: Text<'_>) = Neon::kernel::<false> }
}

impl Neon {
    #[inline]
    pub(in crate::aes::aes_ecb) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: U8x16::expanded_both(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn kernel<const ENCRYPT: bool>(&self, text: Text<'_>) {
        let keys = &self.keys[usize::from(!ENCRYPT)];
        vperm::apply::<U8x16, U8x16, 1>(self.cpu, keys, ENCRYPT, text);
    }
}
