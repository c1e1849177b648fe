//! SHA-512 in plain Rust: the model every other backend is tested against.

use super::{
    Block, Compress, CompressLanes, Compression, Digests, K, Links, Padding, Schedule, State,
    States, Texts, lanes,
    rounds::{add, round},
};
use crate::core::{cpu::Baseline, simd::scalar::U64x1};

#[derive(Clone)]
pub(super) struct Portable;

impl Compress<Compression> for Portable {
    fn compress(&self, state: &mut State, blocks: &[Block]) {
        let (k, _) = K.as_chunks::<16>();
        for block in blocks {
            let (words, _) = block.as_chunks();
            let mut w = [0; 16];
            let mut s = *state;
            unroll!(t in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
                w[t] = u64::from_be_bytes(words[t]);
                s = round(s, w[t].wrapping_add(k[0][t]));
            });
            for k in &k[1..] {
                unroll!(t in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
                    w[t] = schedule(w[t], w[(t + 1) % 16], w[(t + 9) % 16], w[(t + 14) % 16]);
                    s = round(s, w[t].wrapping_add(k[t]));
                });
            }
            add(state, s);
        }
    }
}

impl CompressLanes<Compression> for Portable {
    fn compress_many(&self, states: &mut States, texts: &Texts<'_>) {
        lanes::compress_many::<U64x1, 1>(Baseline, states, texts);
    }

    fn compress_known(&self, states: &mut States, schedule: &Schedule) {
        lanes::compress_known::<U64x1, 1>(Baseline, states, schedule);
    }

    fn digests(&self, states: &States, digests: &mut Digests) {
        lanes::digests::<U64x1, 1>(Baseline, states, digests);
    }

    fn iterate(&self, links: &mut Links, padding: &Padding, count: u32) {
        lanes::iterate::<U64x1, 1>(Baseline, links, padding, count);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

/// W_t from W_t−16, W_t−15, W_t−7 and W_t−2.
#[inline(always)]
fn schedule(w16: u64, w15: u64, w7: u64, w2: u64) -> u64 {
    let s0 = w15.rotate_right(1) ^ w15.rotate_right(8) ^ (w15 >> 7);
    let s1 = w2.rotate_right(19) ^ w2.rotate_right(61) ^ (w2 >> 6);
    w16.wrapping_add(w7).wrapping_add(s0).wrapping_add(s1)
}
