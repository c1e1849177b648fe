//! ChaCha20-Poly1305 on 128 bits; Poly1305 is one block at a time, in words of 64 bits, beside the rounds.

use super::super::{Aead, Nonce, Secret, wide};
use crate::{
    chacha20::{KeyWords, key_words},
    cpu::Ssse3,
    poly1305::{Block, bulk::OneByOne},
    simd::x86_64::U32x4,
    text::Text,
};

#[derive(Clone)]
pub(in crate::chacha20_poly1305) struct Wide {
    cpu: Ssse3,
    key: KeyWords,
}

impl Aead for Wide {
    kernel! { Ssse3: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Wide::seal_kernel }
    kernel! { Ssse3: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Wide::open_kernel }
}

impl Wide {
    pub(in crate::chacha20_poly1305) fn new(cpu: Ssse3, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn seal_kernel(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        let bulk = OneByOne;
        wide::seal::<U32x4, 4>(self.cpu, &self.key, bulk, nonce, aad, text, tag);
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn open_kernel(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        let bulk = OneByOne;
        wide::open::<U32x4, 4>(self.cpu, &self.key, bulk, nonce, aad, text, tag);
    }
}
