//! SHA-3 of 2 messages at a time, one in each 64-bit lane, with the Armv8 SHA-3 instructions.

use super::super::{ManyTexts, SpongeMany, States, keccak_lanes};
use crate::core::{cpu::Sha3, simd::aarch64::U64x2};

pub(in crate::hashes::sha3) struct Sha3x2 {
    cpu: Sha3,
}

impl SpongeMany for Sha3x2 {
    kernel! { Sha3: fn absorb_many(&self, states: &mut States, rate: usize, texts: &ManyTexts<'_>) = Sha3x2::absorb_kernel }
    kernel! { Sha3: fn permute_many(&self, states: &mut States) = Sha3x2::permute_kernel }
}

impl Sha3x2 {
    pub(in crate::hashes::sha3) fn new(cpu: Sha3, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha3,neon")]
    fn absorb_kernel(&self, states: &mut States, rate: usize, texts: &ManyTexts<'_>) {
        keccak_lanes::absorb::<U64x2, 2>(self.cpu, states, rate, texts);
    }

    #[inline]
    #[target_feature(enable = "sha3,neon")]
    fn permute_kernel(&self, states: &mut States) {
        keccak_lanes::permute_states::<U64x2, 2>(self.cpu, states);
    }
}
