//! AES in counter mode.
//!
//! Blocks do not depend on each other, so the unit for AES rounds is always busy, and is the bound: rounds ×
//! blocks with the widest instruction. Additions, exclusive ors and loads use other units.

use super::{Rates, Step, cover, cover_endless};
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Blocks do not depend on each other: the unit that has rounds of AES is never idle, and all else \
    runs beside it. Blocks of a call share vectors.";

const BLOCK: usize = 16;

pub(super) fn least(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    let steps = steps(rates);
    let rounds = (key_len / 4 + 6) as f64;
    let a_round = match cell.mode {
        // Blocks of several messages may share a vector: all have the same key.
        Mode::Message | Mode::Setup => {
            let blocks = cell.bytes.div_ceil(BLOCK) * cell.count;
            cover(blocks, &steps)? / cell.count as f64
        }
        // The rest of a block of key stream is used in the next call.
        Mode::Stream => cover_endless(&steps)? * cell.bytes as f64 / BLOCK as f64,
    };
    Some(rounds * a_round)
}

/// One round of one vector of blocks, narrowest first.
fn steps(rates: &Rates) -> Vec<Step> {
    let x86 = rates.x86_64.as_ref();
    let arm = rates.aarch64.as_ref();
    let widths = [
        (1, arm.and_then(|arm| arm.aese_aesmc)),
        (1, x86.and_then(|x86| x86.aesenc_xmm)),
        (2, x86.and_then(|x86| x86.vaesenc_ymm)),
        (4, x86.and_then(|x86| x86.vaesenc_zmm)),
    ];
    widths.into_iter().filter_map(|(width, rate)| Some(Step { width, cycles: rate? })).collect()
}

#[cfg(test)]
mod tests {
    use crate::limits::bounds::tests::{cell, golden_cove};
    use crate::limits::{Aarch64, Rates, X86_64};
    use crate::tasks::Mode::{Message, Stream};

    #[test]
    fn rounds_and_blocks() {
        let rates = golden_cove();
        let least = |name, bytes, count| rates.least_cycles(&cell(name, bytes, count, Message));
        assert_eq!(least("aes-128-ctr", 16384, 1), Some(0.15625 * 16384.0));
        assert_eq!(least("aes-192-ctr", 16384, 1), Some(0.1875 * 16384.0));
        assert_eq!(least("aes-256-ctr", 16384, 1), Some(0.21875 * 16384.0));
        assert_eq!(least("aes-128-ctr", 1, 1), Some(5.0));
        assert_eq!(least("aes-128-ctr", 17, 1), Some(5.0));
        assert_eq!(least("aes-128-ctr", 33, 1), Some(10.0));
        assert_eq!(least("aes-128-ctr", 1350, 1), Some(10.0 * (21.0 + 0.5)));
        assert_eq!(least("aes-128-ctr", 16, 2), Some(2.5));
        assert_eq!(least("aes-128-ctr", 0, 1), None);
        let stream = rates.least_cycles(&cell("aes-128-ctr", 8, 1, Stream));
        assert_eq!(stream, Some(0.15625 * 8.0));
    }

    #[test]
    fn other_processors() {
        let least = |rates: &Rates| rates.least_cycles(&cell("aes-128-ctr", 64, 1, Message));
        let n1 = Aarch64 { aese_aesmc: Some(1.0), ..Aarch64::default() };
        assert_eq!(least(&Rates { aarch64: Some(n1), x86_64: None }), Some(40.0));
        let haswell = X86_64 { aesenc_xmm: Some(1.0), ..X86_64::default() };
        assert_eq!(least(&Rates { x86_64: Some(haswell), aarch64: None }), Some(40.0));
        let zen5 = X86_64 {
            aesenc_xmm: Some(0.5),
            vaesenc_ymm: Some(0.5),
            vaesenc_zmm: Some(0.5),
            ..X86_64::default()
        };
        assert_eq!(least(&Rates { x86_64: Some(zen5), aarch64: None }), Some(5.0));
    }
}
