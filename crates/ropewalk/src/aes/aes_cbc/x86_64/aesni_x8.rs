//! AES-CBC of 8 messages at a time, one in each vector of 128 bits.

use super::super::many::{EncryptMany, Message, Part, chains, parts};
use crate::{
    aes::chains::{kernel_of_chains, lanes_of_chains, rope_of_chains},
    core::simd::x86_64::Aes1x,
};

lanes_of_chains! {
    pub(in crate::aes::aes_cbc) Aesnix8 needs Aesni: 8 lanes, 1 in each Aes1x;
    EncryptMany: fn encrypt_many(messages: &mut [Message<'_>]) = chains,
        fn encrypt_parts(all: &mut dyn Iterator<Item = Part<'_>>) = parts
}
