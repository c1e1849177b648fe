//! ChaCha20 on 512 bits: 16 blocks at a time, or rows of 4.

use super::super::{ChaCha20, KeyWords, Nonce, Secret, key_words};
use crate::{
    chacha::chacha20::wide::KeyStream as _,
    core::{cpu::Avx512, simd::x86_64::U32x16, text::Text},
};

pub(in crate::chacha::chacha20) struct Avx512By16 {
    cpu: Avx512,
    key: KeyWords,
}

impl ChaCha20 for Avx512By16 {
    kernel! { Avx512: fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) = Avx512By16::apply_kernel }
}

impl Avx512By16 {
    pub(in crate::chacha::chacha20) fn new(cpu: Avx512, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn apply_kernel(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        U32x16::apply_key_stream(self.cpu, &self.key, counter, nonce, text);
    }
}
