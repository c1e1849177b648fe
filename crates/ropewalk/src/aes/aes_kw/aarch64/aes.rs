//! AES key wrap with the Armv8 AES instructions.

use super::super::{
    Semiblock, Wrap,
    chained::{chained, unwrap, wrap},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Either, Instructions, both_keys_of_chain},
    },
    core::simd::aarch64::Neon1x,
};

chained! { Aes needs Aes: Either of Instructions<Neon1x> }
