//! AES-CBC with vector permutes on 256 bits: two blocks in each vector when decrypting.

use super::super::{Block, Cbc, CbcLaneKey, Secret, vperm};
use crate::{
    aes::{
        RoundKeys,
        vperm::{Alone, encrypt_chain},
    },
    core::{
        cpu::Avx2 as Cpu,
        simd::x86_64::{U8x16Avx, U8x32},
        text::{Piece, Text},
    },
};

pub(in crate::aes::aes_cbc) struct Avx2 {
    cpu: Cpu,
    keys: RoundKeys,
    /// The keys for decryption.
    inverse: RoundKeys,
}

impl CbcLaneKey for Avx2 {}

impl Cbc for Avx2 {
    kernel! { Avx2: fn encrypt(&self, iv: &Block, text: Text<'_>) = Avx2::encrypt_kernel }
    kernel! { Avx2: fn decrypt(&self, iv: &Block, text: Text<'_>) = Avx2::decrypt_kernel }
    kernel! { Avx2: fn encrypt_block(&self, iv: &mut Block, block: Piece<'_, 16>) = Avx2::block_kernel }
}

impl Avx2 {
    #[inline]
    pub(in crate::aes::aes_cbc) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let [keys, inverse] = U8x16Avx::expanded_both(cpu, secret);
        Self { cpu, keys, inverse }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn block_kernel(&self, iv: &mut Block, block: Piece<'_, 16>) {
        vperm::encrypt_block::<U8x16Avx>(self.cpu, &self.keys, iv, block);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn encrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        encrypt_chain::<U8x16Avx>(self.cpu, &self.keys, iv, text);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn decrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        vperm::decrypt_text::<U8x32, U8x16Avx, 2>(self.cpu, &self.inverse, iv, text);
    }
}
