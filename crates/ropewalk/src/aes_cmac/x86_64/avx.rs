//! AES-CMAC with AES instructions on 128 bits, with the encodings of AVX.

use super::super::{
    Cmac,
    chained::{Key, absorb, chained, finish},
};
use crate::{
    aes::{
        Block,
        chain::{Instructions, keys_of_chain},
    },
    simd::x86_64::Avx1x,
};

chained! { Avx needs AvxClmul: Instructions<Avx1x> }
