//! AES-ECB with vector permutes on 256 bits: two blocks in each vector.

use super::super::{Ecb, Secret, vperm};
use crate::{
    aes::{RoundKeys, vperm::Alone},
    core::{
        cpu::Avx2 as Cpu,
        simd::x86_64::{U8x16Avx, U8x32},
        text::Text,
    },
};

#[derive(Clone)]
pub(in crate::aes::aes_ecb) struct Avx2 {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Ecb for Avx2 {
    kernel! { Avx2: fn encrypt(&self, text: Text<'_>) = Avx2::kernel::<true> }
    kernel! { Avx2: fn decrypt(&self, text: Text<'_>) = Avx2::kernel::<false> }
}

impl Avx2 {
    #[inline]
    pub(in crate::aes::aes_ecb) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: U8x16Avx::expanded_both(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn kernel<const ENCRYPT: bool>(&self, text: Text<'_>) {
        let keys = &self.keys[usize::from(!ENCRYPT)];
        vperm::apply::<U8x32, U8x16Avx, 2>(self.cpu, keys, ENCRYPT, text);
    }
}
