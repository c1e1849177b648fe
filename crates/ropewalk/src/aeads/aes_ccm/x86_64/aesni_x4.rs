//! AES-CCM of 4 messages at a time, one in each vector of 128 bits.

use super::super::{
    Tag,
    lanes::{Order, crypt, crypt_alone, keys_of, lanes_backend},
    many::Message,
};
use crate::{
    aes::chains::{OneKey, OwnKeys},
    core::simd::x86_64::Aes1x,
};

lanes_backend! { Aesnix4 needs Aesni: 4 lanes, 1 in each Aes1x }
