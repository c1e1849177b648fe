//! ChaCha20-Poly1305 on 512 bits, with products of 52 bits.

use super::{
    super::{Aead, Nonce, Secret, wide},
    short256,
};
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
    kernel! { Avx512Ifma: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Ifma::kernel::<true> }
    kernel! { Avx512Ifma: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Ifma::kernel::<false> }
}

impl Ifma {
    pub(in crate::chacha20_poly1305) fn new(cpu: Avx512Ifma, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn kernel<const SEAL: bool>(
        &self,
        nonce: &Nonce,
        aad: &[u8],
        mut text: Text<'_>,
        tag: &mut Block,
    ) {
        if text.len() <= short256::LONGEST {
            return short256::message::<SEAL>(self.cpu, &self.key, nonce, aad, text, tag);
        }
        self.longer::<SEAL>(nonce, aad, &mut text, tag);
    }

    /// Out of line, as a short message needs little on the stack. By value, a text would be copied in halves that
    /// wait for the words that have just been stored.
    #[inline(never)]
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn longer<const SEAL: bool>(
        &self,
        nonce: &Nonce,
        aad: &[u8],
        text: &mut Text<'_>,
        tag: &mut Block,
    ) {
        let (cpu, bulk) = (self.cpu.into(), InLanes::<Limbs44, 8>(self.cpu));
        let text = text.reborrow();
        if SEAL {
            wide::seal::<U32x16, 16>(cpu, &self.key, bulk, nonce, aad, text, tag);
        } else {
            wide::open::<U32x16, 16>(cpu, &self.key, bulk, nonce, aad, text, tag);
        }
    }
}
