//! SM3 of 4 messages at a time, one in each 32-bit lane.

use super::super::{
    CompressLanes, Compression, Digests, Links, Padding, Schedule, States, Texts, lanes,
};
use crate::core::{cpu::Neon, simd::aarch64::U32x4};

pub(in crate::hashes::sm3) struct Neonx4 {
    cpu: Neon,
}

impl CompressLanes<Compression> for Neonx4 {
    kernel! { Neon: fn compress_many(&self, states: &mut States, texts: &Texts<'_>) = Neonx4::compress_kernel }
    kernel! { Neon: fn compress_known(&self, states: &mut States, schedule: &Schedule) = Neonx4::known_kernel }
    kernel! { Neon: fn digests(&self, states: &States, digests: &mut Digests) = Neonx4::digests_kernel }
    kernel! { Neon: fn iterate(&self, links: &mut Links, padding: &Padding, count: u32) = Neonx4::iterate_kernel }
}

impl Neonx4 {
    pub(in crate::hashes::sm3) fn new(cpu: Neon, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn compress_kernel(&self, states: &mut States, texts: &Texts<'_>) {
        lanes::compress_many::<U32x4, 4>(self.cpu, states, texts);
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn known_kernel(&self, states: &mut States, schedule: &Schedule) {
        lanes::compress_known::<U32x4, 4>(self.cpu, states, schedule);
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn digests_kernel(&self, states: &States, digests: &mut Digests) {
        lanes::digests::<U32x4, 4>(self.cpu, states, digests);
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn iterate_kernel(&self, links: &mut Links, padding: &Padding, count: u32) {
        lanes::iterate::<U32x4, 4>(self.cpu, links, padding, count);
    }
}
