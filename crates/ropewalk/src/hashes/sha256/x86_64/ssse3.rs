//! SHA-256 with its schedule in vectors, a block at a time.

use super::super::{Block, Compress, Compression, State, Tail, scheduled};
use crate::{
    core::{beside::Beside, cpu::Ssse3 as Cpu, secret::Wiped, simd::x86_64::Quads1x},
    hashes::{function::LastBlocks as _, interleaved::Interleaved},
};

#[derive(Clone)]
pub(crate) struct Ssse3 {
    cpu: Cpu,
}

impl Compress<Compression> for Ssse3 {
    kernel! { Ssse3: fn compress(&self, state: &mut State, blocks: &[Block]) = Ssse3::compress_kernel }
    kernel! { Ssse3: fn finish(&self, state: &mut State, text: &[u8], len: u64) = Ssse3::finish_kernel }
}

impl Ssse3 {
    pub(crate) fn new(cpu: Cpu, (): ()) -> Self {
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

impl Interleaved<Compression> for Ssse3 {
    const BLOCKS: usize = 1;
    const ON_WORDS: bool = true;
    type Running = (State, Wiped<scheduled::Schedule<1>>);
    type Words = [Quads1x; 4];

    #[inline(always)]
    fn enter(&self, state: &State) -> Self::Running {
        (*state, Wiped::new(const { [[[0; 4]; 1]; 16] }))
    }
    #[inline(always)]
    fn leave(&self, (running, _): &Self::Running, state: &mut State) {
        *state = *running;
    }
    #[inline(always)]
    fn words(&self, text: &[u8]) -> Self::Words {
        let blocks: &[Block] = text.as_chunks().0;
        scheduled::words(self.cpu, &[&blocks[0]])
    }
    #[inline(always)]
    fn rounds(&self, (state, wk): &mut Self::Running, w: Self::Words, beside: &mut impl Beside) {
        scheduled::rounds(self.cpu, state, w, wk, 1, beside);
    }
}
