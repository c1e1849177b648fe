//! AES-CTR with vector permutes, which every 64-bit Arm processor has.

use super::super::{Block, Ctr32, CtrRekey, Secret};
use crate::{
    aes::{
        RoundKeys,
        vperm::{self, Alone},
    },
    core::{cpu::Neon as Cpu, simd::aarch64::U8x16, text::Text},
};

pub(in crate::aes::aes_ctr) struct Neon {
    cpu: Cpu,
    keys: RoundKeys,
}

impl Ctr32 for Neon {
    kernel! { Neon: fn apply(&self, counter: &Block, text: Text<'_>) = Neon::kernel }
}

impl CtrRekey for Neon {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Neon {
    #[inline]
    pub(in crate::aes::aes_ctr) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: U8x16::expanded(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn kernel(&self, counter: &Block, text: Text<'_>) {
        apply_kernel(self.cpu, &self.keys, counter, text);
    }
}

kernel! { Neon: pub(crate) fn apply(cpu, proof: Cpu, keys: &RoundKeys, counter: &Block, text: Text<'_>) = apply_kernel }
kernel! { Neon: pub(crate) fn apply_secret(cpu, proof: Cpu, keys: &RoundKeys, counter: &Block, text: &mut Text<'_>) = apply_secret_kernel }

/// Out of line, as AES-GCM uses it too.
#[inline(never)]
#[target_feature(enable = "neon")]
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
#[target_feature(enable = "neon")]
fn apply_secret_kernel(cpu: Cpu, keys: &RoundKeys, counter: &Block, text: &mut Text<'_>) {
    vperm::apply::<U8x16, U8x16, 1>(cpu, keys, counter, text);
}
