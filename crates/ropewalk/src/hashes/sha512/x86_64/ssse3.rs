//! SHA-512 with its schedule in vectors, a block at a time.

use super::{pairs::pairs, rounds};

pairs! { Ssse3 needs Ssse3, "ssse3", one past 5, rounds::round_ror, apart }
