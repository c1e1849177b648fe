//! SM3 in plain Rust: the model every other backend is tested against.

use super::{
    Block, Compress, CompressLanes, Compression, Digests, Links, Padding, Schedule, State, States,
    Texts, lanes,
};
use crate::core::{cpu::Baseline, simd::scalar::U32x1};

#[derive(Clone)]
pub(crate) struct Portable;

impl Compress<Compression> for Portable {
    fn compress(&self, state: &mut State, blocks: &[Block]) {
        let mut words = state.map(U32x1);
        for block in blocks {
            lanes::compress::<U32x1, 1>(Baseline, &mut words, &[block]);
        }
        *state = words.map(|word| word.0);
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
