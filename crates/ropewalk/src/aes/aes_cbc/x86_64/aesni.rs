//! AES-CBC with AES instructions on 128 bits.

use core::{arch::x86_64::*, hint::black_box};

use super::{
    super::{Block, Cbc, CbcLaneKey, Secret},
    chain,
};
use crate::{
    aes::{RoundKeys, Rounds, middle_rounds, x86_64::expand_both},
    core::{
        cpu::Aesni as Cpu,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

pub(crate) struct Aesni {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Cbc for Aesni {
    kernel! { Aesni: fn encrypt(&self, iv: &Block, text: Text<'_>) = Aesni::encrypt_kernel }
    kernel! { Aesni: fn decrypt(&self, iv: &Block, text: Text<'_>) = Aesni::decrypt_kernel }
    #[cfg(feature = "cbc-hmac")]
    kernel! { Aesni: fn encrypt_long(&self, iv: &Block, text: Text<'_>) = Aesni::encrypt_long_kernel }
    #[cfg(feature = "cbc-hmac")]
    kernel! { Aesni: fn decrypt_long(&self, iv: &Block, text: Text<'_>) = Aesni::decrypt_long_kernel }
    kernel! { Aesni: fn encrypt_block(&self, iv: &mut Block, block: Piece<'_, 16>) = Aesni::block_kernel }
}

impl CbcLaneKey for Aesni {
    fn round_keys(&self) -> Option<&RoundKeys> {
        Some(&self.keys[0])
    }
    fn decrypting_keys(&self) -> Option<&RoundKeys> {
        Some(&self.keys[1])
    }
}

kernel! { Aesni: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Aesni {
    #[inline]
    pub(crate) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    /// The keys for encryption, and those for decryption.
    #[inline(always)]
    pub(crate) fn keys(&self) -> &[RoundKeys; 2] {
        &self.keys
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn block_kernel(&self, iv: &mut Block, block: Piece<'_, 16>) {
        chain::block(self.keys[0].view(), iv, block);
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn encrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        let keys = self.keys[0].view();
        if text.len() <= 16 {
            return chain::single(keys, iv, text);
        }
        // Reborrowed: otherwise the path for one block would store the buffer in memory too.
        encrypt_more(keys, iv, &mut text.reborrow());
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn decrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        let keys = self.keys[1].view();
        if text.len() <= 16 {
            // A separate path for one block has fewer jumps.
            let Some(mut piece) = text.next::<16>() else { return };
            step::<1, 16>(keys, simd::load_128(iv), &mut piece);
            return;
        }
        decrypt_long(keys, iv, &mut text.reborrow());
    }
}

#[cfg(feature = "cbc-hmac")]
impl Aesni {
    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn encrypt_long_kernel(&self, iv: &Block, mut text: Text<'_>) {
        encrypt_more(self.keys[0].view(), iv, &mut text);
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn decrypt_long_kernel(&self, iv: &Block, mut text: Text<'_>) {
        decrypt_long(self.keys[1].view(), iv, &mut text);
    }
}

/// More than one block. A single block has a path of its own, which needs no registers for keys.
#[inline(never)]
#[target_feature(enable = "aes,sse4.1,ssse3")]
fn encrypt_more(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    chain::encrypt::<Aesni>(keys, iv, text.reborrow());
}

#[inline(never)]
#[target_feature(enable = "aes,sse4.1,ssse3")]
fn decrypt_long(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    let mut text = text.reborrow();
    let mut before = simd::load_128(iv);
    while let Some(mut piece) = text.next::<128>() {
        before = step::<8, 128>(keys.unseen(), before, &mut piece);
    }
    if let Some(mut piece) = text.next::<64>() {
        before = step::<4, 64>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<32>() {
        before = step::<2, 32>(keys, before, &mut piece);
    }
    if let Some(mut piece) = text.next::<16>() {
        step::<1, 16>(keys, before, &mut piece);
    }
}

/// Decrypts `N` blocks (FIPS 197, section 5.3.5); returns the last block of ciphertext. The rounds are unrolled: the jumps of a
/// loop took a sixth of the time on Zen 1.
#[inline]
#[target_feature(enable = "aes,sse4.1")]
fn step<const N: usize, const BYTES: usize>(
    keys: Rounds<'_>,
    before: __m128i,
    text: &mut Piece<'_, BYTES>,
) -> __m128i {
    let k = simd::load_128(keys.key(0));
    let mut x: [_; N] = each(|i| _mm_xor_si128(simd::load_128(&text.input().as_chunks().0[i]), k));
    middle_rounds!(keys.rounds; r => {
        let k = simd::load_128(keys.key(r));
        for i in 0..N {
            x[i] = _mm_aesdec_si128(x[i], k);
        }
    });
    let last = simd::load_128(keys.last());
    // Loaded again: kept in registers, ciphertext would displace blocks.
    let input: &[Block] = black_box(text.input()).as_chunks().0;
    let ciphertext: [_; N] = each(|i| simd::load_128(&input[i]));
    // Added to the last round key, off the critical path.
    let output: [_; N] = each(|i| {
        let around = _mm_xor_si128(last, if i == 0 { before } else { ciphertext[i - 1] });
        _mm_aesdeclast_si128(x[i], around)
    });
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_128(out, v);
    }
    ciphertext[N - 1]
}
