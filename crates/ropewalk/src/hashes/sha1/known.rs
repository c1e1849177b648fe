//! Known answers of SHA-1.

use crate::hashes::known::hash_answers;

hash_answers! { Sha1, Sha1Many, from H0; or few }

const ONE: u64 = 0x86ab_1482_8a82_a47a;
#[cfg(feature = "many")]
const MANY: u64 = 0x217d_5594_79a7_cd37;
#[cfg(feature = "many")]
const ITERATED: u64 = 0xb110_370e_4389_6286;
