//! AES-CCM of 4 messages at a time, one in each vector.

use super::super::{
    Tag,
    lanes::{Order, crypt, crypt_alone, keys_of, lanes_backend},
    many::Message,
};
use crate::{
    aes::chains::{OneKey, OwnKeys},
    core::simd::aarch64::Aes1x,
};

lanes_backend! { Aesx4 needs Aes: 4 lanes, 1 in each Aes1x }
