//! ChaCha20 (RFC 8439, section 2.3).

use super::{Ops, Rates};
use crate::tasks::Cell;

/// Twenty rounds of four quarter rounds, with four sums, four exclusive ors and four rotations each; the
/// sum with the state at the start, and that with the text. A block a lane: its words are put in order with
/// four shuffles a word.
const BLOCKS_512: Ops = Ops { all: 960.0 + 16.0 + 16.0 + 64.0, shifts: 320.0, shuffles: 64.0 };

/// None where nobody has counted the instructions.
pub(super) fn least(rates: &Rates, cell: &Cell) -> Option<f64> {
    // Sixteen blocks at once; a part of them can be done beside the next message.
    let blocks = cell.bytes.div_ceil(64) as f64;
    Some(rates.avx512_zmm()?.cycles(BLOCKS_512) * blocks / 16.0)
}
