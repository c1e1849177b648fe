//! AES-CBC from lookups of bytes on 128 bits.

use super::super::{Block, Cbc, Secret, vperm};
use crate::{
    aes::{RoundKeys, vperm::encrypt_chain},
    cpu::Ssse3 as Cpu,
    simd::x86_64::U8x16,
    text::Text,
};

pub(crate) struct Ssse3 {
    cpu: Cpu,
    keys: RoundKeys,
    /// For decrypting.
    inverse: RoundKeys,
}

impl Cbc for Ssse3 {
    kernel! { Ssse3: fn encrypt(&self, iv: &Block, text: Text<'_>) = Ssse3::encrypt_kernel }
    kernel! { Ssse3: fn decrypt(&self, iv: &Block, text: Text<'_>) = Ssse3::decrypt_kernel }
}

kernel! { Ssse3: fn expand(cpu, proof: Cpu, secret: &[u8]) -> (RoundKeys, RoundKeys) = expand_kernel }

impl Ssse3 {
    #[inline]
    pub(crate) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let (keys, inverse) = expand(cpu, cpu, secret);
        Self { cpu, keys, inverse }
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn encrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        encrypt_chain::<U8x16>(self.cpu, &self.keys, iv, text);
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn decrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        vperm::decrypt_text::<U8x16, U8x16, 1>(self.cpu, &self.inverse, iv, text);
    }
}

#[target_feature(enable = "ssse3")]
fn expand_kernel(cpu: Cpu, secret: &[u8]) -> (RoundKeys, RoundKeys) {
    vperm::expand::<U8x16>(cpu, secret)
}
