//! AES key wrap with vector permutes.

use super::super::{
    Semiblock, Wrap,
    chained::{chained, unwrap, wrap},
};
use crate::{
    aes::{
        RoundKeys,
        chain::{LookupsAlone, Rounds, both_keys_of_chain},
    },
    core::simd::x86_64::U8x16,
};

chained! { Ssse3 needs Ssse3: Rounds of LookupsAlone<U8x16> }
