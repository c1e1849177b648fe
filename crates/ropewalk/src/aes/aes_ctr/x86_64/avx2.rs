//! AES-CTR with vector permutes on 256 bits: two blocks in each vector.

use super::super::{Block, Ctr32, CtrRekey, Secret};
use crate::{
    aes::{
        RoundKeys,
        vperm::{self, Alone},
    },
    core::{
        cpu::Avx2 as Cpu,
        simd::x86_64::{U8x16Avx, U8x32},
        text::Text,
    },
};

pub(in crate::aes::aes_ctr) struct Avx2 {
    cpu: Cpu,
    keys: RoundKeys,
}

impl Ctr32 for Avx2 {
    kernel! { Avx2: fn apply(&self, counter: &Block, text: Text<'_>) = Avx2::kernel }
}

impl CtrRekey for Avx2 {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Avx2 {
    #[inline]
    pub(in crate::aes::aes_ctr) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: U8x16Avx::expanded(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn kernel(&self, counter: &Block, text: Text<'_>) {
        apply_kernel(self.cpu, &self.keys, counter, text);
    }
}

kernel! { Avx2: pub(crate) fn apply(cpu, proof: Cpu, keys: &RoundKeys, counter: &Block, text: Text<'_>) = apply_kernel }
kernel! { Avx2: pub(crate) fn apply_secret(cpu, proof: Cpu, keys: &RoundKeys, counter: &Block, text: &mut Text<'_>) = apply_secret_kernel }

/// Out of line, as AES-GCM uses it too.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn apply_kernel(cpu: Cpu, keys: &RoundKeys, counter: &Block, mut text: Text<'_>) {
    if text.len() == 16
        && let Some(block) = text.next()
    {
        return vperm::apply_one::<U8x16Avx>(cpu, keys, counter, block);
    }
    let counter = vperm::apply_runs::<U8x32, 2>(cpu, keys, counter, &mut text);
    apply_secret_kernel(cpu, keys, &counter, &mut text);
}

/// The same for a secret counter: the time does not depend on it.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn apply_secret_kernel(cpu: Cpu, keys: &RoundKeys, counter: &Block, text: &mut Text<'_>) {
    vperm::apply::<U8x32, U8x16Avx, 2>(cpu, keys, counter, text);
}
