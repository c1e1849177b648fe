//! ChaCha20 on 256 bits: 8 blocks at a time, or rows of 2.

use super::super::{ChaCha20, KeyWords, Nonce, Secret, key_words};
use crate::{
    chacha::chacha20::wide::KeyStream as _,
    core::{cpu::Avx2, simd::x86_64::U32x8, text::Text},
};

pub(in crate::chacha::chacha20) struct Avx2By8 {
    cpu: Avx2,
    key: KeyWords,
}

impl ChaCha20 for Avx2By8 {
    kernel! { Avx2: fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) = Avx2By8::apply_kernel }
}

impl Avx2By8 {
    pub(in crate::chacha::chacha20) fn new(cpu: Avx2, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn apply_kernel(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        U32x8::apply_key_stream(self.cpu, &self.key, counter, nonce, text);
    }
}
