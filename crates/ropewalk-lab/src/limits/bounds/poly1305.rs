//! Poly1305 (RFC 8439, section 2.5).
//!
//! Products only: additions and carries run in parallel or are left out. A message is processed in vectors or
//! in words; no known implementation splits one between both.

use super::{Rates, Step, cover_endless};
use crate::tasks::{Cell, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str =
    "Products alone: sums, carries and powers are free. All go one way, in vectors or in words.";

/// With three limbs: the low and high halves of nine products.
const OF_52_BITS: f64 = 18.0;

/// With five limbs.
const OF_32_BITS: f64 = 25.0;

/// With two words; the bits above them are few, and can be handled with shifts.
const OF_64_BITS: f64 = 4.0;

pub(super) fn least(rates: &Rates, cell: &Cell) -> Option<f64> {
    let x86 = rates.x86_64.as_ref()?;
    let ways = [
        (8, OF_52_BITS, x86.vpmadd52luq_zmm),
        (4, OF_52_BITS, x86.vpmadd52luq_ymm),
        (8, OF_32_BITS, x86.vpmuludq_zmm),
        (4, OF_32_BITS, x86.vpmuludq_ymm),
        (1, OF_64_BITS, x86.mulx),
    ];
    let steps = ways.map(|(width, products, rate)| Some(Step { width, cycles: products * rate? }));
    let steps: Vec<_> = steps.into_iter().flatten().collect();
    let blocks = match cell.mode {
        Mode::Message | Mode::Setup => cell.bytes.div_ceil(16) as f64,
        Mode::Stream => cell.bytes as f64 / 16.0,
    };
    Some(blocks * cover_endless(&steps)?)
}

#[cfg(test)]
mod tests {
    use crate::{
        limits::bounds::tests::{cell, golden_cove},
        tasks::Mode::Message,
    };

    #[test]
    fn the_best_products() {
        let mut rates = golden_cove();
        let cell = cell("poly1305", 1600, 1, Message);
        assert_eq!(rates.least_cycles(&cell), Some(100.0 * 18.0 / 8.0 / 2.0));
        let x86 = rates.x86_64.as_mut().expect("it is x86-64");
        (x86.vpmadd52luq_ymm, x86.vpmadd52luq_zmm) = (None, None);
        x86.vpmuludq_zmm = None;
        assert_eq!(rates.least_cycles(&cell), Some(100.0 * 25.0 / 4.0 / 2.0));
    }
}
