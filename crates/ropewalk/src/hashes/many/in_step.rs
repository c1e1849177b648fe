//! A group of messages of one length, which end together.

use super::{Item, LaneHash, LaneStates, LanesOf, PerLane};
use crate::hashes::function::{ByteArray, LastBlocks};

/// The working state of a group of messages.
pub(super) struct Room<H: LaneHash> {
    states: H::States,
    tails: H::PerLane<H::Tail>,
}

impl<H: LaneHash> Room<H> {
    #[inline]
    pub(super) fn new() -> Self {
        Self { states: H::starts(), tails: PerLane::splat(H::Tail::EMPTY) }
    }
}

/// A group of messages of one length, with their padding where that is a block of its own. Nearly all batches consist of these,
/// and short messages cannot afford the bookkeeping of the others.
#[inline]
pub(super) fn hash_in_step<H: LaneHash, I: Item<H::State, H::Output>>(
    lanes: &LanesOf<H>,
    room: &mut Room<H>,
    messages: &[I],
    padding: Option<&H::Schedule>,
    digests: &mut [H::Output],
) {
    let Room { states, tails } = room;
    let first = &messages[0];
    let one_key = I::KEYED && messages.iter().all(|message| message.shares_key(first));
    if I::KEYED {
        set_states(states, messages, one_key, I::inner);
    } else {
        *states = H::starts();
    }
    let (body, _) = H::Block::split(first.text());
    if !body.is_empty() {
        let mut texts = <H::PerLane<&[H::Block]>>::splat(body);
        for (text, message) in texts.as_mut().iter_mut().zip(messages) {
            *text = H::Block::split(message.text()).0;
        }
        H::compress_many(lanes, states, &texts);
    }

    if let Some(padding) = padding {
        H::compress_known(lanes, states, padding);
    } else {
        let before = H::Block::LEN * first.blocks_before();
        for (tail, message) in tails.as_mut().iter_mut().zip(messages) {
            let text = message.text();
            tail.set(H::Block::split(text).1, (before + text.len()) as u64);
        }
        compress_tails::<H>(lanes, states, &tails.as_ref()[..messages.len()]);
    }
    H::digests(lanes, states, digests);

    if I::KEYED {
        // The outer hash (FIPS 198-1, table 1, steps 8 and 9).
        for (tail, digest) in tails.as_mut().iter_mut().zip(&*digests) {
            tail.set(digest.as_ref(), (H::Block::LEN + H::Output::LEN) as u64);
        }
        set_states(states, messages, one_key, I::outer);
        compress_tails::<H>(lanes, states, &tails.as_ref()[..messages.len()]);
        H::digests(lanes, states, digests);
    }
}

/// Sets each lane to the state of its key.
#[inline(always)]
fn set_states<State, I>(
    states: &mut impl LaneStates<State>,
    messages: &[I],
    one_key: bool,
    state: impl Fn(&I) -> Option<State>,
) {
    if one_key {
        if let Some(state) = state(&messages[0]) {
            states.fill(&state);
        }
        return;
    }
    for (lane, message) in messages.iter().enumerate() {
        if let Some(state) = state(message) {
            states.set_lane(lane, &state);
        }
    }
}

/// Absorbs the last blocks of messages, the same number for each.
#[inline]
fn compress_tails<H: LaneHash>(lanes: &LanesOf<H>, states: &mut H::States, tails: &[H::Tail]) {
    let mut texts = <H::PerLane<&[H::Block]>>::splat(tails[0].blocks());
    for (text, tail) in texts.as_mut().iter_mut().zip(tails) {
        *text = tail.blocks();
    }
    H::compress_many(lanes, states, &texts);
}
