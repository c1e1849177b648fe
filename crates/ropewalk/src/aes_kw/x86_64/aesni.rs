//! AES key wrap with AES instructions on 128 bits.

use super::super::{
    Semiblock, Wrap,
    chained::{chained, unwrap, wrap},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Instructions, both_keys_of_chain},
    },
    simd::x86_64::Sse1x,
};

chained! { Aesni needs AesniClmul: Instructions<Sse1x> }
