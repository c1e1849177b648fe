//! AES-GCM.
//!
//! As counter mode, with an additional block that hides the tag; or interleaved rounds and products of GHASH,
//! if they take longer. This is the case on cores where both use the same unit.

use super::{Rates, aes_ctr, ghash};
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Rounds of all blocks and of one that hides the tag; or rounds and products of GHASH beside each \
    other as they were measured, or three products a block (Karatsuba), if these take longer. \
    Reductions are free.";

pub(super) fn least(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    let rounds = match cell.mode {
        Mode::Message | Mode::Setup => {
            let with_tag = Cell { bytes: cell.bytes.next_multiple_of(16) + 16, ..*cell };
            aes_ctr::least(rates, &with_tag, key_len)?
        }
        Mode::Stream => aes_ctr::least(rates, cell, key_len)?,
    };
    let blocks = cell.bytes as f64 / 16.0;
    let products = ghash::products(rates).unwrap_or(0.0);
    let both = beside_each_other(rates, key_len).unwrap_or(0.0);
    Some(rounds.max(products.max(both) * blocks))
}

/// The cost of a block in a long message.
///
/// It was measured with ten rounds. The busiest units spend at most the time of the products at their own
/// rate on products, and the rest on rounds: with more rounds, the rest grows in proportion.
fn beside_each_other(rates: &Rates, key_len: usize) -> Option<f64> {
    let x86 = rates.x86_64.as_ref()?;
    let more = (key_len / 4 + 6) as f64 - 10.0;
    let ways = [
        (1.0, x86.gcm_xmm, x86.pclmulqdq_xmm),
        (2.0, x86.gcm_ymm, x86.vpclmulqdq_ymm),
        (4.0, x86.gcm_zmm, x86.vpclmulqdq_zmm),
    ];
    let ways = ways.into_iter().filter_map(|(width, both, product)| {
        let (both, product) = (both?, product?);
        let a_round = ((both - 3.0 * product) / 10.0).max(0.0);
        Some((both + more * a_round) / width)
    });
    ways.reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use crate::{
        limits::bounds::tests::{cell, golden_cove},
        tasks::Mode::Message,
    };

    #[test]
    fn units_apart_or_shared() {
        let mut rates = golden_cove();
        let gcm = |rates: &crate::limits::Rates, task| {
            rates.least_cycles(&cell(task, 16384, 1, Message)).unwrap()
        };
        assert_eq!(gcm(&rates, "aes-128-gcm"), 10.0 * 256.5);
        assert_eq!(gcm(&rates, "aes-256-gcm"), 14.0 * 256.5);
        // Zen 4: two pipes execute rounds, and one of them products.
        let x86 = rates.x86_64.as_mut().expect("it is x86-64");
        (x86.gcm_zmm, x86.vpclmulqdq_zmm) = (Some(13.0), Some(2.0));
        assert_eq!(gcm(&rates, "aes-128-gcm"), 13.0 * 256.0);
        assert!((gcm(&rates, "aes-256-gcm") - 15.8 * 256.0).abs() < 1e-6);
    }
}
