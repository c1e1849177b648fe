//! AES key wrap with vector permutes, which every 64-bit Arm processor has.

use super::super::{
    Semiblock, Wrap,
    chained::{chained, unwrap, wrap},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Either, Lookups, both_keys_of_chain},
    },
    core::simd::aarch64::U8x16,
};

chained! { Neon needs Neon: Either of Lookups<U8x16> }
