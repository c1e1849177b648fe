//! A few short messages, which are hashed one by one before a backend for many is chosen.

use super::prices::three_serial;
use crate::core::Error;

/// So few messages that are all so short are hashed one by one by any function, before a backend is chosen.
pub(crate) const FEW: usize = 3;
pub(crate) const SHORT: usize = 112;

/// Below so many bytes a message is a block of 64.
const ONE_BLOCK: usize = 56;

/// Below so many bytes four lanes do not pay for two or three messages; with a key, for three, and two.
const TWO_BLOCKS: usize = 120;
const THREE_BLOCKS: usize = 184;
const FOUR_BLOCKS: usize = 248;

/// Below so many bytes, so many messages are hashed one by one where a backend interleaves so few, or none does: instructions for
/// one message begin with the next one before they end, and a few lanes that no others follow cost as much as they gain.
#[inline(always)]
pub(crate) fn serial_below(messages: usize, few_lanes: usize, keyed: bool) -> usize {
    match (messages, few_lanes) {
        (3, lanes) if three_serial(lanes) => usize::MAX,
        (..3, 3..) if keyed => FOUR_BLOCKS,
        (..=FEW, 3..) if keyed => THREE_BLOCKS,
        (..=FEW, 3..) => TWO_BLOCKS,
        // Of three, one is left over, which no other message hides.
        (..=FEW, 0) | (3, _) => SHORT,
        (..=7, 1..) => ONE_BLOCK,
        _ => 0,
    }
}

/// One message, or a few short ones, by the function `one`; more of them by `many`. `few_lanes` is how many messages a backend
/// of a few interleaves, or zero.
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
