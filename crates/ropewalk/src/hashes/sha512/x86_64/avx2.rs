//! SHA-512 with AVX2 and BMI2.

#[cfg(not(ropewalk_ct = "msan"))]
use super::among;
use super::pairs::pairs;
#[cfg(ropewalk_ct = "msan")]
use super::rounds;

#[cfg(not(ropewalk_ct = "msan"))]
pairs! { Avx2 needs Avx2, "avx2,bmi1,bmi2", two past 5, among::round_alone, among }
// MemorySanitizer does not track assembly.
#[cfg(ropewalk_ct = "msan")]
pairs! { Avx2 needs Avx2, "avx2,bmi1,bmi2", two past 5, rounds::round_rorx, apart }
