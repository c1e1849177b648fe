//! AES-CMAC from lookups of bytes, with the encodings of AVX.

use super::super::{
    Cmac,
    chained::{Key, absorb, chained, finish},
};
use crate::{
    aes::{
        Block,
        chain::{Lookups, keys_of_chain},
    },
    simd::x86_64::U8x16Avx,
};

chained! { Avx2 needs Avx2: Lookups<U8x16Avx> }
