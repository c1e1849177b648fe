//! SHA-3 of 4 messages at a time, one in each 64-bit lane.

use super::super::{ManyTexts, SpongeMany, States, keccak_lanes};
use crate::core::{cpu::Avx2, simd::x86_64::U64x4};

pub(in crate::hashes::sha3) struct Avx2x4 {
    cpu: Avx2,
}

impl SpongeMany for Avx2x4 {
    kernel! { Avx2: fn absorb_many(&self, states: &mut States, rate: usize, texts: &ManyTexts<'_>) = Avx2x4::absorb_kernel }
    kernel! { Avx2: fn permute_many(&self, states: &mut States) = Avx2x4::permute_kernel }
}

impl Avx2x4 {
    pub(in crate::hashes::sha3) fn new(cpu: Avx2, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn absorb_kernel(&self, states: &mut States, rate: usize, texts: &ManyTexts<'_>) {
        keccak_lanes::absorb::<U64x4, 4>(self.cpu, states, rate, texts);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn permute_kernel(&self, states: &mut States) {
        keccak_lanes::permute_states::<U64x4, 4>(self.cpu, states);
    }
}
