//! AES-CMAC with vector permutes.

use super::super::{
    Cmac, CmacLaneKey,
    chained::{Key, absorb, chained, finish, in_lanes},
};
use crate::{
    aes::chain::{LookupsAlone, keys_of_chain},
    core::{block::Block, simd::x86_64::U8x16},
};

chained! { Ssse3 needs Ssse3: LookupsAlone<U8x16> }
