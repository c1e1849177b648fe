//! AES-CBC with AES instructions on 512 bits: four blocks of a message in each vector, decrypting.

use core::{arch::x86_64::*, hint::black_box};

use super::{
    super::{Block, Cbc, Secret},
    chain,
};
use crate::{
    aes::{RoundKeys, middle_rounds, x86_64::expand_both},
    cpu::Vaes512 as Cpu,
    simd::{each, x86_64 as simd},
    text::Text,
};

pub(in crate::aes_cbc) struct Vaes512 {
    cpu: Cpu,
    /// For encrypting, and for decrypting.
    keys: [RoundKeys; 2],
}

impl Cbc for Vaes512 {
    kernel! { Vaes512: fn encrypt(&self, iv: &Block, text: Text<'_>) = Vaes512::encrypt_kernel }
    kernel! { Vaes512: fn decrypt(&self, iv: &Block, text: Text<'_>) = Vaes512::decrypt_kernel }
}

kernel! { Vaes512: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Vaes512 {
    #[inline]
    pub(in crate::aes_cbc) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn encrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        chain::encrypt::<Self>(&self.keys[0], iv, text);
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn decrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        let RoundKeys { keys, rounds } = &self.keys[1];
        match rounds {
            10 => decrypt_rounds::<10>(keys, iv, text),
            12 => decrypt_rounds::<12>(keys, iv, text),
            _ => decrypt_rounds::<14>(keys, iv, text),
        }
    }
}

#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn decrypt_rounds<const ROUNDS: usize>(keys: &[Block; 15], iv: &Block, mut text: Text<'_>) {
    let iv = simd::load_128(iv);
    if text.len() <= 16 {
        return single::<ROUNDS>(keys, iv, text);
    }
    let mut before = _mm512_broadcast_i32x4(iv);
    while let Some(mut piece) = text.next::<512>() {
        let input: [_; 8] = each(|i| simd::load_512(&piece.input().as_chunks().0[i]));
        let output = decrypt::<ROUNDS, 8>(black_box(keys), before, input);
        for (out, v) in piece.output().as_chunks_mut().0.iter_mut().zip(output) {
            simd::store_512(out, v);
        }
        before = input[7];
    }
    if let Some(mut piece) = text.next::<256>() {
        let input: [_; 4] = each(|i| simd::load_512(&piece.input().as_chunks().0[i]));
        let output = decrypt::<ROUNDS, 4>(keys, before, input);
        for (out, v) in piece.output().as_chunks_mut().0.iter_mut().zip(output) {
            simd::store_512(out, v);
        }
        before = input[3];
    }
    match text.len().div_ceil(64) {
        0 => {}
        1 => tail::<ROUNDS, 1>(keys, before, text),
        2 => tail::<ROUNDS, 2>(keys, before, text),
        3 => tail::<ROUNDS, 3>(keys, before, text),
        _ => tail::<ROUNDS, 4>(keys, before, text),
    }
}

/// The last `N` vectors, the last of which may be short.
#[inline]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn tail<const ROUNDS: usize, const N: usize>(
    keys: &[Block; 15],
    before: __m512i,
    mut text: Text<'_>,
) {
    let head = text.len().min(64 * (N - 1));
    let (whole, last) = text.input().split_at(head);
    let mut input = [_mm512_setzero_si512(); N];
    for (v, chunk) in input.iter_mut().zip(whole.as_chunks().0) {
        *v = simd::load_512(chunk);
    }
    input[N - 1] = simd::load_part_512(last);
    let output = decrypt::<ROUNDS, N>(keys, before, input);
    let (whole, last) = text.output().split_at_mut(head);
    for (chunk, v) in whole.as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_512(chunk, v);
    }
    simd::store_part_512(last, output[N - 1]);
}

/// One block, or none.
#[inline]
#[target_feature(enable = "aes,avx512vl")]
fn single<const ROUNDS: usize>(keys: &[Block; 15], before: __m128i, mut text: Text<'_>) {
    let Some(mut piece) = text.next::<16>() else { return };
    let mut x = _mm_xor_si128(simd::load_128(piece.input()), simd::load_128(&keys[0]));
    middle_rounds!(ROUNDS: r => x = _mm_aesdec_si128(x, simd::load_128(&keys[r])));
    let last = _mm_xor_si128(simd::load_128(&keys[ROUNDS]), before);
    simd::store_128(piece.output(), _mm_aesdeclast_si128(x, last));
}

/// Decrypts `N` vectors, which follow the last block of `before`.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn decrypt<const ROUNDS: usize, const N: usize>(
    keys: &[Block; 15],
    mut before: __m512i,
    input: [__m512i; N],
) -> [__m512i; N] {
    let mut x = input;
    let k = round_key(keys, 0);
    for i in 0..N {
        x[i] = _mm512_xor_si512(x[i], k);
    }
    middle_rounds!(ROUNDS: r => {
        let k = round_key(keys, r);
        for i in 0..N {
            x[i] = _mm512_aesdec_epi128(x[i], k);
        }
    });
    let k = round_key(keys, ROUNDS);
    for i in 0..N {
        // The ciphertext before goes in with the last round key, off the chain of rounds.
        let last = _mm512_xor_si512(k, _mm512_alignr_epi64::<6>(input[i], before));
        x[i] = _mm512_aesdeclast_epi128(x[i], last);
        before = input[i];
    }
    x
}

#[inline]
#[target_feature(enable = "avx512f")]
fn round_key(keys: &[Block; 15], r: usize) -> __m512i {
    _mm512_broadcast_i32x4(simd::load_128(&keys[r]))
}
