//! AES-CMAC with the Armv8 AES instructions.

use super::super::{
    Cmac, CmacLaneKey,
    chained::{Key, absorb, chained, finish, in_lanes},
};
use crate::{
    aes::chain::{Instructions, keys_of_chain},
    core::{block::Block, simd::aarch64::Neon1x},
};

chained! { Aes needs Aes: Instructions<Neon1x> }
