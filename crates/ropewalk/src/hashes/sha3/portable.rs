//! SHA-3 in plain Rust: the model every other backend is tested against.

use super::{ManyTexts, Sponge, SpongeMany, State, States, keccak_lanes, lanes};
use crate::core::{cpu::Baseline, simd::scalar::U64x1};

#[derive(Clone)]
pub(super) struct Portable;

impl Sponge for Portable {
    fn permute(&self, state: &mut State) {
        permute(state);
    }
}

impl SpongeMany for Portable {
    fn absorb_many(&self, states: &mut States, rate: usize, texts: &ManyTexts<'_>) {
        keccak_lanes::absorb::<U64x1, 1>(Baseline, states, rate, texts);
    }

    fn permute_many(&self, states: &mut States) {
        keccak_lanes::permute_states::<U64x1, 1>(Baseline, states);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

/// One copy of the rounds for all callers.
#[inline(never)]
fn permute(state: &mut State) {
    lanes::permute(state);
}
