//! AES key wrap from lookups of bytes, with the encodings of AVX.

use super::super::{
    Semiblock, Wrap,
    chained::{chained, unwrap, wrap},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{Lookups, both_keys_of_chain},
    },
    simd::x86_64::U8x16Avx,
};

chained! { Avx2 needs Avx2: Lookups<U8x16Avx> }
