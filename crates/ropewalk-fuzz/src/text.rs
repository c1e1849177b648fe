//! What messages are made of, so that a case need not hold them.

use std::sync::OnceLock;

use crate::common::edges::Placed;

/// The longest text.
pub(crate) const LONGEST: usize = 66_000;

/// Bytes that look random, then bytes of one kind, with which sums carry or do not, and then others that look random.
pub(crate) fn all() -> &'static [u8] {
    static ALL: OnceLock<Vec<u8>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut random = fastrand::Rng::with_seed(1);
        let mut all = vec![0; LONGEST + 40_000];
        random.fill(&mut all);
        all[20_000..24_000].fill(0);
        all[24_000..28_000].fill(0xff);
        all
    })
}

/// As many bytes of 0xee, so far behind a multiple of 64, among others that must stay.
pub(crate) fn filled(len: usize, offset: usize) -> Placed {
    Placed::new(&vec![0xee; len], offset)
}
