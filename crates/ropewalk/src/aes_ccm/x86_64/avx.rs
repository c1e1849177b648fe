//! AES-CCM with AES instructions on 128 bits, with the encodings of AVX.

use super::super::{
    Ccm, Rekey,
    chained::{chained, crypt},
};
use crate::{
    aes::{
        Block, RoundKeys,
        chain::{Instructions, keys_of_chain},
    },
    simd::x86_64::Avx1x,
    text::Text,
};

chained! { Avx needs AvxClmul: Instructions<Avx1x> }
