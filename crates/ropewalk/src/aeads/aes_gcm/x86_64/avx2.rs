//! AES-GCM with vector permutes on 256 bits and carry-less products on 128 bits.
//!
//! Blocks are hashed byte-reversed and the key multiplied by x, as in `wide`.

use core::{arch::x86_64::*, array::from_mut};

use super::super::{
    CtrGhash, Gcm, Nonce, Secret,
    parts::{self, First},
    wide::times_x,
};
use crate::{
    aes::{RoundKeys, aes_ctr, vperm::Alone},
    core::{
        block::{Block, load_short},
        cpu::Avx2Clmul as Cpu,
        opaque::unknown,
        simd::{
            Bytes,
            x86_64::{self as simd, U8x16Avx, add_product_1x, fold_1x, hash_groups_1x, reverse_1x},
        },
        text::Text,
    },
};

/// Blocks per reduction.
const GROUP: usize = 8;

/// H^8 … H^1.
type Powers = [Block; GROUP];

#[derive(Clone)]
pub(in crate::aeads::aes_gcm) struct Avx2 {
    cpu: Cpu,
    keys: RoundKeys,
    powers: Powers,
}

impl Gcm for Avx2 {
    fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        if text.len() == 0 {
            return self.mac(nonce, aad, tag);
        }
        parts::seal(self as &dyn CtrGhash, &First::of(nonce), aad, text, tag);
    }

    fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        if text.len() == 0 {
            return self.mac(nonce, aad, tag);
        }
        parts::open(self as &dyn CtrGhash, &First::of(nonce), aad, text, tag);
    }
}

impl CtrGhash for Avx2 {
    kernel! { Avx2Clmul: fn ctr(&self, counter: &Block, text: Text<'_>) = Avx2::ctr_kernel }
    kernel! { Avx2Clmul: fn ctr_secret(&self, counter: &Block, text: Text<'_>) = Avx2::ctr_secret_kernel }
    kernel! { Avx2Clmul: fn absorb(&self, hash: &mut Block, data: &[u8]) = Avx2::absorb_kernel }

    fn rekey(&mut self, secret: Secret<'_>) {
        make(self.cpu, self.cpu, secret, &mut self.keys, &mut self.powers);
    }
}

kernel! { Avx2Clmul: fn make(cpu, proof: Cpu, secret: &[u8], keys: &mut RoundKeys, powers: &mut Powers) = make_kernel }

impl Avx2 {
    #[inline]
    pub(in crate::aeads::aes_gcm) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let mut this = Self { cpu, keys: RoundKeys::none(), powers: [[0; 16]; GROUP] };
        this.rekey(secret);
        this
    }

    kernel! { Avx2Clmul: fn mac(&self, nonce: &Nonce, aad: &[u8], tag: &mut Block) = Avx2::mac_kernel }

    /// The tag of a message without text. All of it stays in registers: a wide load of bytes that were stored in parts would wait
    /// for all stores before it, and messages would not overlap.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,pclmulqdq")]
    fn mac_kernel(&self, nonce: &Nonce, aad: &[u8], tag: &mut Block) {
        let [first, second, third] = nonce.as_chunks().0 else { unreachable!("three times four") };
        let word = |bytes: &[u8; 4]| i32::from_le_bytes(*bytes);
        let counter = _mm_set_epi32(1_i32.to_be(), word(third), word(second), word(first));
        let mut pad = [0; 16];
        simd::store_128(&mut pad, counter);
        let cpu = self.cpu.into();
        let x = U8x16Avx::encrypt_one(cpu, &self.keys, U8x16Avx::splat(cpu, &pad));
        x.store(from_mut(&mut pad));

        let mut y = self.hash(_mm_setzero_si128(), aad);
        // Both lengths, reversed.
        y = _mm_xor_si128(y, _mm_set_epi64x(8 * aad.len() as i64, 0));
        let power = simd::load_128(&self.powers[GROUP - 1]);
        y = reduce(add_product_1x([_mm_setzero_si128(); 3], y, power));
        simd::store_128(tag, _mm_xor_si128(reverse_1x(y), simd::load_128(&pad)));
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,pclmulqdq")]
    fn ctr_kernel(&self, counter: &Block, text: Text<'_>) {
        aes_ctr::x86_64::avx2::apply(self.cpu.into(), self.cpu.into(), &self.keys, counter, text);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,pclmulqdq")]
    fn ctr_secret_kernel(&self, counter: &Block, mut text: Text<'_>) {
        let cpu = self.cpu.into();
        aes_ctr::x86_64::avx2::apply_secret(cpu, cpu, &self.keys, counter, &mut text);
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,pclmulqdq")]
    fn absorb_kernel(&self, hash: &mut Block, data: &[u8]) {
        let y = self.hash(reverse_1x(simd::load_128(hash)), data);
        simd::store_128(hash, reverse_1x(y));
    }

    /// The hash after more data, byte-reversed.
    #[inline(never)]
    #[target_feature(enable = "avx2,pclmulqdq")]
    fn hash(&self, mut y: __m128i, data: &[u8]) -> __m128i {
        let (groups, rest) = data.split_at(data.len() - data.len() % (16 * GROUP));
        y = hash_groups_1x(y, groups.as_chunks().0, &self.powers);
        let (blocks, rest) = rest.as_chunks();
        if !blocks.is_empty() {
            y = absorb(y, blocks, &self.powers);
        }
        if !rest.is_empty() {
            y = absorb(y, &[load_short(rest).to_le_bytes()], &self.powers);
        }
        y
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,pclmulqdq")]
fn make_kernel(cpu: Cpu, secret: &[u8], keys: &mut RoundKeys, powers: &mut Powers) {
    let cpu = cpu.into();
    U8x16Avx::expand(cpu, secret, keys, None);
    let mut h = [0; 16];
    U8x16Avx::encrypt_one(cpu, keys, U8x16Avx::splat(cpu, &h)).store(from_mut(&mut h));
    let h = simd::from_u128(times_x(u128::from_be_bytes(h)));
    simd::store_128(&mut powers[GROUP - 1], h);
    // Each power is the product of two computed before, each of about half its degree; a loop, whose length is opaque to the
    // compiler.
    for n in 2..=(unknown(GROUP as u64) as usize).min(GROUP) {
        let [a, b] = [n / 2, n - n / 2].map(|n| simd::load_128(&powers[GROUP - n]));
        let power = reduce(add_product_1x([_mm_setzero_si128(); 3], a, b));
        simd::store_128(&mut powers[GROUP - n], power);
    }
}

/// The hash after up to [`GROUP`] more blocks, byte-reversed: y·H^n + x_1·H^n + … + x_n·H.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn absorb(y: __m128i, blocks: &[Block], powers: &Powers) -> __m128i {
    let (mut sum, mut y) = ([_mm_setzero_si128(); 3], y);
    for (block, power) in blocks.iter().zip(&powers[GROUP - blocks.len()..]) {
        let x = reverse_1x(simd::load_128(block));
        sum = add_product_1x(sum, _mm_xor_si128(x, y), simd::load_128(power));
        y = _mm_setzero_si128();
    }
    reduce(sum)
}

/// Divides by x^128: two folds of 64 bits. The middle part is added where the first fold lands.
#[inline]
#[target_feature(enable = "pclmulqdq")]
fn reduce([low, middle, high]: [__m128i; 3]) -> __m128i {
    fold_1x(fold_1x(low, middle), high)
}
