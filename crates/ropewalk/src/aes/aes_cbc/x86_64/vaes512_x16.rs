//! AES-CBC of 16 messages at a time, four in each vector of 512 bits.

use super::{
    super::many::{EncryptMany, Message, Part, chains, parts},
    vaes512,
};
use crate::{
    aes::chains::{kernel_of_chains, lanes_of_chains, rope_of_chains},
    core::{simd::x86_64::Aes4x, text::Text},
};

lanes_of_chains! {
    pub(in crate::aes::aes_cbc) Vaes512x16 needs Vaes512: 16 lanes, 4 in each Aes4x;
    EncryptMany: fn encrypt_many(messages: &mut [Message<'_>]) = chains,
        fn encrypt_parts(all: &mut dyn Iterator<Item = Part<'_>>) = parts;
    kernel! { Vaes512: fn decrypt_part(&self, part: Part<'_>) = Vaes512x16::decrypt_kernel }
}

impl Vaes512x16 {
    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn decrypt_kernel(&self, Part { cbc, before, text }: Part<'_>) {
        let mut text = Text::in_place(text);
        match cbc.decrypting_keys() {
            Some(keys) => vaes512::decrypt_long(keys.view(), before, &mut text),
            None => cbc.decrypt(before, text),
        }
    }
}
