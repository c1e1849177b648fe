//! AES-CBC of 8 messages at a time, one in each vector of 128 bits.

use super::super::many::{EncryptMany, Message, chains};
use crate::{
    many::chains::{kernels_of_chains, lanes_of_chains},
    simd::x86_64::Aes1x,
};

lanes_of_chains! {
    pub(in crate::aes_cbc) Aesnix8 needs Aesni: 8 lanes, 1 in each Aes1x;
    EncryptMany: fn encrypt_many(messages: &mut [Message<'_>]) = chains
}
