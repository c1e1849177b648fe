//! Known answers of SHA-512.

use crate::hashes::known::hash_answers;

hash_answers! { Sha512, Sha512Many, from H0 }

const ONE: u64 = 0x33ff_8cea_7a0b_d861;
#[cfg(feature = "many")]
const MANY: u64 = 0xb6c1_111e_1770_23fa;
#[cfg(feature = "many")]
const ITERATED: u64 = 0xdb72_f33b_ba4d_6879;
