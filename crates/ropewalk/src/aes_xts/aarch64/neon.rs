//! AES-XTS from the lookups of bytes that every 64-bit Arm processor has.

use super::super::{
    Block, Secret, Xts,
    vperm::{self, Keys},
};
use crate::{cpu::Neon as Cpu, simd::aarch64::U8x16, text::Text};

pub(in crate::aes_xts) struct Neon {
    cpu: Cpu,
    keys: Keys,
}

impl Xts for Neon {
    kernel! { Neon: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Neon::kernel::<true> }
    kernel! { Neon: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Neon::kernel::<false> }
}

impl Neon {
    #[inline]
    pub(in crate::aes_xts) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: Keys::new::<U8x16, 1>(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn kernel<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, text: Text<'_>) {
        vperm::apply::<U8x16, U8x16, 1, ENCRYPT>(self.cpu, &self.keys, tweak, unit, text);
    }
}
