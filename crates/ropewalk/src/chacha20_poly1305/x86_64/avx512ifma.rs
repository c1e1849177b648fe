//! ChaCha20-Poly1305 on 512 bits, with products of 52 bits.

use super::super::{Aead, Nonce, Secret, wide};
use crate::{
    chacha20::{KeyWords, key_words},
    cpu::Avx512Ifma,
    poly1305::{Block, bulk::InLanes, x86_64::avx512ifma::Limbs44},
    simd::x86_64::U32x16,
    text::Text,
};

#[derive(Clone)]
pub(in crate::chacha20_poly1305) struct Ifma {
    cpu: Avx512Ifma,
    key: KeyWords,
}

impl Aead for Ifma {
    kernel! { Avx512Ifma: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Ifma::seal_kernel }
    kernel! { Avx512Ifma: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Ifma::open_kernel }
}

impl Ifma {
    pub(in crate::chacha20_poly1305) fn new(cpu: Avx512Ifma, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    #[target_feature(enable = "avx512ifma,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn seal_kernel(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        let bulk = InLanes::<Limbs44, 8>(self.cpu);
        wide::seal::<U32x16, 16>(self.cpu.into(), &self.key, bulk, nonce, aad, text, tag);
    }

    #[inline]
    #[target_feature(enable = "avx512ifma,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn open_kernel(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        let bulk = InLanes::<Limbs44, 8>(self.cpu);
        wide::open::<U32x16, 16>(self.cpu.into(), &self.key, bulk, nonce, aad, text, tag);
    }
}
