//! Poly1305 in plain Rust: the model every other backend is tested against. In constant time where
//! a product of two 64-bit numbers is.

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
