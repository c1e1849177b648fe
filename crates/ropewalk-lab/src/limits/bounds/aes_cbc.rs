//! AES in cipher block chaining, encrypting.
//!
//! Each block depends on the rounds of the block before, and on nothing else: the exclusive or with the text
//! can be part of the last round key. But the end of a message can overlap with the start of the next, within
//! the core's out-of-order window, and messages of one call can be interleaved; the bound is then the unit
//! for AES rounds, as in counter mode.

use super::{Rates, aes_ctr};
use crate::tasks::Cell;

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Each block waits for the rounds of the one before, but for the last forty of a message, which \
    run beside the next; or, if that takes longer, all blocks go through the unit that has rounds.";

/// Blocks that a core can have in flight: some 500 instructions, and a dozen for each block.
const AHEAD: usize = 40;

pub(super) fn least_to_encrypt(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    least_chained(rates, cell, cell.bytes / 16, key_len)
}

/// CMAC: an empty message has a block too.
pub(super) fn least_of_cmac(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    least_chained(rates, cell, cell.bytes.div_ceil(16).max(1), key_len)
}

/// CCM: a block with the length of the message starts the chain. In parallel there is counter mode, with a
/// block that hides the tag.
pub(super) fn least_of_ccm(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    let blocks = cell.bytes.div_ceil(16) + 1;
    let both = Cell { bytes: 2 * 16 * blocks, ..*cell };
    Some(chain(rates, cell, blocks, key_len)?.max(aes_ctr::least(rates, &both, key_len)?))
}

/// Key wrap: six times as many blocks as there are semiblocks, each of which depends on the one before, in
/// both directions (SP 800-38F, section 6.1).
pub(super) fn least_to_wrap(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    least_chained(rates, cell, 6 * (cell.bytes / 8), key_len)
}

fn least_chained(rates: &Rates, cell: &Cell, blocks: usize, key_len: usize) -> Option<f64> {
    let units = aes_ctr::least(rates, &Cell { bytes: 16 * blocks, ..*cell }, key_len)?;
    Some(chain(rates, cell, blocks, key_len)?.max(units))
}

/// The part of a chain that does not overlap with the next.
fn chain(rates: &Rates, cell: &Cell, blocks: usize, key_len: usize) -> Option<f64> {
    let latency = rates.x86_64.as_ref()?.aesenc_latency?;
    let rounds = (key_len / 4 + 6) as f64;
    let waiting = blocks.saturating_sub(AHEAD) as f64;
    Some(rounds * latency * waiting / cell.count as f64)
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

    #[test]
    fn other_chains() {
        let rates = golden_cove();
        let least = |name, bytes| rates.least_cycles(&cell(name, bytes, 1, Message));
        assert_eq!(least("aes-128-cmac", 0), Some(5.0));
        assert_eq!(least("aes-128-cmac", 1023), Some(24.0 * 30.0));
        assert_eq!(least("aes-128-ccm", 1023), Some(25.0 * 30.0));
        assert_eq!(least("aes-128-ccm", 16), Some(10.0));
        assert_eq!(least("aes-128-kw", 64), Some(8.0 * 30.0));
        assert_eq!(least("aes-128-kw", 128), Some(56.0 * 30.0));
    }
}
