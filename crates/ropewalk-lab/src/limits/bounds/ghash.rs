//! GHASH (SP 800-38D, section 6.4), and GMAC.
//!
//! Two halves times two halves are three carry-less products a block, by Karatsuba. Reductions are not
//! counted: many blocks share one.

use super::{Rates, Step, aes_ctr, cover_endless};
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "Three products a block (Karatsuba), of which no vector lacks blocks; reductions are free. Or the \
    block of AES that hides the tag, if it takes longer.";

/// The products of a block, if all vectors are full: the blocks may be of several messages.
pub(super) fn products(rates: &Rates) -> Option<f64> {
    let x86 = rates.x86_64.as_ref();
    let arm = rates.aarch64.as_ref();
    let widths = [
        (1, arm.and_then(|arm| arm.pmull)),
        (1, x86.and_then(|x86| x86.pclmulqdq_xmm)),
        (2, x86.and_then(|x86| x86.vpclmulqdq_ymm)),
        (4, x86.and_then(|x86| x86.vpclmulqdq_zmm)),
    ];
    let steps = widths.map(|(width, rate)| Some(Step { width, cycles: rate? }));
    let steps: Vec<_> = steps.into_iter().flatten().collect();
    Some(3.0 * cover_endless(&steps)?)
}

/// GMAC: the products of the message, or the block of AES that hides the tag, if that takes longer.
pub(super) fn least(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    let blocks = cell.bytes as f64 / 16.0;
    let tag = aes_ctr::least(rates, &Cell { bytes: 16, mode: Mode::Message, ..*cell }, key_len)?;
    Some((products(rates)? * blocks).max(tag))
}

#[cfg(test)]
mod tests {
    use crate::{
        limits::bounds::tests::{cell, golden_cove},
        tasks::Mode::Message,
    };

    #[test]
    fn products_or_the_block_of_the_tag() {
        let mut rates = golden_cove();
        let gmac = |rates: &crate::limits::Rates, bytes| {
            rates.least_cycles(&cell("aes-128-gmac", bytes, 1, Message))
        };
        assert_eq!(gmac(&rates, 16384), Some(0.75 * 1024.0));
        assert_eq!(gmac(&rates, 16), Some(5.0));
        // If products are slower than AES rounds, they are the bound of AES-GCM.
        rates.x86_64.as_mut().expect("it is x86-64").vpclmulqdq_zmm = None;
        rates.x86_64.as_mut().expect("it is x86-64").vpclmulqdq_ymm = Some(2.0);
        let gcm = rates.least_cycles(&cell("aes-128-gcm", 16384, 1, Message));
        assert_eq!(gcm, Some(3.0 * 1024.0));
    }
}
