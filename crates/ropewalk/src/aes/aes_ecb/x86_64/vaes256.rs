//! AES-ECB with AES instructions on 256 bits: two blocks in each vector.

use core::arch::x86_64::*;

use super::super::{Ecb, Secret};
use crate::{
    aes::{
        RoundKeys, Rounds,
        x86_64::{expand_both, xex_1x, xex_2x},
    },
    core::{
        cpu::Vaes256 as Cpu,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

#[derive(Clone)]
pub(in crate::aes::aes_ecb) struct Vaes256 {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Ecb for Vaes256 {
    kernel! { Vaes256: fn encrypt(&self, text: Text<'_>) = Vaes256::kernel::<true> }
    kernel! { Vaes256: fn decrypt(&self, text: Text<'_>) = Vaes256::kernel::<false> }
}

kernel! { Vaes256: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Vaes256 {
    #[inline]
    pub(in crate::aes::aes_ecb) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn kernel<const ENCRYPT: bool>(&self, mut text: Text<'_>) {
        let keys = self.keys[usize::from(!ENCRYPT)].view();
        if text.len() <= 16 {
            // A separate path for one block has fewer jumps.
            let Some(piece) = text.next() else { return };
            return single::<Vaes256>(keys, _mm_setzero_si128(), piece, ENCRYPT);
        }
        apply(keys, &mut text.reborrow(), ENCRYPT);
    }
}

/// The buffer is passed by reference: by value it would be copied in halves, which stall on the words just stored.
#[inline(never)]
#[target_feature(enable = "vaes,aes,avx2")]
pub(super) fn apply(keys: Rounds<'_>, text: &mut Text<'_>, encrypt: bool) {
    let mut text = text.reborrow();
    let none = _mm256_setzero_si256();
    while let Some(piece) = text.next::<256>() {
        whole::<Vaes256, 8, 256>(keys.unseen(), [none; 8], piece, encrypt);
    }
    // Blocks are independent, so larger steps would not be faster.
    while let Some(piece) = text.next::<64>() {
        whole::<Vaes256, 2, 64>(keys.unseen(), [none; 2], piece, encrypt);
    }
    if let Some(piece) = text.next::<32>() {
        whole::<Vaes256, 1, 32>(keys, [none], piece, encrypt);
    }
    if let Some(piece) = text.next::<16>() {
        single::<Vaes256>(keys, _mm_setzero_si128(), piece, encrypt);
    }
}

/// `N` vectors, which are `BYTES` bytes, with `around` added before and after.
#[inline]
#[target_feature(enable = "vaes,avx2")]
pub(crate) fn whole<Mode, const N: usize, const BYTES: usize>(
    keys: Rounds<'_>,
    around: [__m256i; N],
    mut text: Piece<'_, BYTES>,
    encrypt: bool,
) {
    let input = each(|i| simd::load_256(&text.input().as_chunks().0[i]));
    let output = xex_2x::<Mode, N>(keys, input, around, encrypt);
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_256(out, v);
    }
}

/// One block.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(crate) fn single<Mode>(
    keys: Rounds<'_>,
    around: __m128i,
    mut text: Piece<'_, 16>,
    encrypt: bool,
) {
    let x = simd::load_128(text.input());
    let [x] = xex_1x::<Mode, 1>(keys, [x], [around], encrypt);
    simd::store_128(text.output(), x);
}
