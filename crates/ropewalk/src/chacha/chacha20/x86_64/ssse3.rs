//! ChaCha20 on 128 bits: 4 blocks at a time, or the rows of one.

use super::super::{ChaCha20, KeyWords, Nonce, Secret, key_words};
use crate::{
    chacha::chacha20::wide::KeyStream as _,
    core::{cpu::Ssse3, simd::x86_64::U32x4, text::Text},
};

pub(in crate::chacha::chacha20) struct Ssse3By4 {
    cpu: Ssse3,
    key: KeyWords,
}

impl ChaCha20 for Ssse3By4 {
    kernel! { Ssse3: fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) = Ssse3By4::apply_kernel }
}

impl Ssse3By4 {
    pub(in crate::chacha::chacha20) fn new(cpu: Ssse3, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn apply_kernel(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        U32x4::apply_key_stream(self.cpu, &self.key, counter, nonce, text);
    }
}
