//! Known answers of MD5.

use crate::hashes::known::hash_answers;

hash_answers! { Md5, Md5Many, from START }

const ONE: u64 = 0x1953_805b_f801_0423;
#[cfg(feature = "many")]
const MANY: u64 = 0xb9ef_0588_d47f_7e64;
#[cfg(feature = "many")]
const ITERATED: u64 = 0x7c46_a938_f790_0730;
