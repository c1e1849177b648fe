//! AES-CBC of 8 messages at a time, one in each vector.

use super::super::many::{EncryptMany, Message, Part, chains, parts};
use crate::{
    aes::chains::{kernel_of_chains, lanes_of_chains, rope_of_chains},
    core::simd::aarch64::Aes1x,
};

lanes_of_chains! {
    pub(in crate::aes::aes_cbc) Aesx8 needs Aes: 8 lanes, 1 in each Aes1x;
    EncryptMany: fn encrypt_many(messages: &mut [Message<'_>]) = chains,
        fn encrypt_parts(all: &mut dyn Iterator<Item = Part<'_>>) = parts
}
