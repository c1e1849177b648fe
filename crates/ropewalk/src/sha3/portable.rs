//! SHA-3 in plain Rust: the model every other backend is tested against.

use super::{Sponge, State, lanes};
use crate::cpu::Baseline;

#[derive(Clone)]
pub(super) struct Portable;

impl Sponge for Portable {
    fn absorb(&self, state: &mut State, rate: usize, blocks: &[u8]) {
        for block in blocks.chunks_exact(rate) {
            lanes::add(state, block);
            permute(state);
        }
    }

    fn squeeze(&self, state: &mut State, rate: usize, blocks: &mut [u8]) {
        for block in blocks.chunks_exact_mut(rate) {
            permute(state);
            lanes::copy(state, block);
        }
    }

    fn permute(&self, state: &mut State) {
        permute(state);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

/// One text of the rounds, not one for each call.
#[inline(never)]
fn permute(state: &mut State) {
    lanes::permute(state);
}
