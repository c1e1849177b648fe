//! AES-CMAC with vector permutes, which every 64-bit Arm processor has.

use super::super::{
    Cmac, CmacLaneKey,
    chained::{Key, absorb, chained, finish, in_lanes},
};
use crate::{
    aes::chain::{LookupsAlone, keys_of_chain},
    core::{block::Block, simd::aarch64::U8x16},
};

chained! { Neon needs Neon: LookupsAlone<U8x16> }
