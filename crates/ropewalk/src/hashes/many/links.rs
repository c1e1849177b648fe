//! HMACs in lanes, each of the digest of the one before: what PBKDF2 asks of the scheduler.

use super::{Hash, States, Tail};
use crate::core::{
    secret::Wiped,
    simd::{Word, Words, each},
};
#[cfg(feature = "pbkdf2")]
pub(crate) use all::{Iterated, iterate_all};

#[cfg(feature = "pbkdf2")]
mod all;

/// HMACs, each of the digest of the one before (PBKDF2), in each lane with a key of its own.
pub(crate) struct Links<T, const WORDS: usize, const LANES: usize> {
    /// Where the inner hash goes on from, and the outer one.
    pub(crate) keys: [States<T, WORDS, LANES>; 2],
    /// The last of them.
    pub(crate) last: States<T, WORDS, LANES>,
    /// The sum of all.
    pub(crate) sum: States<T, WORDS, LANES>,
}

/// The same in one of few lanes, whose states are as one message has them.
#[derive(Clone, Copy)]
pub(crate) struct Link<T, const WORDS: usize> {
    pub(crate) keys: [[T; WORDS]; 2],
    pub(crate) last: [T; WORDS],
    pub(crate) sum: [T; WORDS],
}

/// A block that begins with a digest and ends a message after another block: its words where the digest is nothing.
pub(crate) struct Padding<T> {
    pub(crate) words: [T; 16],
    /// How many words a digest has.
    pub(crate) digest: usize,
}

/// How a hash function absorbs a block of sixteen words into each lane. It is no closure, which would not be inlined into a
/// kernel, and so had not its instructions.
pub(crate) trait Rounds<W: Words<L, T>, T: Word, const L: usize, const WORDS: usize> {
    fn compress(cpu: W::Cpu, state: &mut [W; WORDS], block: [W; 16]);
}

/// [`Hash::iterate`] for such a hash function: digests go from state to state and never are bytes.
#[inline(always)]
pub(crate) fn iterate<R, W, T, const L: usize, const WORDS: usize, const LANES: usize>(
    cpu: W::Cpu,
    links: &mut Links<T, WORDS, LANES>,
    padding: &Padding<T>,
    count: u32,
) where
    R: Rounds<W, T, L, WORDS>,
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

/// [`Hash::iterate`] for any in many lanes: digests become blocks of messages.
pub(super) fn iterate_blocks<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    links: &mut Links<H::Word, WORDS, LANES>,
    count: u32,
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST> + ?Sized,
{
    let Links { keys, last, sum } = links;
    let mut tails = Wiped::new([H::Tail::EMPTY; LANES]);
    let mut digests = Wiped::new([[0; DIGEST]; LANES]);
    for _ in 0..count {
        for key in &*keys {
            hash.digests(last, &mut *digests);
            for (tail, digest) in tails.iter_mut().zip(&*digests) {
                tail.set(digest, (BLOCK + DIGEST) as u64);
            }
            *last = *key;
            hash.compress_many(last, &tails.each_ref().map(Tail::blocks));
        }
        for (sum, last) in sum.0.iter_mut().zip(&last.0) {
            for (sum, last) in sum.iter_mut().zip(last) {
                *sum = *sum ^ *last;
            }
        }
    }
}
