//! Iterated HMACs in lanes, each of the digest of the previous one: for PBKDF2.

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

/// Iterated HMACs of PBKDF2, with a key for each lane.
pub(crate) struct Links<States> {
    /// The states from which the inner hash continues, and the outer one.
    pub(crate) keys: [States; 2],
    /// The last HMAC.
    pub(crate) last: States,
    /// The sum of all.
    pub(crate) sum: States,
}

/// The same for one message.
#[derive(Clone, Copy)]
pub(crate) struct Link<State> {
    pub(crate) keys: [State; 2],
    pub(crate) last: State,
    pub(crate) sum: State,
}

/// The block of a digest that follows one block and ends a message: its words, with zeros for those of the digest.
pub(crate) struct Padding<T> {
    pub(crate) words: [T; 16],
    /// Words of a digest.
    pub(crate) digest: usize,
}

/// Absorbs a block of sixteen words into each lane. A trait, and not a closure: that would not be inlined into a kernel, and
/// would lack its target features.
pub(crate) trait CompressWords<W: Words<L, T>, T: Word, const L: usize, const WORDS: usize> {
    fn compress(cpu: W::Cpu, state: &mut [W; WORDS], block: [W; 16]);
}

/// [`LaneHash::iterate`] for such a function: digests stay words from one state to the next.
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
