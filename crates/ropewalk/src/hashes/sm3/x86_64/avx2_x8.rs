//! SM3 of 8 messages at a time, one in each 32-bit lane.

use super::super::{
    CompressLanes, Compression, Digests, Links, Padding, Schedule, States, Texts, lanes,
};
use crate::core::{cpu::Avx2, simd::x86_64::U32x8};

pub(in crate::hashes::sm3) struct Avx2x8 {
    cpu: Avx2,
}

impl CompressLanes<Compression> for Avx2x8 {
    kernel! { Avx2: fn compress_many(&self, states: &mut States, texts: &Texts<'_>) = Avx2x8::compress_kernel }
    kernel! { Avx2: fn compress_known(&self, states: &mut States, schedule: &Schedule) = Avx2x8::known_kernel }
    kernel! { Avx2: fn digests(&self, states: &States, digests: &mut Digests) = Avx2x8::digests_kernel }
    kernel! { Avx2: fn iterate(&self, links: &mut Links, padding: &Padding, count: u32) = Avx2x8::iterate_kernel }
}

impl Avx2x8 {
    pub(in crate::hashes::sm3) fn new(cpu: Avx2, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn compress_kernel(&self, states: &mut States, texts: &Texts<'_>) {
        lanes::compress_many::<U32x8, 8>(self.cpu, states, texts);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn known_kernel(&self, states: &mut States, schedule: &Schedule) {
        lanes::compress_known::<U32x8, 8>(self.cpu, states, schedule);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn digests_kernel(&self, states: &States, digests: &mut Digests) {
        lanes::digests::<U32x8, 8>(self.cpu, states, digests);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn iterate_kernel(&self, links: &mut Links, padding: &Padding, count: u32) {
        lanes::iterate::<U32x8, 8>(self.cpu, links, padding, count);
    }
}
