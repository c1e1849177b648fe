//! AES-CTR with vector permutes on 128 bits.

use super::super::{Block, Ctr32, CtrRekey, Secret};
use crate::{
    aes::{
        RoundKeys,
        vperm::{self, Alone},
    },
    core::{cpu::Ssse3 as Cpu, simd::x86_64::U8x16, text::Text},
};

pub(in crate::aes::aes_ctr) struct Ssse3 {
    cpu: Cpu,
    keys: RoundKeys,
}

impl Ctr32 for Ssse3 {
    kernel! { Ssse3: fn apply(&self, counter: &Block, text: Text<'_>) = Ssse3::kernel }
}

impl CtrRekey for Ssse3 {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Ssse3 {
    #[inline]
    pub(in crate::aes::aes_ctr) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: U8x16::expanded(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn kernel(&self, counter: &Block, text: Text<'_>) {
        apply_kernel(self.cpu, &self.keys, counter, text);
    }
}

kernel! { Ssse3: pub(crate) fn apply(cpu, proof: Cpu, keys: &RoundKeys, counter: &Block, text: Text<'_>) = apply_kernel }
kernel! { Ssse3: pub(crate) fn apply_secret(cpu, proof: Cpu, keys: &RoundKeys, counter: &Block, text: &mut Text<'_>) = apply_secret_kernel }

/// Out of line, as AES-GCM uses it too.
#[inline(never)]
#[target_feature(enable = "ssse3")]
fn apply_kernel(cpu: Cpu, keys: &RoundKeys, counter: &Block, mut text: Text<'_>) {
    if text.len() == 16
        && let Some(block) = text.next()
    {
        return vperm::apply_one::<U8x16>(cpu, keys, counter, block);
    }
    let counter = vperm::apply_runs::<U8x16, 1>(cpu, keys, counter, &mut text);
    apply_secret_kernel(cpu, keys, &counter, &mut text);
}

/// The same for a secret counter: the time does not depend on it.
#[inline(never)]
#[target_feature(enable = "ssse3")]
fn apply_secret_kernel(cpu: Cpu, keys: &RoundKeys, counter: &Block, text: &mut Text<'_>) {
    vperm::apply::<U8x16, U8x16, 1>(cpu, keys, counter, text);
}
