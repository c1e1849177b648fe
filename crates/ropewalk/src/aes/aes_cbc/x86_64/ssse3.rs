//! AES-CBC with vector permutes on 128 bits.

use super::super::{Block, Cbc, CbcLaneKey, Secret, vperm};
use crate::{
    aes::{
        RoundKeys,
        vperm::{Alone, encrypt_chain},
    },
    core::{
        cpu::Ssse3 as Cpu,
        simd::x86_64::U8x16,
        text::{Piece, Text},
    },
};

pub(crate) struct Ssse3 {
    cpu: Cpu,
    keys: RoundKeys,
    /// The keys for decryption.
    inverse: RoundKeys,
}

impl CbcLaneKey for Ssse3 {}

impl Cbc for Ssse3 {
    kernel! { Ssse3: fn encrypt(&self, iv: &Block, text: Text<'_>) = Ssse3::encrypt_kernel }
    kernel! { Ssse3: fn decrypt(&self, iv: &Block, text: Text<'_>) = Ssse3::decrypt_kernel }
    kernel! { Ssse3: fn encrypt_block(&self, iv: &mut Block, block: Piece<'_, 16>) = Ssse3::block_kernel }
}

impl Ssse3 {
    #[inline]
    pub(crate) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let [keys, inverse] = U8x16::expanded_both(cpu, secret);
        Self { cpu, keys, inverse }
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn block_kernel(&self, iv: &mut Block, block: Piece<'_, 16>) {
        vperm::encrypt_block::<U8x16>(self.cpu, &self.keys, iv, block);
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn encrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        encrypt(self.cpu, &self.keys, iv, &mut text);
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn decrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        decrypt(self.cpu, &self.inverse, iv, &mut text);
    }
}

/// Out of line, as AES-CBC with HMAC uses it too.
#[inline(never)]
#[target_feature(enable = "ssse3")]
fn encrypt(cpu: Cpu, keys: &RoundKeys, iv: &Block, text: &mut Text<'_>) {
    encrypt_chain::<U8x16>(cpu, keys, iv, text.reborrow());
}

/// The same.
#[inline(never)]
#[target_feature(enable = "ssse3")]
fn decrypt(cpu: Cpu, inverse: &RoundKeys, iv: &Block, text: &mut Text<'_>) {
    vperm::decrypt_text::<U8x16, U8x16, 1>(cpu, inverse, iv, text.reborrow());
}
