//! AES-CBC of 16 messages at a time, two in each vector of 256 bits.

use super::{
    super::many::{EncryptMany, Message, Part, chains, parts},
    vaes256,
};
use crate::{
    aes::chains::{kernel_of_chains, lanes_of_chains, rope_of_chains},
    core::{simd::x86_64::Aes2x, text::Text},
};

lanes_of_chains! {
    pub(in crate::aes::aes_cbc) Vaes256x16 needs Vaes256: 16 lanes, 2 in each Aes2x;
    EncryptMany: fn encrypt_many(messages: &mut [Message<'_>]) = chains,
        fn encrypt_parts(all: &mut dyn Iterator<Item = Part<'_>>) = parts;
    kernel! { Vaes256: fn decrypt_part(&self, part: Part<'_>) = Vaes256x16::decrypt_kernel }
}

impl Vaes256x16 {
    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn decrypt_kernel(&self, Part { cbc, before, text }: Part<'_>) {
        let mut text = Text::in_place(text);
        match cbc.decrypting_keys() {
            Some(keys) => vaes256::decrypt_long(keys.view(), before, &mut text),
            None => cbc.decrypt(before, text),
        }
    }
}
