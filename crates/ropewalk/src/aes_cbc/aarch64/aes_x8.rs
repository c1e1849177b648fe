//! AES-CBC of 8 messages at a time, one in each vector.

use super::super::many::{EncryptMany, Message, chains};
use crate::{
    many::chains::{kernels_of_chains, lanes_of_chains},
    simd::aarch64::Aes1x,
};

lanes_of_chains! {
    pub(in crate::aes_cbc) Aesx8 needs Aes: 8 lanes, 1 in each Aes1x;
    EncryptMany: fn encrypt_many(messages: &mut [Message<'_>]) = chains
}
