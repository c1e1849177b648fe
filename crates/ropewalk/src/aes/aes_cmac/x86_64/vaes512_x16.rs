//! AES-CMAC of 16 messages at a time, four in each vector of 512 bits.

use super::super::{
    Tag,
    many::{MacMany, Message, chains},
};
use crate::{
    aes::chains::{kernel_of_chains, lanes_of_chains, rope_of_chains},
    core::simd::x86_64::Aes4x,
};

lanes_of_chains! {
    pub(in crate::aes::aes_cmac) Vaes512x16 needs Vaes512: 16 lanes, 4 in each Aes4x;
    MacMany: fn mac_many(messages: &[Message<'_>], tags: &mut [Tag]) = chains
}
