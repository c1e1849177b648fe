//! SHA-3 on lanes of 64 bits, with the rotations and the and-not of BMI.

use super::super::{Sponge, State, lanes};
use crate::cpu::Bmi2 as Cpu;

#[derive(Clone)]
pub(in crate::sha3) struct Bmi2 {
    cpu: Cpu,
}

impl Sponge for Bmi2 {
    kernel! { Bmi2: fn absorb(&self, state: &mut State, rate: usize, blocks: &[u8]) = Bmi2::absorb_kernel }
    kernel! { Bmi2: fn squeeze(&self, state: &mut State, rate: usize, blocks: &mut [u8]) = Bmi2::squeeze_kernel }
    kernel! { Bmi2: fn permute(&self, state: &mut State) = Bmi2::permute_kernel }
}

impl Bmi2 {
    #[inline]
    pub(in crate::sha3) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2")]
    fn absorb_kernel(&self, state: &mut State, rate: usize, blocks: &[u8]) {
        for block in blocks.chunks_exact(rate) {
            lanes::add(state, block);
            self.permute_kernel(state);
        }
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2")]
    fn squeeze_kernel(&self, state: &mut State, rate: usize, blocks: &mut [u8]) {
        for block in blocks.chunks_exact_mut(rate) {
            self.permute_kernel(state);
            lanes::copy(state, block);
        }
    }

    /// One text of the rounds, not one for each call.
    #[inline(never)]
    #[target_feature(enable = "bmi1,bmi2")]
    fn permute_kernel(&self, state: &mut State) {
        lanes::permute(state);
    }
}
