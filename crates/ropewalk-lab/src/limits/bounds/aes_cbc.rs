//! AES in cipher block chaining, encrypting.
//!
//! Each block waits for the rounds of the one before, and for nothing else: the exclusive or with the
//! text can go into the last round key. But the end of a message can run beside the start of the
//! next, as far as the core looks ahead, and messages of one call can go side by side; what is left
//! then is the unit that does AES rounds, as in counter mode.

use super::{Rates, aes_ctr};
use crate::tasks::Cell;

/// Blocks that a core can have in flight: some 500 instructions, and a dozen for each block.
const AHEAD: usize = 40;

pub(super) fn least_to_encrypt(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    let latency = rates.x86_64.as_ref()?.aesenc_latency?;
    let rounds = (key_len / 4 + 6) as f64;
    let waiting = (cell.bytes / 16).saturating_sub(AHEAD) as f64;
    let chain = rounds * latency * waiting / cell.count as f64;
    Some(chain.max(aes_ctr::least(rates, cell, key_len)?))
}

#[cfg(test)]
mod tests {
    use crate::{
        limits::bounds::tests::{cell, golden_cove},
        tasks::Mode::Message,
    };

    #[test]
    fn chains_or_units() {
        let rates = golden_cove();
        let least = |bytes, count| rates.least_cycles(&cell("aes-128-cbc", bytes, count, Message));
        assert_eq!(least(16, 1), Some(5.0));
        assert_eq!(least(1024, 1), Some(24.0 * 30.0));
        assert_eq!(least(1024, 2), Some(12.0 * 30.0));
        assert_eq!(least(1024, 64), Some(64.0 * 2.5));
        assert_eq!(least(0, 1), None);
    }
}
