//! AES-CCM from lookups of bytes, with the encodings of AVX.

use super::super::{
    Ccm, Rekey,
    chained::{chained, crypt},
};
use crate::{
    aes::{
        Block, RoundKeys,
        chain::{Lookups, keys_of_chain},
    },
    simd::x86_64::U8x16Avx,
    text::Text,
};

chained! { Avx2 needs Avx2: Lookups<U8x16Avx> }
