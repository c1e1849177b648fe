//! AES-CTR with the Armv8 AES instructions.

use core::arch::aarch64::*;

use super::super::{Block, Ctr32, CtrRekey, Secret};
use crate::{
    aes::{
        RoundKeys, Rounds,
        aarch64::{Counters, encrypt, expand as expand_kernel},
    },
    core::{
        cpu::Aes as Cpu,
        simd::{aarch64 as simd, each},
        text::{Piece, Text},
    },
};

pub(in crate::aes::aes_ctr) struct Aes {
    cpu: Cpu,
    pub(in crate::aes::aes_ctr) keys: RoundKeys,
}

impl Ctr32 for Aes {
    kernel! { Aes: fn apply(&self, counter: &Block, text: Text<'_>) = Aes::kernel }
}

kernel! { Aes: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }

impl CtrRekey for Aes {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Aes {
    #[inline]
    pub(in crate::aes::aes_ctr) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: expand(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn kernel(&self, counter: &Block, text: Text<'_>) {
        apply(self.keys.view(), counter, text);
    }
}

/// XORs the key stream into the text.
#[inline(never)]
#[target_feature(enable = "aes,neon")]
pub(crate) fn apply(keys: Rounds<'_>, counter: &Block, mut text: Text<'_>) {
    let mut counters = Counters::new(counter);
    while let Some(mut piece) = text.next::<128>() {
        add(&mut piece, encrypt::<Aes, 8>(keys, counters.next()));
    }
    if let Some(mut piece) = text.next::<64>() {
        add(&mut piece, encrypt::<Aes, 4>(keys, counters.next()));
    }
    if text.len() > 16 {
        tail(encrypt::<Aes, 4>(keys, counters.next()), text);
    } else if text.len() > 0 {
        tail(encrypt::<Aes, 1>(keys, counters.next()), text);
    }
}

/// XORs `N` blocks of key stream into as many of text.
#[inline]
#[target_feature(enable = "neon")]
fn add<const N: usize, const BYTES: usize>(
    text: &mut Piece<'_, BYTES>,
    key_stream: [uint8x16_t; N],
) {
    let input: [_; N] = each(|i| simd::load_u8x16(&text.input().as_chunks().0[i]));
    for (i, out) in text.output().as_chunks_mut().0.iter_mut().enumerate() {
        simd::store_u8x16(out, veorq_u8(key_stream[i], input[i]));
    }
}

/// XORs the key stream into the rest of the text, which is no longer.
#[inline]
#[target_feature(enable = "neon")]
fn tail<const N: usize>(key_stream: [uint8x16_t; N], mut text: Text<'_>) {
    for x in key_stream {
        match text.next::<16>() {
            Some(mut piece) => add(&mut piece, [x]),
            None => return simd::xor_part(&mut text, x),
        }
    }
}
