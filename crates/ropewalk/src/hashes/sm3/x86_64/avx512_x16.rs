//! SM3 of 16 messages at a time, one in each 32-bit lane.

use super::super::{
    CompressLanes, Compression, Digests, Links, Padding, Schedule, States, Texts, lanes,
};
use crate::core::{cpu::Avx512, simd::x86_64::U32x16};

pub(in crate::hashes::sm3) struct Avx512x16 {
    cpu: Avx512,
}

impl CompressLanes<Compression> for Avx512x16 {
    kernel! { Avx512: fn compress_many(&self, states: &mut States, texts: &Texts<'_>) = Avx512x16::compress_kernel }
    kernel! { Avx512: fn compress_known(&self, states: &mut States, schedule: &Schedule) = Avx512x16::known_kernel }
    kernel! { Avx512: fn digests(&self, states: &States, digests: &mut Digests) = Avx512x16::digests_kernel }
    kernel! { Avx512: fn iterate(&self, links: &mut Links, padding: &Padding, count: u32) = Avx512x16::iterate_kernel }
}

impl Avx512x16 {
    pub(in crate::hashes::sm3) fn new(cpu: Avx512, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn compress_kernel(&self, states: &mut States, texts: &Texts<'_>) {
        lanes::compress_many::<U32x16, 16>(self.cpu, states, texts);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn known_kernel(&self, states: &mut States, schedule: &Schedule) {
        lanes::compress_known::<U32x16, 16>(self.cpu, states, schedule);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn digests_kernel(&self, states: &States, digests: &mut Digests) {
        lanes::digests::<U32x16, 16>(self.cpu, states, digests);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn iterate_kernel(&self, links: &mut Links, padding: &Padding, count: u32) {
        lanes::iterate::<U32x16, 16>(self.cpu, links, padding, count);
    }
}
