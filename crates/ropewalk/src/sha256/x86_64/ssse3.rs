//! SHA-256 with its schedule in vectors, a block at a time.

use super::super::{Block, Compress, State, scheduled};
use crate::{cpu::Ssse3 as Cpu, simd::x86_64::Quads1x};

#[derive(Clone)]
pub(in crate::sha256) struct Ssse3 {
    cpu: Cpu,
}

impl Compress for Ssse3 {
    kernel! { Ssse3: fn compress(&self, state: &mut State, blocks: &[Block]) = Ssse3::kernel }
}

impl Ssse3 {
    pub(in crate::sha256) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline(never)]
    #[target_feature(enable = "ssse3")]
    fn kernel(&self, state: &mut State, blocks: &[Block]) {
        scheduled::compress::<Quads1x, 1>(self.cpu, state, blocks);
    }
}
