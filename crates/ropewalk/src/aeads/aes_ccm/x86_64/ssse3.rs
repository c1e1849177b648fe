//! AES-CCM with vector permutes.

use super::super::{
    Ccm, CcmRekey,
    chained::{chained, crypt, in_lanes},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Lookups, keys_of_chain},
    },
    core::{block::Block, simd::x86_64::U8x16, text::Text},
};

chained! { Ssse3 needs Ssse3: Lookups<U8x16> }
