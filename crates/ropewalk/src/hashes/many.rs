//! Batches of messages of any lengths, in lanes.
//!
//! Each lane absorbs one message; when that ends, the lane takes the next one. Once too few messages are left for lanes, the
//! backend for one message completes them from their current states. Nothing is allocated. No batch takes longer than its
//! messages in serial, but for the choice itself.

#[cfg(feature = "cbc-hmac")]
mod absorb;
mod batch;
#[cfg(feature = "hkdf")]
mod begin;
pub(crate) mod few;
mod hasher;
mod in_step;
mod in_turn;
mod item;
pub(crate) mod links;
mod prices;
mod serial;
mod states;
#[cfg(test)]
mod tests;

use super::function::{BlockHash, ByteArray};
use crate::core::{Error, backend::TwoKinds, secret::Keep};

#[cfg(feature = "cbc-hmac")]
pub(crate) use absorb::{absorb_and_show, absorb_each, hash_serial};
pub(crate) use batch::{Batch, Engines};
#[cfg(feature = "hkdf")]
pub(crate) use begin::{begin, pays_to_begin};
pub use hasher::Many;
pub(crate) use hasher::{BatchOf, few_lanes};
use in_step::{Room, hash_in_step};
use in_turn::{Wide, hash_in_turn};
pub(crate) use item::Item;
pub(crate) use links::{CompressWords, Link, Links, Padding, iterate};
#[cfg(feature = "pbkdf2")]
pub(crate) use links::{Iterated, iterate_all};
pub(crate) use prices::Prices;
pub(crate) use serial::one_or_many;
#[cfg(feature = "hmac")]
pub(crate) use serial::{FEW, SHORT, serial_below};
pub(crate) use states::{LaneStates, PerLane, States, lanes};

/// A hash function for batches, as the scheduler needs it. Functions that take [`LanesOf`] need a backend with lanes; those that
/// take [`FewOf`], one for narrow batches.
pub(crate) trait LaneHash: BlockHash {
    /// A block in the layout that the rounds use.
    type Schedule;
    /// One value for each lane of the widest backend.
    type PerLane<T>: PerLane<T>;
    /// The states of all lanes.
    type States: LaneStates<Self::State> + for<'a> core::ops::BitXorAssign<&'a Self::States>;

    /// The least number of padding bytes in a message.
    const PADDING: usize;
    /// Blocks of output after the first.
    const MORE: usize = 0;

    /// The initial state in all lanes.
    fn starts() -> Self::States;
    /// Absorbs blocks into the state of each lane: the same number for each.
    fn compress_many(
        lanes: &LanesOf<Self>,
        states: &mut Self::States,
        texts: &Self::PerLane<&[Self::Block]>,
    );
    /// The schedule of the padding of a message of `len` bytes that ends with a block.
    fn schedule(len: u64) -> Self::Schedule;
    /// Absorbs the block with that schedule into the state of each lane.
    fn compress_known(lanes: &LanesOf<Self>, states: &mut Self::States, schedule: &Self::Schedule);
    /// The digests of the first lanes, as many as there is room for.
    fn digests(lanes: &LanesOf<Self>, states: &mut Self::States, digests: &mut [Self::Output]);
    /// A state with that digest.
    fn state_of(digest: &Self::Output) -> Self::State;
    /// Computes `count` more HMACs in each lane, each of the digest of the previous one.
    fn iterate(lanes: &LanesOf<Self>, links: &mut Links<Self::States>, count: u32) {
        links::iterate_blocks::<Self>(lanes, links, count);
    }

    /// Absorbs blocks into two states, or as many as the backend interleaves.
    fn compress_few(few: &FewOf<Self>, states: &mut [Self::State], texts: &[&[Self::Block]]);
    /// Absorbs the rest of messages of `len` bytes, and their padding.
    fn finish_few(few: &FewOf<Self>, states: &mut [Self::State], texts: &[&[u8]], len: u64);
    /// As [`iterate`](Self::iterate), for one message or more.
    fn iterate_few(few: &FewOf<Self>, links: &mut [Link<Self::State>], count: u32);
}

/// A backend with lanes.
pub(crate) type LanesOf<H> = <<H as super::function::Backed>::Many as TwoKinds>::Lanes;
/// A backend for narrow batches.
pub(crate) type FewOf<H> = <<H as super::function::Backed>::Many as TwoKinds>::Few;

/// The digest of each message, or its tag.
#[inline]
pub(crate) fn hash<H: LaneHash, I: Item<H::State, H::Output>>(
    batch: Batch<'_, H>,
    messages: &[I],
    digests: &mut [H::Output],
) -> Result<(), Error> {
    if messages.len() != digests.len() {
        let allowed = "as many as there are messages";
        let what = if I::KEYED { "tags" } else { "digests" };
        return Err(Error::Length { what, got: digests.len(), allowed });
    }
    match batch.lanes() {
        // A function of its own: the stack frame of lanes would cost small batches too much.
        Some(lanes) if !batch.prices().too_few(messages.len()) => {
            hash_groups(batch, lanes, messages, digests);
        }
        _ => hash_without_lanes(batch, messages, digests),
    }
    Ok(())
}

/// The same, interleaved or in serial.
#[inline]
fn hash_without_lanes<H: LaneHash, I: Item<H::State, H::Output>>(
    batch: Batch<'_, H>,
    messages: &[I],
    digests: &mut [H::Output],
) {
    match batch.few() {
        Some((few, prices)) if !prices.too_few(messages.len()) => {
            few::hash_few(batch, few, messages, digests, prices);
        }
        _ => one_by_one(batch, messages, digests),
    }
}

/// The same in lanes, in groups of as many messages as lanes are faster for.
#[inline(never)]
fn hash_groups<H: LaneHash, I: Item<H::State, H::Output>>(
    batch: Batch<'_, H>,
    lanes: &LanesOf<H>,
    mut messages: &[I],
    mut digests: &mut [H::Output],
) {
    let prices = batch.prices();
    while let Some(first) = messages.first() {
        let group = &messages[..messages.len().min(prices.width())];
        if prices.too_few(group.len()) {
            hash_without_lanes(batch, messages, digests);
            return;
        }
        let starts = starts::<H, I>();
        let blocks = blocks_of::<H, I>(first) + H::MORE;
        let done = if prices.pay(count_in_step(group), blocks, starts) {
            hash_lanes(batch, lanes, messages, digests)
        } else if prices.pay(
            group.len(),
            group.iter().map(blocks_of::<H, I>).min().unwrap_or(0),
            starts + 1,
        ) {
            hash_in_turn(&Wide { batch, lanes }, messages, digests);
            return;
        } else {
            hash_without_lanes(batch, group, &mut digests[..group.len()]);
            group.len()
        };
        messages = &messages[done..];
        digests = &mut digests[done..];
    }
}

/// How often a group has the start cost: HMAC has a second message, of the digest.
#[inline]
const fn starts<H: LaneHash, I: Item<H::State, H::Output>>() -> u64 {
    if I::KEYED { 2 } else { 1 }
}

/// Hashes groups of messages of one length while lanes are faster; returns how many. The room of lanes is made in its final
/// place.
#[inline(never)]
fn hash_lanes<H: LaneHash, I: Item<H::State, H::Output>>(
    batch: Batch<'_, H>,
    lanes: &LanesOf<H>,
    messages: &[I],
    digests: &mut [H::Output],
) -> usize {
    let prices = batch.prices();
    let (mut padding, mut done) = (None, 0);
    let mut room = I::Keep::keep(Room::<H>::new());
    while let Some(first) = messages.get(done) {
        let end = messages.len().min(done + prices.width());
        let in_step = count_in_step(&messages[done..end]);
        let blocks = blocks_of::<H, I>(first) + H::MORE;
        if !prices.pay(in_step, blocks, starts::<H, I>()) {
            break;
        }
        let len = H::Block::LEN * first.blocks_before() + first.text().len();
        if padding.as_ref().is_none_or(|(of, _)| *of != len) {
            let ends = len.is_multiple_of(H::Block::LEN);
            padding = Some((len, ends.then(|| H::schedule(len as u64))));
        }
        let padding = padding.as_ref().and_then(|(_, known)| known.as_ref());
        let group = done..done + in_step;
        hash_in_step(lanes, &mut room, &messages[group.clone()], padding, &mut digests[group]);
        done += in_step;
    }
    done
}

/// Blocks that are absorbed for a message.
#[inline]
fn blocks_of<H: LaneHash, I: Item<H::State, H::Output>>(message: &I) -> usize {
    let own = message.text().len().saturating_add(H::PADDING).div_ceil(H::Block::LEN);
    if I::KEYED { own.saturating_add(1) } else { own }
}

/// How many messages of a group, from the first on, have its length.
#[inline]
fn count_in_step<S, D, I: Item<S, D>>(group: &[I]) -> usize {
    let Some(first) = group.first() else { return 0 };
    let alike = |message: &&I| {
        message.text().len() == first.text().len()
            && message.blocks_before() == first.blocks_before()
    };
    group.iter().take_while(alike).count()
}

#[inline]
fn one_by_one<H: LaneHash, I: Item<H::State, H::Output>>(
    batch: Batch<'_, H>,
    messages: &[I],
    digests: &mut [H::Output],
) {
    for (message, digest) in messages.iter().zip(digests) {
        *digest = message.digest(batch);
    }
}
