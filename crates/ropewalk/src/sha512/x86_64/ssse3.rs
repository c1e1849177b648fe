//! SHA-512 with its schedule in vectors, a block at a time.

use super::pairs::pairs;

pairs! { Ssse3 needs Ssse3, "ssse3", one, round_ror }
