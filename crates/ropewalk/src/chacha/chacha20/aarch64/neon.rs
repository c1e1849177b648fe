//! ChaCha20 on 128 bits: 4 blocks at a time, or the rows of one.

use super::super::{ChaCha20, KeyWords, Nonce, Secret, key_words};
use crate::{
    chacha::chacha20::wide::KeyStream as _,
    core::{cpu::Neon, simd::aarch64::U32x4, text::Text},
};

pub(in crate::chacha::chacha20) struct NeonBy4 {
    cpu: Neon,
    key: KeyWords,
}

impl ChaCha20 for NeonBy4 {
    kernel! { Neon: fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) = NeonBy4::apply_kernel }
}

impl NeonBy4 {
    pub(in crate::chacha::chacha20) fn new(cpu: Neon, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn apply_kernel(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        U32x4::apply_key_stream(self.cpu, &self.key, counter, nonce, text);
    }
}
