//! MD5 of several independent messages in lanes.
//!
//! RFC 1321, section 3.4, with its notation. Each lane is a message.

use super::{Block, Digests, Links, Padding, Schedule, States, T, Texts};
use crate::{
    core::{
        cpu::Baseline,
        simd::{Words, each, scalar::U32x1},
    },
    hashes::many,
};

/// Absorbs the texts of the first `L` lanes, all as long as the first, into their states.
#[inline(always)]
pub(super) fn compress_many<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    states: &mut States,
    texts: &Texts<'_>,
) {
    let mut h = load::<W, L>(cpu, states);
    for t in 0..texts[0].len() {
        compress::<W, L>(cpu, &mut h, &each(|lane| &texts[lane][t]));
    }
    store(&h, states);
}

/// The hash values of the first `L` lanes as bytes.
#[inline(always)]
pub(super) fn digests<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    states: &States,
    digests: &mut Digests,
) {
    digests[..L].copy_from_slice(&W::bytes(load::<W, L>(cpu, states)));
}

/// Computes `count` more HMACs in each of the first `L` lanes, each of the digest of the previous one.
#[inline(always)]
pub(super) fn iterate<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    links: &mut Links,
    padding: &Padding,
    count: u32,
) {
    many::iterate::<Whole, W, _, L, _, _>(cpu, links, padding, count);
}

/// The words of a block.
pub(super) fn words(block: &Block) -> [u32; 16] {
    let (words, _) = block.as_chunks();
    core::array::from_fn(|i| u32::from_le_bytes(words[i]))
}

/// Absorbs one block into each lane.
#[inline(always)]
fn compress<W: Words<L>, const L: usize>(cpu: W::Cpu, state: &mut [W; 4], blocks: &[&Block; L]) {
    let mut x = [W::splat(cpu, 0); 16];
    unroll!(q in 0 1 2 3 => {
        [x[4 * q], x[4 * q + 1], x[4 * q + 2], x[4 * q + 3]] = W::words::<64, false>(cpu, blocks, 16 * q);
    });
    <Whole as many::CompressWords<W, u32, L, 4>>::compress(cpu, state, x);
}

/// Absorbs one block of words into each lane.
struct Whole;

impl<W: Words<L>, const L: usize> many::CompressWords<W, u32, L, 4> for Whole {
    #[inline(always)]
    fn compress(cpu: W::Cpu, state: &mut [W; 4], x: [W; 16]) {
        operations(cpu, state, |i| x[place(i)] + W::splat(cpu, T[i]));
    }
}

/// Absorbs the block with that schedule into each lane.
#[inline(always)]
pub(super) fn compress_known<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    states: &mut States,
    schedule: &Schedule,
) {
    let mut h = load::<W, L>(cpu, states);
    operations(cpu, &mut h, |i| W::splat(cpu, schedule[i]));
    store(&h, states);
}

/// The schedule of one block: X[k] + T[i].
pub(super) fn known(block: &Block) -> Schedule {
    let mut x = [U32x1(0); 16];
    for q in 0..4 {
        x[4 * q..4 * q + 4].copy_from_slice(&U32x1::words::<64, false>(Baseline, &[block], 16 * q));
    }
    core::array::from_fn(|i| (x[place(i)] + U32x1(T[i])).0)
}

/// All operations, and the addition of the previous state.
#[inline(always)]
fn operations<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    state: &mut [W; 4],
    xt: impl Fn(usize) -> W,
) {
    let (mut s, ones) = (*state, W::splat(cpu, u32::MAX));
    s[0] = s[0] + xt(0);
    let next = |i| if i == 63 { W::splat(cpu, 0) } else { xt(i + 1) };
    unroll!(i in 0 4 8 12 => {
        s = step::<W, L, 0, 25>(s, next(i), ones);
        s = step::<W, L, 0, 20>(s, next(i + 1), ones);
        s = step::<W, L, 0, 15>(s, next(i + 2), ones);
        s = step::<W, L, 0, 10>(s, next(i + 3), ones);
    });
    unroll!(i in 16 20 24 28 => {
        s = step::<W, L, 1, 27>(s, next(i), ones);
        s = step::<W, L, 1, 23>(s, next(i + 1), ones);
        s = step::<W, L, 1, 18>(s, next(i + 2), ones);
        s = step::<W, L, 1, 12>(s, next(i + 3), ones);
    });
    unroll!(i in 32 36 40 44 => {
        s = step::<W, L, 2, 28>(s, next(i), ones);
        s = step::<W, L, 2, 21>(s, next(i + 1), ones);
        s = step::<W, L, 2, 16>(s, next(i + 2), ones);
        s = step::<W, L, 2, 9>(s, next(i + 3), ones);
    });
    unroll!(i in 48 52 56 60 => {
        s = step::<W, L, 3, 26>(s, next(i), ones);
        s = step::<W, L, 3, 22>(s, next(i + 1), ones);
        s = step::<W, L, 3, 17>(s, next(i + 2), ones);
        s = step::<W, L, 3, 11>(s, next(i + 3), ones);
    });
    for i in 0..4 {
        state[i] = state[i] + s[i];
    }
}

/// One operation of a round (the first round is 0), whose X[k] + T[i] have been added to a. It rotates to the right by 32 less
/// the bits of the standard. The registers are renamed, so that the result is b. `next` is added to the register that the next
/// operation has as a: d is then dead after f, which may overwrite one of its three operands without a copy.
#[inline(always)]
fn step<W: Words<L>, const L: usize, const ROUND: usize, const R: i32>(
    [a, b, c, d]: [W; 4],
    next: W,
    ones: W,
) -> [W; 4] {
    let d_next = (d + next).summed();
    let f = match ROUND {
        0 => b.choose(c, d),
        1 => d.choose(b, c),
        2 => b.sum(c, d),
        _ => c ^ (b | (d ^ ones)),
    };
    [d_next, b + (a + f).rotr::<R>(), b, c]
}

/// The index of the word that operation `i` uses.
#[inline(always)]
const fn place(i: usize) -> usize {
    [i, 1 + 5 * i, 5 + 3 * i, 7 * i][i / 16] % 16
}

#[inline(always)]
fn load<W: Words<L>, const L: usize>(cpu: W::Cpu, states: &States) -> [W; 4] {
    each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")))
}

#[inline(always)]
fn store<W: Words<L>, const L: usize>(h: &[W; 4], states: &mut States) {
    for i in 0..4 {
        h[i].store(states.0[i].first_chunk_mut().expect("L lanes at most"));
    }
}
