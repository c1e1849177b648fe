//! SHA-3 of 8 messages at a time, one in each 64-bit lane.

use super::super::{ManyTexts, SpongeMany, States, keccak_lanes};
use crate::core::{cpu::Avx512, simd::x86_64::U64x8};

pub(in crate::hashes::sha3) struct Avx512x8 {
    cpu: Avx512,
}

impl SpongeMany for Avx512x8 {
    kernel! { Avx512: fn absorb_many(&self, states: &mut States, rate: usize, texts: &ManyTexts<'_>) = Avx512x8::absorb_kernel }
    kernel! { Avx512: fn permute_many(&self, states: &mut States) = Avx512x8::permute_kernel }
}

impl Avx512x8 {
    pub(in crate::hashes::sha3) fn new(cpu: Avx512, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn absorb_kernel(&self, states: &mut States, rate: usize, texts: &ManyTexts<'_>) {
        keccak_lanes::absorb::<U64x8, 8>(self.cpu, states, rate, texts);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn permute_kernel(&self, states: &mut States) {
        keccak_lanes::permute_states::<U64x8, 8>(self.cpu, states);
    }
}
