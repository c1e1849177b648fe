//! AES key wrap with AES instructions on 128 bits.

use super::super::{
    Semiblock, Wrap,
    chained::{chained, unwrap, wrap},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Either, Instructions, both_keys_of_chain},
    },
    core::simd::x86_64::Sse1x,
};

chained! { Aesni needs AesniClmul: Either of Instructions<Sse1x> }
