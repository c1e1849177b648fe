//! AES-XTS from lookups of bytes on 256 bits: two blocks in each vector.

use super::super::{
    Block, Secret, Xts,
    vperm::{self, Keys},
};
use crate::{
    cpu::Avx2 as Cpu,
    simd::x86_64::{U8x16Avx, U8x32},
    text::Text,
};

pub(in crate::aes_xts) struct Avx2 {
    cpu: Cpu,
    keys: Keys,
}

impl Xts for Avx2 {
    kernel! { Avx2: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Avx2::kernel::<true> }
    kernel! { Avx2: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Avx2::kernel::<false> }
}

impl Avx2 {
    #[inline]
    pub(in crate::aes_xts) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: Keys::new::<U8x32, 2>(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn kernel<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, text: Text<'_>) {
        vperm::apply::<U8x32, U8x16Avx, 2, ENCRYPT>(self.cpu, &self.keys, tweak, unit, text);
    }
}
