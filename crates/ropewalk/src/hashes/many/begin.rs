//! Blocks that begin messages, as many as lanes take at a time: what makes keys of HMAC.

use super::{AsWords, Hash};
use crate::core::secret::Wiped;

/// Whether lanes are worth it for so many. Few lanes are not: a processor begins with the next block before the last has ended,
/// for none waits for another, and what puts them into lanes costs more than is left (SHA-256 on Zen 3: 530 cycles a key of
/// HKDF-Extract, and not 500).
#[inline]
pub(crate) fn pays_to_begin<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    blocks: usize,
) -> bool
where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    let prices = hash.prices().without_few();
    !hash.few() && prices.pay(blocks.min(prices.width()), 1, 1)
}

/// The state that each block leaves.
#[inline(never)]
pub(crate) fn begin<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    S,
>(
    hash: &H,
    blocks: &[[u8; BLOCK]],
    states: &mut [S],
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    S: AsWords<H::Word, WORDS>,
{
    let width = hash.prices().width();
    for (blocks, states) in blocks.chunks(width).zip(states.chunks_mut(width)) {
        if pays_to_begin(hash, blocks.len()) {
            begin_in_lanes(hash, blocks, states);
            continue;
        }
        for (block, state) in blocks.iter().zip(states) {
            let mut after = Wiped::new(H::start().lane(0));
            hash.compress(&mut after, core::slice::from_ref(block));
            *state = S::of_words(*after);
        }
    }
}

/// Lanes without a block have the first one.
#[inline(never)]
fn begin_in_lanes<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    S,
>(
    hash: &H,
    blocks: &[[u8; BLOCK]],
    states: &mut [S],
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    S: AsWords<H::Word, WORDS>,
{
    let mut lanes = Wiped::new(H::start());
    let texts =
        core::array::from_fn(|lane| core::slice::from_ref(blocks.get(lane).unwrap_or(&blocks[0])));
    hash.compress_many(&mut lanes, &texts);
    for (lane, state) in states.iter_mut().enumerate() {
        *state = S::of_words(lanes.lane(lane));
    }
}
