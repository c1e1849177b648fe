//! AES-CCM with the Armv8 AES instructions.

use super::super::{
    Ccm, CcmRekey,
    chained::{chained, crypt, in_lanes},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Instructions, keys_of_chain},
    },
    core::{block::Block, simd::aarch64::Neon1x, text::Text},
};

chained! { Aes needs Aes: Instructions<Neon1x> }
