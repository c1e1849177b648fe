//! SHA-256 with its schedule in vectors, two blocks at a time, and rounds with the rotations of BMI2.

use super::super::{Block, Compress, State, scheduled};
use crate::{cpu::Avx2 as Cpu, simd::x86_64::Quads2x};

#[derive(Clone)]
pub(in crate::sha256) struct Avx2 {
    cpu: Cpu,
}

impl Compress for Avx2 {
    kernel! { Avx2: fn compress(&self, state: &mut State, blocks: &[Block]) = Avx2::kernel }
}

impl Avx2 {
    pub(in crate::sha256) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn kernel(&self, state: &mut State, blocks: &[Block]) {
        scheduled::compress::<Quads2x, 2>(self.cpu, state, blocks);
    }
}
