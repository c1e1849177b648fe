//! SHA-1 of several independent messages in lanes.
//!
//! FIPS 180-4, section 6.1.2, with its notation. Each lane is a message.

use super::{Block, Digests, K, Links, Padding, Schedule, States, Texts};
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
    let mut h: [W; 5] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    for t in 0..texts[0].len() {
        compress::<W, L>(cpu, &mut h, &each(|lane| &texts[lane][t]));
    }
    for i in 0..5 {
        h[i].store(states.0[i].first_chunk_mut().expect("L lanes at most"));
    }
}

/// The hash values of the first `L` lanes as bytes.
#[inline(always)]
pub(super) fn digests<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    states: &States,
    digests: &mut Digests,
) {
    let h: [W; 5] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    let bytes = W::big_endian_bytes([h[0], h[1], h[2], h[3]]);
    for lane in 0..L {
        let (first, last) = digests[lane].split_at_mut(16);
        first.copy_from_slice(&bytes[lane]);
        last.copy_from_slice(&states.0[4][lane].to_be_bytes());
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

/// Absorbs one block into each lane.
#[inline(always)]
fn compress<W: Words<L>, const L: usize>(cpu: W::Cpu, state: &mut [W; 5], blocks: &[&Block; L]) {
    let mut w = [W::splat(cpu, 0); 16];
    let mut s = *state;
    s[4] = s[4] + W::splat(cpu, K[0]);
    // Words are loaded just before their rounds, interleaved with the other instructions of these.
    unroll!(q in 0 1 2 3 => {
        let [w0, w1, w2, w3] = W::words::<64, true>(cpu, blocks, 16 * q);
        (w[4 * q], w[4 * q + 1], w[4 * q + 2], w[4 * q + 3]) = (w0, w1, w2, w3);
        unroll!(t in 0 1 2 3 => {
            s[4] = s[4] + w[4 * q + t];
            s = round::<W, L, 0>(s, W::splat(cpu, K[0]));
        });
    });
    scheduled(cpu, state, s, w);
}

/// Absorbs one block of words into each lane.
struct Whole;

impl<W: Words<L>, const L: usize> many::CompressWords<W, u32, L, 5> for Whole {
    #[inline(always)]
    fn compress(cpu: W::Cpu, state: &mut [W; 5], w: [W; 16]) {
        let mut s = *state;
        s[4] = s[4] + W::splat(cpu, K[0]);
        unroll!(t in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            s[4] = s[4] + w[t];
            s = round::<W, L, 0>(s, W::splat(cpu, K[0]));
        });
        scheduled(cpu, state, s, w);
    }
}

/// The rounds with scheduled words, and the addition of the previous state.
#[inline(always)]
fn scheduled<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    state: &mut [W; 5],
    mut s: [W; 5],
    mut w: [W; 16],
) {
    unroll!(i in 16 17 18 19 => step::<W, L, 0>(cpu, &mut s, &mut w, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => step::<W, L, 1>(cpu, &mut s, &mut w, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => step::<W, L, 2>(cpu, &mut s, &mut w, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => step::<W, L, 3>(cpu, &mut s, &mut w, i));
    for i in 0..5 {
        state[i] = state[i] + s[i];
    }
}

/// Round t = 20 `F` + `i`; `w` has the last sixteen words of the schedule.
#[inline(always)]
fn step<W: Words<L>, const L: usize, const F: usize>(
    cpu: W::Cpu,
    s: &mut [W; 5],
    w: &mut [W; 16],
    i: usize,
) {
    let t = 20 * F + i;
    w[t % 16] = schedule(w[t % 16], w[(t + 2) % 16], w[(t + 8) % 16], w[(t + 13) % 16]);
    s[4] = s[4] + w[t % 16];
    // K of the next round, and zero after the last.
    let next = if t == 79 { 0 } else { K[(t + 1) / 20] };
    *s = round::<W, L, F>(*s, W::splat(cpu, next));
}

/// One of the twenty rounds that begin at 20 `F`, whose W_t + K_t have been added to e; returns the working variables after it,
/// with `next` added to e. d is then dead after f, which may overwrite one of its three operands without a copy.
#[inline(always)]
fn round<W: Words<L>, const L: usize, const F: usize>([a, b, c, d, e]: [W; 5], next: W) -> [W; 5] {
    let d_next = (d + next).summed();
    // Section 4.1.1: Ch, Parity, Maj, Parity.
    let f = match F {
        0 => b.choose(c, d),
        2 => b.majority(c, d),
        _ => b ^ c ^ d,
    };
    [e + f + a.rotr::<27>(), a, b.rotr::<2>(), c, d_next]
}

/// Absorbs the block with that schedule into each lane.
#[inline(always)]
pub(super) fn compress_known<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    states: &mut States,
    schedule: &Schedule,
) {
    let h: [W; 5] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    let (twenties, _) = schedule.as_chunks::<20>();
    let mut s = h;
    s = twenty::<W, L, 0>(cpu, s, &twenties[0]);
    s = twenty::<W, L, 1>(cpu, s, &twenties[1]);
    s = twenty::<W, L, 2>(cpu, s, &twenties[2]);
    s = twenty::<W, L, 3>(cpu, s, &twenties[3]);
    for i in 0..5 {
        (h[i] + s[i]).store(states.0[i].first_chunk_mut().expect("L lanes at most"));
    }
}

#[inline(always)]
fn twenty<W: Words<L>, const L: usize, const F: usize>(
    cpu: W::Cpu,
    mut s: [W; 5],
    wk: &[u32; 20],
) -> [W; 5] {
    for wk in wk.as_chunks::<5>().0 {
        unroll!(t in 0 1 2 3 4 => {
            s[4] = s[4] + W::splat(cpu, wk[t]);
            s = round::<W, L, F>(s, W::splat(cpu, 0));
        });
    }
    s
}

/// The schedule of one block: W_t + K_t.
pub(super) fn known(block: &Block) -> Schedule {
    let mut w = [U32x1(0); 80];
    for q in 0..4 {
        w[4 * q..4 * q + 4].copy_from_slice(&U32x1::words::<64, true>(Baseline, &[block], 16 * q));
    }
    for t in 16..80 {
        w[t] = schedule(w[t - 16], w[t - 14], w[t - 8], w[t - 3]);
    }
    core::array::from_fn(|t| (w[t] + U32x1(K[t / 20])).0)
}

/// W_t from W_t−16, W_t−14, W_t−8 and W_t−3.
#[inline(always)]
fn schedule<W: Words<L>, const L: usize>(w16: W, w14: W, w8: W, w3: W) -> W {
    (w16 ^ w14 ^ w8 ^ w3).rotr::<31>()
}
