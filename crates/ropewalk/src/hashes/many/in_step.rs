//! A group of messages of one length, which end together.

use super::{Hash, Item, States, Tail};

/// What a group of messages takes while it is hashed.
pub(super) struct Room<T, Tail, const WORDS: usize, const LANES: usize> {
    states: States<T, WORDS, LANES>,
    tails: [Tail; LANES],
}

impl<T: Copy, Tail, const WORDS: usize, const LANES: usize> Room<T, Tail, WORDS, LANES> {
    #[inline]
    pub(super) fn new<const BLOCK: usize>(start: &States<T, WORDS, LANES>) -> Self
    where
        Tail: self::Tail<BLOCK>,
    {
        Self { states: *start, tails: [Tail::EMPTY; LANES] }
    }
}

/// A group of messages of one length, with their padding where that is a block of its own: what
/// nearly all batches are made of, and short messages cannot bear the bookkeeping of the others.
#[inline]
pub(super) fn hash_in_step<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    room: &mut Room<H::Word, H::Tail, WORDS, LANES>,
    messages: &[I],
    padding: Option<&H::Schedule>,
    digests: &mut [[u8; DIGEST]],
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    let Room { states, tails } = room;
    let first = &messages[0];
    let one_key = I::KEYED && messages.iter().all(|message| message.shares_key(first));
    match (I::KEYED, one_key) {
        (false, _) => *states = H::start(),
        (true, true) => states.fill(&first.inner()),
        (true, false) => {
            for (lane, message) in messages.iter().enumerate() {
                states.set_lane(lane, &message.inner());
            }
        }
    }
    let (body, _) = first.text().as_chunks();
    if !body.is_empty() {
        let mut texts = [body; LANES];
        for (text, message) in texts.iter_mut().zip(messages) {
            *text = message.text().as_chunks().0;
        }
        hash.compress_many(states, &texts);
    }

    if let Some(padding) = padding {
        hash.compress_known(states, padding);
    } else {
        let before = BLOCK * first.blocks_before();
        for (tail, message) in tails.iter_mut().zip(messages) {
            let text = message.text();
            tail.set(text.as_chunks::<BLOCK>().1, (before + text.len()) as u64);
        }
        compress_tails(hash, states, &tails[..messages.len()]);
    }
    hash.digests(states, digests);

    if I::KEYED {
        // The outer hash (FIPS 198-1, table 1, steps 8 and 9).
        for (tail, digest) in tails.iter_mut().zip(&*digests) {
            tail.set(digest, (BLOCK + DIGEST) as u64);
        }
        if one_key {
            states.fill(&first.outer());
        } else {
            for (lane, message) in messages.iter().enumerate() {
                states.set_lane(lane, &message.outer());
            }
        }
        compress_tails(hash, states, &tails[..messages.len()]);
        hash.digests(states, digests);
    }
}

/// Absorbs the last blocks of messages, as many of each.
#[inline]
fn compress_tails<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    states: &mut States<H::Word, WORDS, LANES>,
    tails: &[H::Tail],
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    let mut texts = [tails[0].blocks(); LANES];
    for (text, tail) in texts.iter_mut().zip(tails) {
        *text = tail.blocks();
    }
    hash.compress_many(states, &texts);
}
