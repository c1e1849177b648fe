//! HMACs in lanes, each of the digest of the one before: PBKDF2 needs these.

use super::{LaneHash, LanesOf, PerLane, States};
use crate::{
    core::{
        secret::Wiped,
        simd::{Word, Words, each},
    },
    hashes::function::{ByteArray, LastBlocks},
};
#[cfg(feature = "pbkdf2")]
pub(crate) use all::{Iterated, iterate_all};

#[cfg(feature = "pbkdf2")]
mod all;

/// HMACs, each of the digest of the one before (PBKDF2), in each lane with a key of its own.
pub(crate) struct Links<States> {
    /// The states that the inner hash continues from, and the outer one.
    pub(crate) keys: [States; 2],
    /// The last of them.
    pub(crate) last: States,
    /// The sum of all.
    pub(crate) sum: States,
}

/// The same of one message.
#[derive(Clone, Copy)]
pub(crate) struct Link<State> {
    pub(crate) keys: [State; 2],
    pub(crate) last: State,
    pub(crate) sum: State,
}

/// A block that begins with a digest and ends a message behind another block: its words, where those of the digest are zero.
pub(crate) struct Padding<T> {
    pub(crate) words: [T; 16],
    /// How many words a digest has.
    pub(crate) digest: usize,
}

/// How a compression function absorbs a block of sixteen words into each lane. It is no closure, which would not be inlined into
/// a kernel, and would not have its instructions.
pub(crate) trait CompressWords<W: Words<L, T>, T: Word, const L: usize, const WORDS: usize> {
    fn compress(cpu: W::Cpu, state: &mut [W; WORDS], block: [W; 16]);
}

/// [`LaneHash::iterate`] for such a function: digests go from state to state and never are bytes.
#[inline(always)]
pub(crate) fn iterate<R, W, T, const L: usize, const WORDS: usize, const LANES: usize>(
    cpu: W::Cpu,
    links: &mut Links<States<T, WORDS, LANES>>,
    padding: &Padding<T>,
    count: u32,
) where
    R: CompressWords<W, T, L, WORDS>,
    W: Words<L, T>,
    T: Word,
{
    let Links { keys, last, sum } = links;
    let row = |states: &States<T, WORDS, LANES>, i: usize| {
        W::load(cpu, states.0[i].first_chunk().expect("L lanes at most"))
    };
    let mut u: [W; WORDS] = each(|i| row(last, i));
    for _ in 0..count {
        for key in &*keys {
            let block = each(|i| match i {
                _ if i < WORDS && i < padding.digest => u[i],
                _ => W::splat(cpu, padding.words[i]),
            });
            u = each(|i| row(key, i));
            R::compress(cpu, &mut u, block);
        }
        for i in 0..WORDS {
            let row = sum.0[i].first_chunk_mut().expect("L lanes at most");
            (W::load(cpu, row) ^ u[i]).store(row);
        }
    }
    for i in 0..WORDS {
        u[i].store(last.0[i].first_chunk_mut().expect("L lanes at most"));
    }
}

/// [`LaneHash::iterate`] for any function: digests become blocks of messages.
pub(super) fn iterate_blocks<H: LaneHash>(
    lanes: &LanesOf<H>,
    links: &mut Links<H::States>,
    count: u32,
) {
    let Links { keys, last, sum } = links;
    let mut tails = Wiped::new(<H::PerLane<H::Tail>>::splat(H::Tail::EMPTY));
    let mut digests = Wiped::new(<H::PerLane<H::Output>>::splat(H::Output::ZERO));
    for _ in 0..count {
        for key in &*keys {
            H::digests(lanes, last, digests.as_mut());
            for (tail, digest) in tails.as_mut().iter_mut().zip((*digests).as_ref()) {
                tail.set(digest.as_ref(), (H::Block::LEN + H::Output::LEN) as u64);
            }
            *last = *key;
            let tails = (*tails).as_ref();
            H::compress_many(lanes, last, &PerLane::from_fn(|lane| tails[lane].blocks()));
        }
        *sum ^= &*last;
    }
}
