//! AES-CMAC of 16 messages at a time, two in each vector of 256 bits.

use super::super::{
    Tag,
    many::{MacMany, Message, chains},
};
use crate::{
    aes::chains::{kernel_of_chains, lanes_of_chains, rope_of_chains},
    core::simd::x86_64::Aes2x,
};

lanes_of_chains! {
    pub(in crate::aes::aes_cmac) Vaes256x16 needs Vaes256: 16 lanes, 2 in each Aes2x;
    MacMany: fn mac_many(messages: &[Message<'_>], tags: &mut [Tag]) = chains
}
