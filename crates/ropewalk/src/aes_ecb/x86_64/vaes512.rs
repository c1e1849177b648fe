//! AES-ECB with AES instructions on 512 bits: four blocks in each vector.

use core::arch::x86_64::*;

use super::super::{Block, Ecb, Secret};
use crate::{
    aes::{
        RoundKeys,
        x86_64::{expand_both, xex_1x, xex_4x},
    },
    cpu::Vaes512 as Cpu,
    simd::{each, x86_64 as simd},
    text::{Piece, Text},
};

#[derive(Clone)]
pub(in crate::aes_ecb) struct Vaes512 {
    cpu: Cpu,
    /// For encrypting, and for decrypting.
    keys: [RoundKeys; 2],
}

impl Ecb for Vaes512 {
    kernel! { Vaes512: fn encrypt(&self, text: Text<'_>) = Vaes512::kernel::<true> }
    kernel! { Vaes512: fn decrypt(&self, text: Text<'_>) = Vaes512::kernel::<false> }
}

kernel! { Vaes512: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Vaes512 {
    #[inline]
    pub(in crate::aes_ecb) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn kernel<const ENCRYPT: bool>(&self, text: Text<'_>) {
        let RoundKeys { keys, rounds } = &self.keys[usize::from(!ENCRYPT)];
        match rounds {
            10 => apply::<10, ENCRYPT>(keys, text),
            12 => apply::<12, ENCRYPT>(keys, text),
            _ => apply::<14, ENCRYPT>(keys, text),
        }
    }
}

#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn apply<const ROUNDS: usize, const ENCRYPT: bool>(keys: &[Block; 15], mut text: Text<'_>) {
    let none = _mm512_setzero_si512();
    if text.len() <= 16 {
        let Some(mut piece) = text.next::<16>() else { return };
        let x = [simd::load_128(piece.input())];
        let [x] = xex_1x::<Vaes512, ROUNDS, 1, ENCRYPT>(keys, x, [_mm_setzero_si128()]);
        return simd::store_128(piece.output(), x);
    }
    while let Some(piece) = text.next::<512>() {
        whole::<Vaes512, ROUNDS, 8, 512, ENCRYPT>(simd::unseen(keys), [none; 8], piece);
    }
    if let Some(piece) = text.next::<256>() {
        whole::<Vaes512, ROUNDS, 4, 256, ENCRYPT>(keys, [none; 4], piece);
    }
    tail::<Vaes512, ROUNDS, ENCRYPT>(keys, [none; 4], text);
}

/// `N` vectors, which are `BYTES` bytes, with others added before and after.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
pub(crate) fn whole<
    Mode,
    const ROUNDS: usize,
    const N: usize,
    const BYTES: usize,
    const ENCRYPT: bool,
>(
    keys: &[Block; 15],
    around: [__m512i; N],
    mut text: Piece<'_, BYTES>,
) {
    let input = each(|i| simd::load_512(&text.input().as_chunks().0[i]));
    let output = xex_4x::<Mode, ROUNDS, N, ENCRYPT>(keys, input, around);
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_512(out, v);
    }
}

/// Four vectors at most, the last of which may be short.
#[inline]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(crate) fn tail<Mode, const ROUNDS: usize, const ENCRYPT: bool>(
    keys: &[Block; 15],
    around: [__m512i; 4],
    text: Text<'_>,
) {
    let [a, b, c, _] = around;
    match text.len().div_ceil(64) {
        0 => {}
        1 => vectors::<Mode, ROUNDS, 1, ENCRYPT>(keys, [a], text),
        2 => vectors::<Mode, ROUNDS, 2, ENCRYPT>(keys, [a, b], text),
        3 => vectors::<Mode, ROUNDS, 3, ENCRYPT>(keys, [a, b, c], text),
        _ => vectors::<Mode, ROUNDS, 4, ENCRYPT>(keys, around, text),
    }
}

/// `N` vectors, the last of which may be short.
#[inline]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(crate) fn vectors<Mode, const ROUNDS: usize, const N: usize, const ENCRYPT: bool>(
    keys: &[Block; 15],
    around: [__m512i; N],
    mut text: Text<'_>,
) {
    let head = text.len().min(64 * (N - 1));
    let (whole, last) = text.input().split_at(head);
    let mut input = [_mm512_setzero_si512(); N];
    for (v, chunk) in input.iter_mut().zip(whole.as_chunks().0) {
        *v = simd::load_512(chunk);
    }
    input[N - 1] = simd::load_part_512(last);
    let output = xex_4x::<Mode, ROUNDS, N, ENCRYPT>(keys, input, around);
    let (whole, last) = text.output().split_at_mut(head);
    for (chunk, v) in whole.as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_512(chunk, v);
    }
    simd::store_part_512(last, output[N - 1]);
}
