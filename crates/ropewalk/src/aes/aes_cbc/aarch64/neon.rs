//! AES-CBC with vector permutes, which every 64-bit Arm processor has.

use super::super::{Block, Cbc, CbcLaneKey, Secret, vperm};
use crate::{
    aes::{
        RoundKeys,
        vperm::{Alone, encrypt_chain},
    },
    core::{
        cpu::Neon as Cpu,
        simd::aarch64::U8x16,
        text::{Piece, Text},
    },
};

pub(crate) struct Neon {
    cpu: Cpu,
    keys: RoundKeys,
    /// The keys for decryption.
    inverse: RoundKeys,
}

impl CbcLaneKey for Neon {}

impl Cbc for Neon {
    kernel! { Neon: fn encrypt(&self, iv: &Block, text: Text<'_>) = Neon::encrypt_kernel }
    kernel! { Neon: fn decrypt(&self, iv: &Block, text: Text<'_>) = Neon::decrypt_kernel }
    kernel! { Neon: fn encrypt_block(&self, iv: &mut Block, block: Piece<'_, 16>) = Neon::block_kernel }
}

impl Neon {
    #[inline]
    pub(crate) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let [keys, inverse] = U8x16::expanded_both(cpu, secret);
        Self { cpu, keys, inverse }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn block_kernel(&self, iv: &mut Block, block: Piece<'_, 16>) {
        vperm::encrypt_block::<U8x16>(self.cpu, &self.keys, iv, block);
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn encrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        encrypt_chain::<U8x16>(self.cpu, &self.keys, iv, text);
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn decrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        vperm::decrypt_text::<U8x16, U8x16, 1>(self.cpu, &self.inverse, iv, text);
    }
}
