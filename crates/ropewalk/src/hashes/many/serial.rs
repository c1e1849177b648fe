//! Small batches of short messages, which are hashed serially before a batch backend is chosen.

use super::prices::three_serial;
use crate::core::Error;

/// Up to this many messages, all up to this short, are hashed serially for every function, before a backend is chosen.
pub(crate) const FEW: usize = 3;
pub(crate) const SHORT: usize = 112;

/// Below this many bytes, a message is one block of 64.
const ONE_BLOCK: usize = 56;

/// Below this many bytes, four lanes are slower for two or three messages; with a key, for three, and two.
const TWO_BLOCKS: usize = 120;
const THREE_BLOCKS: usize = 184;
const FOUR_BLOCKS: usize = 248;

/// Below this many bytes, that many messages are hashed serially where a backend interleaves at most `few_lanes`: with
/// instructions for one message the processor overlaps messages by itself, and a single narrow group costs as much as it gains.
#[inline(always)]
pub(crate) fn serial_below(messages: usize, few_lanes: usize, keyed: bool) -> usize {
    match (messages, few_lanes) {
        (3, lanes) if three_serial(lanes) => usize::MAX,
        (..3, 3..) if keyed => FOUR_BLOCKS,
        (..=FEW, 3..) if keyed => THREE_BLOCKS,
        (..=FEW, 3..) => TWO_BLOCKS,
        // Of three messages, the last one overlaps with no other.
        (..=FEW, 0) | (3, _) => SHORT,
        (..=7, 1..) => ONE_BLOCK,
        _ => 0,
    }
}

/// One message, or a few short ones, by the function `one`; larger batches by `many`. `few_lanes` is the number of messages that
/// a narrow-batch backend interleaves, or zero.
#[inline(always)]
pub(crate) fn one_or_many<D>(
    messages: &[&[u8]],
    digests: &mut [D],
    few_lanes: impl FnOnce() -> usize,
    one: impl Fn(&[u8]) -> D,
    many: impl FnOnce(&[&[u8]], &mut [D]) -> Result<(), Error>,
) -> Result<(), Error> {
    let below = |most: usize| messages.iter().all(|message| message.len() < most);
    let serial = match messages.len() {
        1 => true,
        2..=FEW if below(ONE_BLOCK) => true,
        len @ 2..8 => below(serial_below(len, few_lanes(), false)),
        _ => false,
    };
    if !serial || messages.len() != digests.len() {
        return many(messages, digests);
    }
    for (message, digest) in messages.iter().zip(digests) {
        *digest = one(message);
    }
    Ok(())
}
