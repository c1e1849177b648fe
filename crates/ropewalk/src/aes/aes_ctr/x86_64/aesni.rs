//! AES-CTR with AES instructions on 128 bits.

use core::arch::x86_64::*;

use super::super::{Block, Ctr32, CtrRekey, Secret};
use crate::{
    aes::{
        RoundKeys, Rounds,
        x86_64::{Counters, encrypt, expand as expand_kernel},
    },
    core::{
        cpu::Aesni as Cpu,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

pub(in crate::aes::aes_ctr) struct Aesni {
    cpu: Cpu,
    pub(in crate::aes::aes_ctr) keys: RoundKeys,
}

impl Ctr32 for Aesni {
    kernel! { Aesni: fn apply(&self, counter: &Block, text: Text<'_>) = Aesni::kernel }
}

kernel! { Aesni: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }

impl CtrRekey for Aesni {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Aesni {
    #[inline]
    pub(in crate::aes::aes_ctr) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: expand(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn kernel(&self, counter: &Block, text: Text<'_>) {
        apply(self.keys.view(), counter, text);
    }
}

/// XORs the key stream into the text.
#[inline(never)]
#[target_feature(enable = "aes,sse4.1,ssse3")]
pub(crate) fn apply(keys: Rounds<'_>, counter: &Block, mut text: Text<'_>) {
    let mut counters = Counters::new(simd::load_128(counter));
    while let Some(mut piece) = text.next::<128>() {
        // Keys are reloaded for each step: in the 16 registers they would displace blocks.
        add(&mut piece, encrypt::<8>(keys.unseen(), counters.next()));
    }
    while text.len() > 16 {
        let x = encrypt::<4>(keys.unseen(), counters.next());
        match text.next::<64>() {
            Some(mut piece) => add(&mut piece, x),
            None => return tail(&x, &mut text),
        }
    }
    if text.len() > 0 {
        let [x] = encrypt::<1>(keys, counters.next());
        match text.next::<16>() {
            Some(mut piece) => add(&mut piece, [x]),
            None => simd::xor_part_128(&mut text, x),
        }
    }
}

/// XORs `N` blocks of key stream into as many of text.
#[inline]
#[target_feature(enable = "sse4.1")]
fn add<const N: usize, const BYTES: usize>(text: &mut Piece<'_, BYTES>, key_stream: [__m128i; N]) {
    let input: [_; N] = each(|i| simd::load_128(&text.input().as_chunks().0[i]));
    for (i, out) in text.output().as_chunks_mut().0.iter_mut().enumerate() {
        simd::store_128(out, _mm_xor_si128(key_stream[i], input[i]));
    }
}

/// XORs the key stream into the rest of the text, which is shorter.
#[inline(never)]
#[target_feature(enable = "sse4.1")]
fn tail(key_stream: &[__m128i; 4], text: &mut Text<'_>) {
    let (mut text, mut i) = (text.reborrow(), 0);
    while let Some(mut piece) = text.next::<16>() {
        add(&mut piece, [key_stream[i % 4]]);
        i += 1;
    }
    if text.len() > 0 {
        simd::xor_part_128(&mut text, key_stream[i % 4]);
    }
}
