//! SHA-256 with its schedule in vectors, two blocks at a time, and rounds with the rotations of BMI2.

use super::super::{Block, Compress, Compression, State, Tail, scheduled};
use crate::{
    core::{beside::Beside, cpu::Avx2 as Cpu, secret::Wiped, simd::x86_64::Quads2x},
    hashes::{function::LastBlocks as _, interleaved::Interleaved},
};

#[derive(Clone)]
pub(crate) struct Avx2 {
    cpu: Cpu,
}

impl Compress<Compression> for Avx2 {
    kernel! { Avx2: fn compress(&self, state: &mut State, blocks: &[Block]) = Avx2::compress_kernel }
    kernel! { Avx2: fn finish(&self, state: &mut State, text: &[u8], len: u64) = Avx2::finish_kernel }
}

impl Avx2 {
    pub(crate) fn new(cpu: Cpu, (): ()) -> Self {
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

impl Interleaved<Compression> for Avx2 {
    const BLOCKS: usize = 2;
    const ON_WORDS: bool = true;
    type Running = (State, Wiped<scheduled::Schedule<2>>);
    type Words = [Quads2x; 4];

    #[inline(always)]
    fn enter(&self, state: &State) -> Self::Running {
        (*state, Wiped::new(const { [[[0; 4]; 2]; 16] }))
    }
    #[inline(always)]
    fn leave(&self, (running, _): &Self::Running, state: &mut State) {
        *state = *running;
    }
    #[inline(always)]
    fn words(&self, text: &[u8]) -> Self::Words {
        let blocks: &[Block] = text.as_chunks().0;
        scheduled::words(self.cpu, &[&blocks[0], &blocks[1]])
    }
    #[inline(always)]
    fn rounds(&self, (state, wk): &mut Self::Running, w: Self::Words, beside: &mut impl Beside) {
        scheduled::rounds(self.cpu, state, w, wk, 2, beside);
    }
}
