//! AES-CCM of 16 messages at a time, four in each vector of 512 bits.

use super::super::{
    Tag,
    lanes::{Order, crypt, crypt_alone, keys_of, lanes_backend},
    many::Message,
};
use crate::{
    aes::chains::{OneKey, OwnKeys},
    core::simd::x86_64::Aes4x,
};

lanes_backend! { Vaes512x16 needs Vaes512: 16 lanes, 4 in each Aes4x }
