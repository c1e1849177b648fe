//! SM3 with the expansion of two blocks at a time in vectors, and rounds with the rotations of BMI2.

use super::super::{Block, Compress, Compression, State, Tail, scheduled};
use crate::{
    core::{cpu::Avx2 as Cpu, secret::Wiped, simd::x86_64::Quads2x},
    hashes::function::LastBlocks,
};

#[derive(Clone)]
pub(in crate::hashes::sm3) struct Avx2 {
    cpu: Cpu,
}

impl Compress<Compression> for Avx2 {
    kernel! { Avx2: fn compress(&self, state: &mut State, blocks: &[Block]) = Avx2::compress_kernel }
    kernel! { Avx2: fn finish(&self, state: &mut State, text: &[u8], len: u64) = Avx2::finish_kernel }
}

impl Avx2 {
    pub(in crate::hashes::sm3) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn compress_kernel(&self, state: &mut State, blocks: &[Block]) {
        self.absorb(state, blocks, &[]);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn finish_kernel(&self, state: &mut State, text: &[u8], len: u64) {
        let (blocks, rest) = text.as_chunks();
        let mut tail = Wiped::new(Tail::EMPTY);
        tail.fill(rest, len);
        self.absorb(state, blocks, tail.blocks());
    }

    /// Out of line, as it is long.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn absorb(&self, state: &mut State, blocks: &[Block], more: &[Block]) {
        scheduled::compress::<Quads2x, 2>(self.cpu, state, blocks, more);
    }
}
