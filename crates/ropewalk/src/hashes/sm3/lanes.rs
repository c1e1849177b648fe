//! SM3 of several independent messages in lanes.
//!
//! GB/T 32905-2016, sections 5.3.2 and 5.3.3, written once, with its notation. One lane is the portable backend; four, eight and
//! sixteen are the vector ones.

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
    let mut v: [W; 8] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    for t in 0..texts[0].len() {
        compress::<W, L>(cpu, &mut v, &each(|lane| &texts[lane][t]));
    }
    for i in 0..8 {
        v[i].store(states.0[i].first_chunk_mut().expect("L lanes at most"));
    }
}

/// The values of the first `L` lanes as bytes.
#[inline(always)]
pub(super) fn digests<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    states: &States,
    digests: &mut Digests,
) {
    let v: [W; 8] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    let low = W::big_endian_bytes([v[0], v[1], v[2], v[3]]);
    let high = W::big_endian_bytes([v[4], v[5], v[6], v[7]]);
    for lane in 0..L {
        let (halves, _) = digests[lane].as_chunks_mut();
        (halves[0], halves[1]) = (low[lane], high[lane]);
    }
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
    core::array::from_fn(|i| u32::from_be_bytes(words[i]))
}

/// Absorbs one block into each lane: V(i+1) = CF(V(i), B(i)).
#[inline(always)]
pub(super) fn compress<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    v: &mut [W; 8],
    blocks: &[&Block; L],
) {
    let mut w = [W::splat(cpu, 0); 16];
    unroll!(q in 0 1 2 3 => {
        let [w0, w1, w2, w3] = W::words::<64, true>(cpu, blocks, 16 * q);
        (w[4 * q], w[4 * q + 1], w[4 * q + 2], w[4 * q + 3]) = (w0, w1, w2, w3);
    });
    compress_words(cpu, v, w);
}

/// Absorbs one block of words into each lane.
struct Whole;

impl<W: Words<L>, const L: usize> many::CompressWords<W, u32, L, 8> for Whole {
    #[inline(always)]
    fn compress(cpu: W::Cpu, state: &mut [W; 8], w: [W; 16]) {
        compress_words(cpu, state, w);
    }
}

/// The rounds of a block, of which `w` has W_0 … W_15.
#[inline(always)]
fn compress_words<W: Words<L>, const L: usize>(cpu: W::Cpu, v: &mut [W; 8], mut w: [W; 16]) {
    let mut s = *v;
    let constant = |t: u32| W::splat(cpu, t);
    // W_j+4 of the rounds 0 … 11 is a word of the block.
    unroll!(j in 0 1 2 3 4 5 6 7 8 9 10 11 => {
        s = round::<W, L, false>(s, constant(T[j]), w[j], w[j] ^ w[j + 4]);
    });
    unroll!(j in 12 13 14 15 => {
        let w_j = w[j];
        w[(j + 4) % 16] = next(&w, j + 4);
        s = round::<W, L, false>(s, constant(T[j]), w_j, w_j ^ w[(j + 4) % 16]);
    });
    for t in &T.as_chunks::<16>().0[1..] {
        unroll!(j in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            let w_j = w[j];
            w[(j + 4) % 16] = next(&w, j + 4);
            s = round::<W, L, true>(s, constant(t[j]), w_j, w_j ^ w[(j + 4) % 16]);
        });
    }
    for i in 0..8 {
        v[i] = v[i] ^ s[i];
    }
}

/// W_j from the sixteen words before it, each at its index modulo 16 (section 5.3.2 b).
#[inline(always)]
fn next<W: Words<L>, const L: usize>(w: &[W; 16], j: usize) -> W {
    let before = |n: usize| w[(j + 16 - n) % 16];
    let x = before(16).sum(before(9), rotl_15(before(3)));
    p1(x).sum(before(13).rotr::<{ 32 - 7 }>(), before(6))
}

/// One round, with T_j as the round adds it, W_j and W'_j; from round 16 on with the other boolean functions (section 5.3.3).
#[inline(always)]
pub(super) fn round<W: Words<L>, const L: usize, const LATER: bool>(
    [a, b, c, d, e, f, g, h]: [W; 8],
    t: W,
    w: W,
    w_prime: W,
) -> [W; 8] {
    let a_12 = a.rotr::<{ 32 - 12 }>();
    let ss1 = (a_12 + (e + t)).rotr::<{ 32 - 7 }>();
    let ss2 = ss1 ^ a_12;
    let ff = if LATER { a.majority(b, c) } else { a.sum(b, c) };
    let gg = if LATER { e.choose(f, g) } else { e.sum(f, g) };
    let tt1 = (ff + (d + w_prime)) + ss2;
    let tt2 = (gg + (h + w)) + ss1;
    [tt1, a, b.rotr::<{ 32 - 9 }>(), c, p0(tt2), e, f.rotr::<{ 32 - 19 }>(), g]
}

/// The permutation P_0 (section 4.4).
#[inline(always)]
fn p0<W: Words<L>, const L: usize>(x: W) -> W {
    x.sum(x.rotr::<{ 32 - 9 }>(), x.rotr::<{ 32 - 17 }>())
}

/// The permutation P_1 (section 4.4).
#[inline(always)]
fn p1<W: Words<L>, const L: usize>(x: W) -> W {
    x.sum(rotl_15(x), x.rotr::<{ 32 - 23 }>())
}

#[inline(always)]
fn rotl_15<W: Words<L>, const L: usize>(x: W) -> W {
    x.rotr::<{ 32 - 15 }>()
}

/// Absorbs the block with that schedule into each lane.
#[inline(always)]
pub(super) fn compress_known<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    states: &mut States,
    schedule: &Schedule,
) {
    let v: [W; 8] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    let mut s = v;
    let splat = |word: u32| W::splat(cpu, word);
    let rounds = schedule.iter().zip(&T);
    for ([w, w_prime], t) in rounds.clone().take(16) {
        s = round::<W, L, false>(s, splat(*t), splat(*w), splat(*w_prime));
    }
    for ([w, w_prime], t) in rounds.skip(16) {
        s = round::<W, L, true>(s, splat(*t), splat(*w), splat(*w_prime));
    }
    for i in 0..8 {
        (v[i] ^ s[i]).store(states.0[i].first_chunk_mut().expect("L lanes at most"));
    }
}

/// The schedule of one block: W_j and W'_j of each round.
pub(super) fn known(block: &Block) -> Schedule {
    let mut w = [U32x1(0); 16];
    for q in 0..4 {
        w[4 * q..4 * q + 4].copy_from_slice(&U32x1::words::<64, true>(Baseline, &[block], 16 * q));
    }
    let mut schedule = [[0; 2]; 64];
    for j in 0..64 {
        let w_j = w[j % 16];
        if j >= 12 {
            w[(j + 4) % 16] = next(&w, j + 4);
        }
        schedule[j] = [w_j.0, (w_j ^ w[(j + 4) % 16]).0];
    }
    schedule
}
