//! SHA-1 in plain Rust: the model every other backend is tested against.

use super::{
    Block, Compress, CompressLanes, Compression, Digests, K, Links, Padding, Schedule, State,
    States, Texts, lanes,
    rounds::{add, round},
};
use crate::core::{cpu::Baseline, simd::scalar::U32x1};

#[derive(Clone)]
pub(crate) struct Portable;

impl Compress<Compression> for Portable {
    fn compress(&self, state: &mut State, blocks: &[Block]) {
        for block in blocks {
            *state = absorb(*state, block);
        }
    }
}

impl CompressLanes<Compression> for Portable {
    fn compress_many(&self, states: &mut States, texts: &Texts<'_>) {
        lanes::compress_many::<U32x1, 1>(Baseline, states, texts);
    }

    fn compress_known(&self, states: &mut States, schedule: &Schedule) {
        lanes::compress_known::<U32x1, 1>(Baseline, states, schedule);
    }

    fn digests(&self, states: &States, digests: &mut Digests) {
        lanes::digests::<U32x1, 1>(Baseline, states, digests);
    }

    fn iterate(&self, links: &mut Links, padding: &Padding, count: u32) {
        lanes::iterate::<U32x1, 1>(Baseline, links, padding, count);
    }
}

impl Portable {
    pub(crate) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

/// Absorbs one block.
#[inline(always)]
fn absorb(state: State, block: &Block) -> State {
    let mut w = [0; 16];
    let mut s = state;
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => step::<0>(&mut s, &mut w, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => step::<1>(&mut s, &mut w, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => step::<2>(&mut s, &mut w, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => step::<3>(&mut s, &mut w, i));
    add(state, s)
}

/// Round t = 20 `F` + `i`; `w` has the last sixteen words of the schedule.
#[inline(always)]
fn step<const F: usize>(s: &mut State, w: &mut [u32; 16], i: usize) {
    let t = 20 * F + i;
    if t >= 16 {
        let sum = w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16] ^ w[t % 16];
        w[t % 16] = sum.rotate_left(1);
    }
    *s = round::<F>(*s, w[t % 16].wrapping_add(K[F]));
}
