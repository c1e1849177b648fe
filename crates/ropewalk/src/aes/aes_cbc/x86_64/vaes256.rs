//! AES-CBC with AES instructions on 256 bits: two blocks of a message in each vector when decrypting.

use core::arch::x86_64::*;

use super::{
    super::{Block, Cbc, CbcLaneKey, Secret},
    chain,
};
use crate::{
    aes::{
        RoundKeys, Rounds, middle_rounds,
        x86_64::{expand_both, inv_rounds_2x},
    },
    core::{
        cpu::Vaes256 as Cpu,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

pub(in crate::aes::aes_cbc) struct Vaes256 {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Cbc for Vaes256 {
    kernel! { Vaes256: fn encrypt(&self, iv: &Block, text: Text<'_>) = Vaes256::encrypt_kernel }
    kernel! { Vaes256: fn decrypt(&self, iv: &Block, text: Text<'_>) = Vaes256::decrypt_kernel }
    kernel! { Vaes256: fn encrypt_block(&self, iv: &mut Block, block: Piece<'_, 16>) = Vaes256::block_kernel }
}

impl CbcLaneKey for Vaes256 {
    fn round_keys(&self) -> Option<&RoundKeys> {
        Some(&self.keys[0])
    }
}

kernel! { Vaes256: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Vaes256 {
    #[inline]
    pub(in crate::aes::aes_cbc) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn block_kernel(&self, iv: &mut Block, block: Piece<'_, 16>) {
        chain::block(self.keys[0].view(), iv, block);
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn encrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        let keys = self.keys[0].view();
        if text.len() <= 16 {
            return chain::single(keys, iv, text);
        }
        // Reborrowed: otherwise the path for one block would store the buffer in memory too.
        encrypt_more(keys, iv, &mut text.reborrow());
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn decrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        let keys = self.keys[1].view();
        if text.len() <= 16 {
            // A separate path for one block has fewer jumps.
            let Some(mut piece) = text.next() else { return };
            return single(keys, simd::load_128(iv), &mut piece);
        }
        decrypt_long(keys, iv, &mut text.reborrow());
    }
}

/// More than one block. A single block has a path of its own, which needs no registers for keys.
#[inline(never)]
#[target_feature(enable = "vaes,aes,avx2")]
fn encrypt_more(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    chain::encrypt::<Vaes256>(keys, iv, text.reborrow());
}

#[inline(never)]
#[target_feature(enable = "vaes,aes,avx2")]
pub(super) fn decrypt_long(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    let mut text = text.reborrow();
    let mut before = simd::load_128(iv);
    while let Some(mut piece) = text.next::<256>() {
        before = step::<Vaes256, 8, 256>(keys.unseen(), before, &mut piece);
    }
    if let Some(mut piece) = text.next::<128>() {
        before = step::<Vaes256, 4, 128>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<64>() {
        before = step::<Vaes256, 2, 64>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<32>() {
        before = step::<Vaes256, 1, 32>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<16>() {
        single(keys, before, &mut piece);
    }
}

/// Decrypts `N` vectors; returns the last block of ciphertext. There is an instance for each backend, which is inlined there.
#[inline]
#[target_feature(enable = "vaes,avx2")]
#[allow(clippy::extra_unused_type_parameters, reason = "it makes the instances")]
pub(super) fn step<Backend, const N: usize, const BYTES: usize>(
    keys: Rounds<'_>,
    before: __m128i,
    text: &mut Piece<'_, BYTES>,
) -> __m128i {
    let mut x: [_; N] = each(|i| simd::load_256(&text.input().as_chunks().0[i]));
    let k = simd::splat_2x(keys.key(0));
    for i in 0..N {
        x[i] = _mm256_xor_si256(x[i], k);
    }
    x = inv_rounds_2x(keys, x);
    let k = simd::splat_2x(keys.last());
    let blocks: &[Block] = text.input().as_chunks().0;
    let first = _mm256_set_m128i(simd::load_128(&blocks[0]), before);
    for i in 0..N {
        let before = if i == 0 { first } else { pair(&blocks[2 * i - 1..]) };
        // The ciphertext before is added with the last round key, off the critical path.
        x[i] = _mm256_aesdeclast_epi128(x[i], _mm256_xor_si256(k, before));
    }
    let after = simd::load_128(&blocks[2 * N - 1]);
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(x) {
        simd::store_256(out, v);
    }
    after
}

/// The first two blocks.
#[inline]
#[target_feature(enable = "avx2")]
fn pair(blocks: &[Block]) -> __m256i {
    simd::load_256(&blocks.as_flattened().as_chunks().0[0])
}

/// Decrypts one block.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(super) fn single(keys: Rounds<'_>, before: __m128i, text: &mut Piece<'_, 16>) {
    let mut x = _mm_xor_si128(simd::load_128(text.input()), simd::load_128(keys.key(0)));
    middle_rounds!(keys.rounds; r => x = _mm_aesdec_si128(x, simd::load_128(keys.key(r))));
    let last = _mm_xor_si128(simd::load_128(keys.last()), before);
    simd::store_128(text.output(), _mm_aesdeclast_si128(x, last));
}
