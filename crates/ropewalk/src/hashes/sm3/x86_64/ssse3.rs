//! SM3 with the expansion of a block in vectors.

use super::super::{Block, Compress, Compression, State, Tail, scheduled};
use crate::{
    core::{cpu::Ssse3 as Cpu, secret::Wiped, simd::x86_64::Quads1x},
    hashes::function::LastBlocks,
};

#[derive(Clone)]
pub(in crate::hashes::sm3) struct Ssse3 {
    cpu: Cpu,
}

impl Compress<Compression> for Ssse3 {
    kernel! { Ssse3: fn compress(&self, state: &mut State, blocks: &[Block]) = Ssse3::compress_kernel }
    kernel! { Ssse3: fn finish(&self, state: &mut State, text: &[u8], len: u64) = Ssse3::finish_kernel }
}

impl Ssse3 {
    pub(in crate::hashes::sm3) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn compress_kernel(&self, state: &mut State, blocks: &[Block]) {
        self.absorb(state, blocks, &[]);
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn finish_kernel(&self, state: &mut State, text: &[u8], len: u64) {
        let (blocks, rest) = text.as_chunks();
        let mut tail = Wiped::new(Tail::EMPTY);
        tail.fill(rest, len);
        self.absorb(state, blocks, tail.blocks());
    }

    /// Out of line, as it is long.
    #[inline(never)]
    #[target_feature(enable = "ssse3")]
    fn absorb(&self, state: &mut State, blocks: &[Block], more: &[Block]) {
        scheduled::compress::<Quads1x, 1>(self.cpu, state, blocks, more);
    }
}
