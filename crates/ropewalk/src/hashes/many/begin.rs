//! The first blocks of messages, in lanes: for HMAC keys.

use super::{Batch, LaneHash, LaneStates, LanesOf, PerLane};
use crate::{core::secret::Wiped, hashes::function::Backed};

/// Whether lanes are faster for so many. A narrow batch is not: first blocks are independent, so a processor overlaps them by
/// itself, and moving them into lanes costs more than can be gained (SHA-256 on Zen 3: 530 cycles a key of HKDF-Extract instead
/// of 500).
#[inline]
pub(crate) fn pays_to_begin<H: Backed>(batch: Batch<'_, H>, blocks: usize) -> bool {
    let prices = batch.prices().without_few();
    batch.lanes().is_some() && prices.pay(blocks.min(prices.width()), 1, 1)
}

/// The state after each block.
#[inline(never)]
pub(crate) fn begin<H: LaneHash>(
    batch: Batch<'_, H>,
    blocks: &[H::Block],
    states: &mut [H::State],
) {
    let width = batch.prices().width();
    for (blocks, states) in blocks.chunks(width).zip(states.chunks_mut(width)) {
        match batch.lanes() {
            Some(lanes) if pays_to_begin(batch, blocks.len()) => {
                begin_in_lanes::<H>(lanes, blocks, states);
            }
            _ => {
                for (block, state) in blocks.iter().zip(states) {
                    let mut after = Wiped::new(H::START);
                    H::compress(batch.one(), &mut after, core::slice::from_ref(block));
                    *state = *after;
                }
            }
        }
    }
}

/// Unused lanes repeat the first block.
#[inline(never)]
fn begin_in_lanes<H: LaneHash>(lanes: &LanesOf<H>, blocks: &[H::Block], states: &mut [H::State]) {
    let mut after = Wiped::new(H::starts());
    let texts =
        PerLane::from_fn(|lane| core::slice::from_ref(blocks.get(lane).unwrap_or(&blocks[0])));
    H::compress_many(lanes, &mut after, &texts);
    for (lane, state) in states.iter_mut().enumerate() {
        *state = after.lane(lane);
    }
}
