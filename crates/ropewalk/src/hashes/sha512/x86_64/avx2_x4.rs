//! SHA-512 of 4 messages at a time, one in each 64-bit lane.

use super::super::{
    CompressLanes, Compression, Digests, Links, Padding, Schedule, States, Texts, lanes,
};
use crate::core::{cpu::Avx2, simd::x86_64::U64x4};

pub(in crate::hashes::sha512) struct Avx2x4 {
    cpu: Avx2,
}

impl CompressLanes<Compression> for Avx2x4 {
    kernel! { Avx2: fn compress_many(&self, states: &mut States, texts: &Texts<'_>) = Avx2x4::compress_kernel }
    kernel! { Avx2: fn compress_known(&self, states: &mut States, schedule: &Schedule) = Avx2x4::known_kernel }
    kernel! { Avx2: fn digests(&self, states: &States, digests: &mut Digests) = Avx2x4::digests_kernel }
    kernel! { Avx2: fn iterate(&self, links: &mut Links, padding: &Padding, count: u32) = Avx2x4::iterate_kernel }
}

impl Avx2x4 {
    pub(in crate::hashes::sha512) fn new(cpu: Avx2, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn compress_kernel(&self, states: &mut States, texts: &Texts<'_>) {
        lanes::compress_many::<U64x4, 4>(self.cpu, states, texts);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn known_kernel(&self, states: &mut States, schedule: &Schedule) {
        lanes::compress_known::<U64x4, 4>(self.cpu, states, schedule);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn digests_kernel(&self, states: &States, digests: &mut Digests) {
        lanes::digests::<U64x4, 4>(self.cpu, states, digests);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn iterate_kernel(&self, links: &mut Links, padding: &Padding, count: u32) {
        lanes::iterate::<U64x4, 4>(self.cpu, links, padding, count);
    }
}
