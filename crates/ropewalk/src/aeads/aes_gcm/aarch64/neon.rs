//! AES-GCM with vector permutes, which every 64-bit Arm processor has.

use super::super::{
    CtrGhash, Gcm,
    vperm::{HashKey, lookups},
};
use crate::{
    aes::{
        RoundKeys, aes_ctr,
        vperm::{self, Alone},
    },
    core::{
        block::Block,
        secret::Wiped,
        simd::{Bytes, aarch64::U8x16},
        text::Text,
    },
};

lookups! { Neon needs Neon: U8x16, aes_ctr::aarch64::neon::apply, aes_ctr::aarch64::neon::apply_secret }
