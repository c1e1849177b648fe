//! AES-GCM with AES instructions and carry-less products on 128 bits.

use core::{arch::x86_64::*, hint::black_box};

use zeroize::Zeroize;

use super::{
    super::{Aead, Nonce, Secret},
    ghash128::{GROUP, Powers, absorb_data, absorb_group, powers, reverse},
};
use crate::{
    aes::{
        Block, RoundKeys,
        x86_64::{Counters, encrypt, expand},
    },
    cpu::AesniClmul as Cpu,
    simd::x86_64 as simd,
    text::Text,
};

pub(in crate::aes_gcm) struct Aesni {
    cpu: Cpu,
    keys: RoundKeys,
    powers: Powers,
}

impl Aead for Aesni {
    kernel! { AesniClmul: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Aesni::crypt_kernel::<false> }
    kernel! { AesniClmul: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Aesni::crypt_kernel::<true> }
    kernel! { AesniClmul: fn ctr(&self, counter: &Block, text: Text<'_>) = Aesni::ctr_kernel }
    kernel! { AesniClmul: fn absorb(&self, hash: &mut Block, data: &[u8]) = Aesni::absorb_kernel }

    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

kernel! { AesniClmul: fn make(cpu, secret: &[u8]) -> (RoundKeys, Powers) = make_kernel }

impl Drop for Aesni {
    fn drop(&mut self) {
        self.powers.as_flattened_mut().zeroize();
    }
}

impl Aesni {
    #[inline]
    pub(in crate::aes_gcm) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let (keys, powers) = make(cpu, secret);
        Self { cpu, keys, powers }
    }

    #[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
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
        simd::store_128(tag, right);
    }

    #[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
    fn ctr_kernel(&self, counter: &Block, text: Text<'_>) {
        crate::aes_ctr::x86_64::aesni::apply(&self.keys.keys, self.keys.rounds, counter, text);
    }

    #[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
    fn absorb_kernel(&self, hash: &mut Block, data: &[u8]) {
        let y = absorb_data(reverse(simd::load_128(hash)), data, &self.powers);
        simd::store_128(hash, reverse(y));
    }
}

#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
fn make_kernel(secret: &[u8]) -> (RoundKeys, Powers) {
    let keys = expand(secret);
    let zero = [_mm_setzero_si128()];
    let [h] = match keys.rounds {
        10 => encrypt::<10, 1>(&keys.keys, zero),
        12 => encrypt::<12, 1>(&keys.keys, zero),
        _ => encrypt::<14, 1>(&keys.keys, zero),
    };
    (keys, powers(h))
}

/// Encrypts or decrypts, and makes the tag.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
fn crypt<const ROUNDS: usize, const OPEN: bool>(
    keys: &[Block; 15],
    powers: &Powers,
    nonce: &Nonce,
    aad: &[u8],
    text: Text<'_>,
) -> __m128i {
    let lengths = _mm_set_epi64x(8 * aad.len() as i64, 8 * text.len() as i64);
    let mut counters = Counters::new(first_counter(nonce));
    let [pad] = encrypt::<ROUNDS, 1>(keys, counters.next());
    let mut y = absorb_data(_mm_setzero_si128(), aad, powers);

    y = finish::<ROUNDS, OPEN>(keys, powers, &mut counters, text, y, lengths);
    _mm_xor_si128(reverse(y), pad)
}

/// Encrypts or decrypts a text from where the counters stand, and hashes it and the lengths.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,sse4.1,ssse3")]
pub(super) fn finish<const ROUNDS: usize, const OPEN: bool>(
    keys: &[Block; 15],
    powers: &Powers,
    counters: &mut Counters,
    mut text: Text<'_>,
    mut y: __m128i,
    lengths: __m128i,
) -> __m128i {
    while let Some(mut piece) = text.next::<{ 16 * GROUP }>() {
        let mut x = encrypt::<ROUNDS, GROUP>(black_box(keys), counters.next());
        for i in 0..GROUP {
            let input = simd::load_128(&piece.input().as_chunks().0[i]);
            let output = _mm_xor_si128(x[i], input);
            simd::store_128(&mut piece.output().as_chunks_mut().0[i], output);
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
                let input = simd::load_128(piece.input());
                let output = _mm_xor_si128(key_stream[i], input);
                simd::store_128(piece.output(), output);
                reverse(if OPEN { input } else { output })
            }
            None => {
                let mut piece = text.take(16);
                let mut input = [0; 16];
                input[..piece.len()].copy_from_slice(piece.input());
                simd::xor_part_128(&mut piece, key_stream[i]);
                let mut hashed = [0; 16];
                hashed[..piece.len()].copy_from_slice(piece.output());
                reverse(simd::load_128(if OPEN { &input } else { &hashed }))
            }
        };
    }
    let (head, rest) = last[..count + 1].split_at((count + 1).min(GROUP));
    y = absorb_group(y, head, powers);
    if rest.is_empty() { y } else { absorb_group(y, rest, powers) }
}

/// The nonce, and counter 1 (section 7.1, step 2).
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn first_counter(nonce: &Nonce) -> __m128i {
    let [low @ .., a, b, c, d] = *nonce;
    let last = i64::from(u32::from_le_bytes([a, b, c, d])) | 1 << 56;
    _mm_set_epi64x(last, i64::from_le_bytes(low))
}
