//! Few short messages, which go one by one before anybody is asked.

use super::prices::three_alone;
use crate::core::Error;

/// So few messages that are all so short go one by one wherever they are hashed, and nobody is asked.
pub(crate) const FEW: usize = 3;
pub(crate) const SHORT: usize = 112;

/// Below so many bytes a message is a block of 64.
const ONE_BLOCK: usize = 56;

/// Below so many bytes two or three messages are not worth four lanes; with a key, three, and two.
const TWO_BLOCKS: usize = 120;
const THREE_BLOCKS: usize = 184;
const FOUR_BLOCKS: usize = 248;

/// Below so many bytes that many messages go one by one, by a backend that has so few lanes, or none of those: instructions for
/// one message have begun with the next one before they end, and a few lanes that no others follow cost as much as they gain.
#[inline(always)]
pub(crate) fn alone_below(messages: usize, few_lanes: usize, keyed: bool) -> usize {
    match (messages, few_lanes) {
        (3, lanes) if three_alone(lanes) => usize::MAX,
        (..3, 3..) if keyed => FOUR_BLOCKS,
        (..=FEW, 3..) if keyed => THREE_BLOCKS,
        (..=FEW, 3..) => TWO_BLOCKS,
        // Of three, one is left over, which nothing hides.
        (..=FEW, 0) | (3, _) => SHORT,
        (..=7, 1..) => ONE_BLOCK,
        _ => 0,
    }
}

/// One message by the way that is shortest for one, and more of them by what hashes many, of which somebody knows how few its
/// lanes are.
#[inline(always)]
pub(crate) fn one_or_many<D>(
    messages: &[&[u8]],
    digests: &mut [D],
    few_lanes: impl FnOnce() -> usize,
    one: impl Fn(&[u8]) -> D,
    many: impl FnOnce(&[&[u8]], &mut [D]) -> Result<(), Error>,
) -> Result<(), Error> {
    let below = |most: usize| messages.iter().all(|message| message.len() < most);
    let alone = match messages.len() {
        1 => true,
        2..=FEW if below(ONE_BLOCK) => true,
        len @ 2..8 => below(alone_below(len, few_lanes(), false)),
        _ => false,
    };
    if !alone || messages.len() != digests.len() {
        return many(messages, digests);
    }
    for (message, digest) in messages.iter().zip(digests) {
        *digest = one(message);
    }
    Ok(())
}
