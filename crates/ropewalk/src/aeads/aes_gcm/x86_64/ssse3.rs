//! AES-GCM with vector permutes on 128 bits.

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
        simd::{Bytes, x86_64::U8x16},
        text::Text,
    },
};

lookups! { Ssse3 needs Ssse3: U8x16, aes_ctr::x86_64::ssse3::apply, aes_ctr::x86_64::ssse3::apply_secret }
