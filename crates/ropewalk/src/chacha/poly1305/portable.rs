//! Poly1305 in plain Rust: the model every other backend is tested against. In constant time, if the processor multiplies 64-bit
//! numbers in constant time.

use super::{Block, Mac, Plain, State};
use crate::core::cpu::Baseline;

#[derive(Clone)]
pub(super) struct Portable;

impl Mac for Portable {
    type Carries = Plain;

    fn absorb(&self, state: &mut State, blocks: &[Block]) {
        state.absorb::<Plain>(blocks);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}
