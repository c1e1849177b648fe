//! AES-CMAC of 8 messages at a time, one in each vector of 128 bits.

use super::super::{
    Tag,
    many::{MacMany, Message, chains},
};
use crate::{
    aes::chains::{kernel_of_chains, lanes_of_chains, rope_of_chains},
    core::simd::x86_64::Aes1x,
};

lanes_of_chains! {
    pub(in crate::aes::aes_cmac) Aesnix8 needs Aesni: 8 lanes, 1 in each Aes1x;
    MacMany: fn mac_many(messages: &[Message<'_>], tags: &mut [Tag]) = chains
}
