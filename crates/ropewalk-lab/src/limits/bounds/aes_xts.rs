//! AES-XTS.
//!
//! Blocks do not depend on each other, and tweaks follow from the first by shifts and exclusive ors in
//! parallel with the rounds: so the unit for AES rounds is the bound, as in counter mode, with one additional
//! block.

use super::{Rates, aes_ctr};
use crate::tasks::Cell;

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "As counter mode, with a block more for the first tweak; the others follow by shifts beside the \
    rounds.";

pub(super) fn least(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    let with_tweak = Cell { bytes: cell.bytes.next_multiple_of(16) + 16, ..*cell };
    aes_ctr::least(rates, &with_tweak, key_len / 2)
}

#[cfg(test)]
mod tests {
    use crate::{
        limits::bounds::tests::{cell, golden_cove},
        tasks::Mode::Message,
    };

    #[test]
    fn rounds_of_blocks_and_of_the_tweak() {
        let rates = golden_cove();
        let least = |name, bytes, count| rates.least_cycles(&cell(name, bytes, count, Message));
        assert_eq!(least("aes-256-xts", 16384, 1), Some(14.0 * 256.5));
        assert_eq!(least("aes-128-xts", 16, 1), Some(5.0));
        assert_eq!(least("aes-128-xts", 17, 1), Some(10.0));
    }
}
