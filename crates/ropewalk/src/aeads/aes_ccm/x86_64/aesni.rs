//! AES-CCM with AES instructions on 128 bits.

use super::super::{
    Ccm, CcmRekey,
    chained::{chained, crypt, in_lanes},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Instructions, keys_of_chain},
    },
    core::{block::Block, simd::x86_64::Sse1x, text::Text},
};

chained! { Aesni needs AesniClmul: Instructions<Sse1x> }
