//! AES-GCM with the Armv8 AES and PMULL instructions.

use core::arch::aarch64::*;

use zeroize::Zeroize;

use super::{
    super::{Aead, Nonce, Secret},
    ghash::{GROUP, Powers, absorb_data, absorb_group, powers, reverse},
};
use crate::{
    aes::{
        Block, RoundKeys,
        aarch64::{Counters, encrypt, expand},
    },
    cpu::Aes as Cpu,
    simd::aarch64 as simd,
    text::Text,
};

pub(in crate::aes_gcm) struct Aes {
    cpu: Cpu,
    keys: RoundKeys,
    powers: Powers,
}

impl Aead for Aes {
    kernel! { Aes: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Aes::crypt_kernel::<false> }
    kernel! { Aes: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Aes::crypt_kernel::<true> }
    kernel! { Aes: fn ctr(&self, counter: &Block, text: Text<'_>) = Aes::ctr_kernel }
    kernel! { Aes: fn absorb(&self, hash: &mut Block, data: &[u8]) = Aes::absorb_kernel }

    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

kernel! { Aes: fn make(cpu, secret: &[u8]) -> (RoundKeys, Powers) = make_kernel }

impl Drop for Aes {
    fn drop(&mut self) {
        self.powers.as_flattened_mut().zeroize();
    }
}

impl Aes {
    #[inline]
    pub(in crate::aes_gcm) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let (keys, powers) = make(cpu, secret);
        Self { cpu, keys, powers }
    }

    #[target_feature(enable = "aes,neon")]
    fn crypt_kernel<const OPEN: bool>(
        &self,
        nonce: &Nonce,
        aad: &[u8],
        text: Text<'_>,
        tag: &mut Block,
    ) {
        let Self { keys: RoundKeys { keys, rounds }, powers, .. } = self;
        let right = match rounds {
            10 => crypt::<10, OPEN>(keys, powers, nonce, aad, text),
            12 => crypt::<12, OPEN>(keys, powers, nonce, aad, text),
            _ => crypt::<14, OPEN>(keys, powers, nonce, aad, text),
        };
        simd::store_u8x16(tag, right);
    }

    #[target_feature(enable = "aes,neon")]
    fn ctr_kernel(&self, counter: &Block, text: Text<'_>) {
        crate::aes_ctr::aarch64::aes::apply(&self.keys.keys, self.keys.rounds, counter, text);
    }

    #[target_feature(enable = "aes,neon")]
    fn absorb_kernel(&self, hash: &mut Block, data: &[u8]) {
        let y = absorb_data(reverse(simd::load_u8x16(hash)), data, &self.powers);
        simd::store_u8x16(hash, reverse(y));
    }
}

#[target_feature(enable = "aes,neon")]
fn make_kernel(secret: &[u8]) -> (RoundKeys, Powers) {
    let keys = expand(secret);
    let zero = [vdupq_n_u8(0)];
    let [h] = match keys.rounds {
        10 => encrypt::<10, 1>(&keys.keys, zero),
        12 => encrypt::<12, 1>(&keys.keys, zero),
        _ => encrypt::<14, 1>(&keys.keys, zero),
    };
    let mut block = [0; 16];
    simd::store_u8x16(&mut block, h);
    let powers = powers(&block);
    block.zeroize();
    (keys, powers)
}

/// Encrypts or decrypts, and makes the tag.
#[inline]
#[target_feature(enable = "aes,neon")]
fn crypt<const ROUNDS: usize, const OPEN: bool>(
    keys: &[Block; 15],
    powers: &Powers,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
) -> uint8x16_t {
    let lengths = (8 * aad.len() as u128) << 64 | 8 * text.len() as u128;
    let lengths = simd::load_u8x16(&lengths.to_le_bytes());
    let mut counters = Counters::new(&first_counter(nonce));
    let [pad] = encrypt::<ROUNDS, 1>(keys, counters.next());
    let mut y = absorb_data(vdupq_n_u8(0), aad, powers);

    while let Some(mut piece) = text.next::<{ 16 * GROUP }>() {
        let mut x = encrypt::<ROUNDS, GROUP>(keys, counters.next());
        for i in 0..GROUP {
            let input = simd::load_u8x16(&piece.input().as_chunks().0[i]);
            let output = veorq_u8(x[i], input);
            simd::store_u8x16(&mut piece.output().as_chunks_mut().0[i], output);
            x[i] = reverse(if OPEN { input } else { output });
        }
        y = absorb_group(y, &x, powers);
    }

    // Up to eight blocks, the last of which may be short, and the lengths.
    let mut last = [lengths; GROUP + 1];
    let count = text.len().div_ceil(16);
    let key_stream = match count {
        0 => last,
        1 => {
            let [x] = encrypt::<ROUNDS, 1>(keys, counters.next());
            [x; GROUP + 1]
        }
        2..=4 => {
            let [a, b, c, d] = encrypt::<ROUNDS, 4>(keys, counters.next());
            [a, b, c, d, d, d, d, d, d]
        }
        _ => {
            let [a, b, c, d, e, f, g, h] = encrypt::<ROUNDS, 8>(keys, counters.next());
            [a, b, c, d, e, f, g, h, h]
        }
    };
    for i in 0..count {
        last[i] = match text.next::<16>() {
            Some(mut piece) => {
                let input = simd::load_u8x16(piece.input());
                let output = veorq_u8(key_stream[i], input);
                simd::store_u8x16(piece.output(), output);
                reverse(if OPEN { input } else { output })
            }
            None => {
                let mut piece = text.take(16);
                let mut input = [0; 16];
                input[..piece.len()].copy_from_slice(piece.input());
                simd::xor_part(&mut piece, key_stream[i]);
                let mut hashed = [0; 16];
                hashed[..piece.len()].copy_from_slice(piece.output());
                reverse(simd::load_u8x16(if OPEN { &input } else { &hashed }))
            }
        };
    }
    let (head, rest) = last[..count + 1].split_at((count + 1).min(GROUP));
    y = absorb_group(y, head, powers);
    if !rest.is_empty() {
        y = absorb_group(y, rest, powers);
    }
    veorq_u8(reverse(y), pad)
}

/// The nonce, and counter 1 (section 7.1, step 2).
fn first_counter(nonce: &Nonce) -> Block {
    let mut block = [0; 16];
    block[..12].copy_from_slice(nonce);
    block[15] = 1;
    block
}
