//! Blocks that begin messages, as many as lanes take at a time: keys of HMAC are made of these.

use super::{Batch, LaneHash, LaneStates, LanesOf, PerLane};
use crate::{core::secret::Wiped, hashes::function::Backed};

/// Whether lanes pay for so many. A backend that interleaves a few does not: blocks that begin messages do not wait for each
/// other, so a processor begins with the next one before the last has ended, and it takes more to put them into lanes than is
/// left to gain (SHA-256 on Zen 3: 530 cycles a key of HKDF-Extract, and not 500).
#[inline]
pub(crate) fn pays_to_begin<H: Backed>(batch: Batch<'_, H>, blocks: usize) -> bool {
    let prices = batch.prices().without_few();
    batch.lanes().is_some() && prices.pay(blocks.min(prices.width()), 1, 1)
}

/// The state that each block leaves.
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

/// Lanes without a block have the first one.
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
