//! SHA-512 with AVX2 and BMI2.

use super::pairs::pairs;

pairs! { Avx2 needs Avx2, "avx2,bmi1,bmi2", two, round_rorx }
