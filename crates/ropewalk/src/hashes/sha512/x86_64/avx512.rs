//! SHA-512 with AVX-512 instructions on 256 bits: rotations, and ternary functions.

#[cfg(not(ropewalk_ct = "msan"))]
use super::among;
use super::{pairs::pairs, rounds};

#[cfg(not(ropewalk_ct = "msan"))]
pairs! { Avx512 needs Avx512By256, "avx512f,avx512vl,avx2,bmi1,bmi2", two past 5, rounds::round_rorx, among_512 }
// MemorySanitizer does not track assembly.
#[cfg(ropewalk_ct = "msan")]
pairs! { Avx512 needs Avx512By256, "avx512f,avx512vl,avx2,bmi1,bmi2", two past 5, rounds::round_rorx, apart }
