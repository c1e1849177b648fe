//! Rounds of one message in general registers, with BMI2 and without.

use crate::hashes::sha2;
#[cfg(ropewalk_ct = "msan")]
use crate::hashes::sha512::rounds::round;

pub(super) type Working = sha2::Working<u64>;

sha2::round! { round_rorx needs "bmi1,bmi2", u64, "r", rorx, [14 18 41], [28 34 39] }
sha2::round! { round_ror needs "sse2", u64, "r", ror, [14 18 41], [28 34 39] }
