//! AES key wrap with AES instructions on 128 bits, with the encodings of AVX.

use super::super::{
    Semiblock, Wrap,
    chained::{chained, unwrap, wrap},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Instructions, both_keys_of_chain},
    },
    simd::x86_64::Avx1x,
};

chained! { Avx needs AvxClmul: Instructions<Avx1x> }
