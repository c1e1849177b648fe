//! AES-CBC of 16 messages at a time, four in each vector of 512 bits.

use super::super::many::{EncryptMany, Message, chains};
use crate::{
    many::chains::{kernels_of_chains, lanes_of_chains},
    simd::x86_64::Aes4x,
};

lanes_of_chains! {
    pub(in crate::aes_cbc) Vaes512x16 needs Vaes512: 16 lanes, 4 in each Aes4x;
    EncryptMany: fn encrypt_many(messages: &mut [Message<'_>]) = chains
}
