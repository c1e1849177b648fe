//! Poly1305 in words of 64 bits, with products that leave flags alone.

use super::super::{
    Block, Carried, Mac, State,
    state::{self, Number},
};
use crate::cpu::Bmi2 as Cpu;

#[derive(Clone)]
pub(in crate::poly1305) struct Bmi2 {
    cpu: Cpu,
}

impl Mac for Bmi2 {
    type Carries = Carried;

    kernel! { Bmi2: fn absorb(&self, state: &mut State, blocks: &[Block]) = Bmi2::absorb_kernel }
}

impl Bmi2 {
    pub(in crate::poly1305) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2")]
    fn absorb_kernel(&self, state: &mut State, blocks: &[Block]) {
        absorb(self.cpu, &mut state.h, state.r, blocks);
    }
}

/// Absorbs whole blocks. Out of line, for whoever has lanes, and few blocks left.
#[inline(always)]
pub(in crate::poly1305) fn absorb(cpu: Cpu, h: &mut Number, r: [u64; 2], blocks: &[Block]) {
    if blocks.is_empty() {
        return;
    }
    proven!(Bmi2: cpu, once fn enter(h: &mut Number, r: [u64; 2], blocks: &[Block]) -> () {
        *h = state::absorb::<Carried>(*h, r, blocks);
    });
}
