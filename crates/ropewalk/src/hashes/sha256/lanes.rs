//! SHA-256 of several independent messages in lanes.
//!
//! FIPS 180-4, section 6.2.2, written once, with its notation. One lane is the portable backend; four,
//! eight and sixteen are the vector ones.

use super::{Block, Digests, K, Links, Padding, Schedule, States, Texts};
use crate::{
    core::{
        cpu::Baseline,
        simd::{Words, behind_first, each, scalar::U32x1},
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
    let mut h: [W; 8] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    for t in 0..texts[0].len() {
        compress::<W, L>(cpu, &mut h, &each(|lane| &texts[lane][t]));
    }
    for i in 0..8 {
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
    let h: [W; 8] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    let low = W::big_endian_bytes([h[0], h[1], h[2], h[3]]);
    let high = W::big_endian_bytes([h[4], h[5], h[6], h[7]]);
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

/// Absorbs one block into each lane.
#[inline(always)]
pub(super) fn compress<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    state: &mut [W; 8],
    blocks: &[&Block; L],
) {
    let mut w = [W::splat(cpu, 0); 16];
    let mut s = *state;
    s[7] = s[7] + W::splat(cpu, K[0]);
    // Words are loaded just before their rounds, interleaved with the other instructions of these.
    unroll!(q in 0 1 2 3 => {
        let [w0, w1, w2, w3] = W::words::<64, true>(cpu, blocks, 16 * q);
        (w[4 * q], w[4 * q + 1], w[4 * q + 2], w[4 * q + 3]) = (w0, w1, w2, w3);
        unroll!(t in 0 1 2 3 => {
            s[7] = s[7] + w[4 * q + t];
            s = round(s, W::splat(cpu, NEXT[4 * q + t]));
        });
    });
    scheduled(cpu, state, s, w);
}

/// Absorbs one block of words into each lane.
struct Whole;

impl<W: Words<L>, const L: usize> many::CompressWords<W, u32, L, 8> for Whole {
    #[inline(always)]
    fn compress(cpu: W::Cpu, state: &mut [W; 8], w: [W; 16]) {
        let mut s = *state;
        s[7] = s[7] + W::splat(cpu, K[0]);
        unroll!(t in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            s[7] = s[7] + w[t];
            s = round(s, W::splat(cpu, NEXT[t]));
        });
        scheduled(cpu, state, s, w);
    }
}

/// K_t+1 of each round t, and zero after the last.
static NEXT: [u32; 64] = behind_first(&K, 0);

/// The rounds with scheduled words, and the addition of the previous state.
#[inline(always)]
fn scheduled<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    state: &mut [W; 8],
    mut s: [W; 8],
    mut w: [W; 16],
) {
    for next in &NEXT.as_chunks::<16>().0[1..] {
        unroll!(t in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            w[t] = schedule(w[t], w[(t + 1) % 16], w[(t + 9) % 16], w[(t + 14) % 16]);
            s[7] = s[7] + w[t];
            s = round(s, W::splat(cpu, next[t]));
        });
    }
    for i in 0..8 {
        state[i] = state[i] + s[i];
    }
}

/// One round, whose W_t + K_t have been added to h; returns the working variables a … h after it, with `next` added to h. g is
/// then dead after Ch, which may overwrite one of its three operands without a copy.
#[inline(always)]
fn round<W: Words<L>, const L: usize>([a, b, c, d, e, f, g, h]: [W; 8], next: W) -> [W; 8] {
    let g_next = (g + next).summed();
    let s1 = e.rotr::<6>() ^ e.rotr::<11>() ^ e.rotr::<25>();
    let ch = e.choose(f, g);
    let t1 = h + s1 + ch;
    let s0 = a.rotr::<2>() ^ a.rotr::<13>() ^ a.rotr::<22>();
    let maj = a.majority(b, c);
    [t1 + s0 + maj, a, b, c, d + t1, e, f, g_next]
}

/// Absorbs the block with that schedule into each lane.
#[inline(always)]
pub(super) fn compress_known<W: Words<L>, const L: usize>(
    cpu: W::Cpu,
    states: &mut States,
    schedule: &Schedule,
) {
    let h: [W; 8] = each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")));
    let mut s = h;
    for wk in schedule.as_chunks::<16>().0 {
        unroll!(t in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            s[7] = s[7] + W::splat(cpu, wk[t]);
            s = round(s, W::splat(cpu, 0));
        });
    }
    for i in 0..8 {
        (h[i] + s[i]).store(states.0[i].first_chunk_mut().expect("L lanes at most"));
    }
}

/// The schedule of one block.
pub(super) fn known(block: &Block) -> Schedule {
    let mut w = [U32x1(0); 64];
    for q in 0..4 {
        w[4 * q..4 * q + 4].copy_from_slice(&U32x1::words::<64, true>(Baseline, &[block], 16 * q));
    }
    for t in 16..64 {
        w[t] = schedule(w[t - 16], w[t - 15], w[t - 7], w[t - 2]);
    }
    core::array::from_fn(|t| (w[t] + U32x1(K[t])).0)
}

/// W_t from W_t−16, W_t−15, W_t−7 and W_t−2.
#[inline(always)]
fn schedule<W: Words<L>, const L: usize>(w16: W, w15: W, w7: W, w2: W) -> W {
    let s0 = w15.rotr::<7>() ^ w15.rotr::<18>() ^ w15.shr::<3>();
    let s1 = w2.rotr::<17>() ^ w2.rotr::<19>() ^ w2.shr::<10>();
    (w16 + w7) + (s0 + s1)
}
