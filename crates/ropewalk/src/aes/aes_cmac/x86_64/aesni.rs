//! AES-CMAC with AES instructions on 128 bits.

use super::super::{
    Cmac, CmacLaneKey,
    chained::{Key, absorb, chained, finish, in_lanes},
};
use crate::{
    aes::chain::{Instructions, keys_of_chain},
    core::{block::Block, simd::x86_64::Sse1x},
};

chained! { Aesni needs AesniClmul: Instructions<Sse1x> }
