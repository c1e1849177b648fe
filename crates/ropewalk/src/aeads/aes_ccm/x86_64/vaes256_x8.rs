//! AES-CCM of 8 messages at a time, two in each vector of 256 bits.

use super::super::{
    Tag,
    lanes::{Order, crypt, crypt_alone, keys_of, lanes_backend},
    many::Message,
};
use crate::{
    aes::chains::{OneKey, OwnKeys},
    core::simd::x86_64::Aes2x,
};

lanes_backend! { Vaes256x8 needs Vaes256: 8 lanes, 2 in each Aes2x }
