//! Known answers of SHA-256.

use crate::hashes::known::hash_answers;

hash_answers! { Sha256, Sha256Many, from H0; or few }

const ONE: u64 = 0xc496_42b2_b9ee_ee3e;
#[cfg(feature = "many")]
const MANY: u64 = 0x2491_6fe9_e0eb_a6cc;
#[cfg(feature = "many")]
const ITERATED: u64 = 0x5ae7_f0f3_339c_5906;
