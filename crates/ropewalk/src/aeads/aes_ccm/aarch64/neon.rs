//! AES-CCM with vector permutes, which every 64-bit Arm processor has.

use super::super::{
    Ccm, CcmRekey,
    chained::{chained, crypt, in_lanes},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Lookups, keys_of_chain},
    },
    core::{block::Block, simd::aarch64::U8x16, text::Text},
};

chained! { Neon needs Neon: Lookups<U8x16> }
