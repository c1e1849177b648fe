//! AES-GCM with AES instructions and carry-less products on 256 bits: two blocks an instruction.

use core::{arch::x86_64::*, hint::black_box};

use zeroize::Zeroize;

use super::{
    super::{Aead, Nonce, Secret},
    aesni::{finish, first_counter},
    ghash128::{GROUP, Powers, absorb_data, powers, product, reverse},
};
use crate::{
    aes::{
        Block, RoundKeys, middle_rounds,
        x86_64::{Counters, encrypt, expand},
    },
    cpu::Vaes256Clmul as Cpu,
    simd::x86_64 as simd,
    text::{Piece, Text},
};

/// Blocks in a step.
const STEP: usize = 16;

pub(in crate::aes_gcm) struct Vaes256 {
    cpu: Cpu,
    keys: RoundKeys,
    powers: AllPowers,
}

/// H^16 … H^9, and H^8 … H^1.
type AllPowers = [Powers; 2];

impl Aead for Vaes256 {
    kernel! { Vaes256Clmul: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Vaes256::crypt_kernel::<false> }
    kernel! { Vaes256Clmul: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Vaes256::crypt_kernel::<true> }
    kernel! { Vaes256Clmul: fn ctr(&self, counter: &Block, text: Text<'_>) = Vaes256::ctr_kernel }
    kernel! { Vaes256Clmul: fn absorb(&self, hash: &mut Block, data: &[u8]) = Vaes256::absorb_kernel }

    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

kernel! { Vaes256Clmul: fn make(cpu, secret: &[u8]) -> (RoundKeys, AllPowers) = make_kernel }

impl Drop for Vaes256 {
    fn drop(&mut self) {
        self.powers.as_flattened_mut().as_flattened_mut().zeroize();
    }
}

impl Vaes256 {
    #[inline]
    pub(in crate::aes_gcm) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let (keys, powers) = make(cpu, secret);
        Self { cpu, keys, powers }
    }

    #[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
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

    #[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
    fn ctr_kernel(&self, counter: &Block, text: Text<'_>) {
        crate::aes_ctr::x86_64::vaes256::apply(&self.keys.keys, self.keys.rounds, counter, text);
    }

    #[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
    fn absorb_kernel(&self, hash: &mut Block, data: &[u8]) {
        let y = absorb_data(reverse(simd::load_128(hash)), data, &self.powers[1]);
        simd::store_128(hash, reverse(y));
    }
}

#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn make_kernel(secret: &[u8]) -> (RoundKeys, AllPowers) {
    let keys = expand(secret);
    let zero = [_mm_setzero_si128()];
    let [h] = match keys.rounds {
        10 => encrypt::<10, 1>(&keys.keys, zero),
        12 => encrypt::<12, 1>(&keys.keys, zero),
        _ => encrypt::<14, 1>(&keys.keys, zero),
    };
    let low = powers(h);
    let h8 = simd::load_128(&low[0]);
    let mut high = low;
    for (high, low) in high.iter_mut().zip(&low) {
        simd::store_128(high, product(simd::load_128(low), h8));
    }
    (keys, [high, low])
}

/// Encrypts or decrypts, and makes the tag.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx2")]
fn crypt<const ROUNDS: usize, const OPEN: bool>(
    keys: &[Block; 15],
    powers: &AllPowers,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
) -> __m128i {
    let lengths = _mm_set_epi64x(8 * aad.len() as i64, 8 * text.len() as i64);
    let counter = first_counter(nonce);
    let mut counters = Counters::new(counter);
    let [pad] = encrypt::<ROUNDS, 1>(keys, counters.next());
    let mut y = absorb_data(_mm_setzero_si128(), aad, &powers[1]);

    if let Some(mut piece) = text.next() {
        let mut pairs = Pairs::new(counter);
        let mut behind = step::<ROUNDS, OPEN>(keys, pairs.next(), &mut piece);
        while let Some(mut piece) = text.next() {
            // The text of the step before is hashed beside the rounds of this one.
            let hashed = absorb(y, behind, powers);
            behind = step::<ROUNDS, OPEN>(black_box(keys), pairs.next(), &mut piece);
            y = hashed;
        }
        y = absorb(y, behind, powers);
        counters = pairs.single();
    }
    y = finish::<ROUNDS, OPEN>(keys, &powers[1], &mut counters, text, y, lengths);
    _mm_xor_si128(reverse(y), pad)
}

/// Encrypts or decrypts sixteen blocks, and returns what is to be hashed.
#[inline]
#[target_feature(enable = "vaes,avx2")]
fn step<const ROUNDS: usize, const OPEN: bool>(
    keys: &[Block; 15],
    mut x: [__m256i; STEP / 2],
    text: &mut Piece<'_, { 16 * STEP }>,
) -> [__m256i; STEP / 2] {
    let key = |r: usize| _mm256_broadcastsi128_si256(simd::load_128(&keys[r]));
    let k = key(0);
    for i in 0..STEP / 2 {
        x[i] = _mm256_xor_si256(x[i], k);
    }
    middle_rounds!(ROUNDS: r => {
        let k = key(r);
        for i in 0..STEP / 2 {
            x[i] = _mm256_aesenc_epi128(x[i], k);
        }
    });
    let k = key(ROUNDS);
    for i in 0..STEP / 2 {
        let input = simd::load_256(&text.input().as_chunks().0[i]);
        let output = _mm256_aesenclast_epi128(x[i], _mm256_xor_si256(k, input));
        simd::store_256(&mut text.output().as_chunks_mut().0[i], output);
        x[i] = _mm256_shuffle_epi8(if OPEN { input } else { output }, reversal());
    }
    x
}

/// The hash after sixteen more blocks.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx2")]
fn absorb(y: __m128i, mut blocks: [__m256i; STEP / 2], powers: &AllPowers) -> __m128i {
    blocks[0] = _mm256_xor_si256(blocks[0], _mm256_zextsi128_si256(y));
    let zero = _mm256_setzero_si256();
    let (mut low, mut middle, mut high) = (zero, zero, zero);
    let pairs = powers.as_flattened().as_flattened().as_chunks().0;
    for (&x, pair) in blocks.iter().zip(pairs) {
        let h = simd::load_256(pair);
        low = _mm256_xor_si256(low, _mm256_clmulepi64_epi128::<0x00>(x, h));
        high = _mm256_xor_si256(high, _mm256_clmulepi64_epi128::<0x11>(x, h));
        middle = _mm256_xor_si256(middle, _mm256_clmulepi64_epi128::<0x01>(x, h));
        middle = _mm256_xor_si256(middle, _mm256_clmulepi64_epi128::<0x10>(x, h));
    }
    let poly = _mm256_set1_epi64x(0xc200_0000_0000_0000_u64.cast_signed());
    let fold = |x, onto| {
        let swapped = _mm256_shuffle_epi32::<0b01_00_11_10>(x);
        _mm256_xor_si256(_mm256_xor_si256(onto, swapped), _mm256_clmulepi64_epi128::<0x00>(x, poly))
    };
    let sum = fold(fold(low, middle), high);
    _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum))
}

/// Counter blocks with their bytes reversed, the two to come.
struct Pairs {
    next: __m256i,
}

impl Pairs {
    /// From the block after `first` on.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(first: __m128i) -> Self {
        let reversed = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(first), reversal());
        Self { next: _mm256_add_epi32(reversed, _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 1)) }
    }

    /// The next sixteen, as AES takes them.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn next(&mut self) -> [__m256i; STEP / 2] {
        let two = _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 2);
        let mut x = [self.next; STEP / 2];
        for i in 0..STEP / 2 {
            x[i] = _mm256_shuffle_epi8(self.next, reversal());
            self.next = _mm256_add_epi32(self.next, two);
        }
        x
    }

    /// The same one by one.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn single(&self) -> Counters {
        Counters::new(reverse(_mm256_castsi256_si128(self.next)))
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn reversal() -> __m256i {
    _mm256_broadcastsi128_si256(_mm_set_epi64x(0x00010203_04050607, 0x08090a0b_0c0d0e0f))
}

const _: () = assert!(STEP == 2 * GROUP);
