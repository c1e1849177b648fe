//! AES in cipher block chaining, encrypting.
//!
//! Each block waits for the one before: an exclusive or, which may be put into the first round key
//! beforehand, and the rounds one after the other. Messages of one call can go side by side, and
//! then the unit that does AES rounds is the limit, as in counter mode.

use super::{Rates, aes_ctr};
use crate::tasks::Cell;

pub(super) fn least_to_encrypt(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    let x86 = rates.x86_64.as_ref()?;
    let rounds = (key_len / 4 + 6) as f64;
    let block = x86.xor_latency? + rounds * x86.aesenc_latency?;
    let chain = block * (cell.bytes / 16) as f64 / cell.count as f64;
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
        assert_eq!(least(16, 1), Some(31.0));
        assert_eq!(least(1024, 1), Some(64.0 * 31.0));
        assert_eq!(least(1024, 2), Some(32.0 * 31.0));
        assert_eq!(least(1024, 64), Some(64.0 * 2.5));
        assert_eq!(least(0, 1), None);
    }
}
