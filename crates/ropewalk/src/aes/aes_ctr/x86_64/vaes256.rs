//! AES-CTR with AES instructions on 256 bits: two blocks of a message in each vector.

use core::arch::x86_64::*;

use super::super::{Block, Ctr32, CtrRekey, Secret};
use crate::{
    aes::{
        RoundKeys, Rounds, middle_rounds,
        x86_64::{expand as expand_kernel, rounds_2x},
    },
    core::{
        cpu::Vaes256 as Cpu,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

pub(in crate::aes::aes_ctr) struct Vaes256 {
    cpu: Cpu,
    pub(in crate::aes::aes_ctr) keys: RoundKeys,
}

impl Ctr32 for Vaes256 {
    kernel! { Vaes256: fn apply(&self, counter: &Block, text: Text<'_>) = Vaes256::kernel }
}

kernel! { Vaes256: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }

impl CtrRekey for Vaes256 {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Vaes256 {
    #[inline]
    pub(in crate::aes::aes_ctr) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: expand(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn kernel(&self, counter: &Block, text: Text<'_>) {
        apply(self.keys.view(), counter, text);
    }
}

/// XORs the key stream into the text.
#[inline]
#[target_feature(enable = "vaes,aes,avx2")]
pub(crate) fn apply(keys: Rounds<'_>, counter: &Block, mut text: Text<'_>) {
    // Passed by reference: by value, it would be copied in halves, which stall on the words just stored.
    run(keys, counter, &mut text, false);
}

/// The same for a counter that is as secret as a key.
#[inline]
#[target_feature(enable = "vaes,aes,avx2")]
pub(crate) fn apply_secret(keys: Rounds<'_>, counter: &Block, mut text: Text<'_>) {
    run(keys, counter, &mut text, true);
}

#[inline(never)]
#[target_feature(enable = "vaes,aes,avx2")]
pub(super) fn run(keys: Rounds<'_>, counter: &Block, text: &mut Text<'_>, secret: bool) {
    let mut text = text.reborrow();
    if text.len() <= 16 {
        return single(keys, simd::load_128(counter), text);
    }
    let mut counters = Counters::new(simd::load_128(counter));
    let mut last_byte = counter[15];
    while let Some(mut piece) = text.next::<256>() {
        let x = if secret || last_byte > u8::MAX - 15 {
            counters.next()
        } else {
            counters.next_in_last_byte()
        };
        last_byte = last_byte.wrapping_add(16);
        // Keys are reloaded for each step: in the 16 registers they would displace blocks.
        add(&mut piece, encrypt::<8>(keys.unseen(), x));
    }
    if let Some(mut piece) = text.next::<128>() {
        add(&mut piece, encrypt::<4>(keys, counters.next()));
    }
    // Two vectors cost less than the check whether one suffices.
    while text.len() > 0 {
        let x = encrypt::<2>(keys.unseen(), counters.next());
        match text.next::<64>() {
            Some(mut piece) => add(&mut piece, x),
            None => return tail(x, text),
        }
    }
}

/// XORs `N` vectors of key stream into as many of text.
#[inline]
#[target_feature(enable = "avx2")]
fn add<const N: usize, const BYTES: usize>(text: &mut Piece<'_, BYTES>, key_stream: [__m256i; N]) {
    let input: [_; N] = each(|i| simd::load_256(&text.input().as_chunks().0[i]));
    for (i, out) in text.output().as_chunks_mut().0.iter_mut().enumerate() {
        simd::store_256(out, _mm256_xor_si256(key_stream[i], input[i]));
    }
}

/// One block, whole or not.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn single(keys: Rounds<'_>, counter: __m128i, mut text: Text<'_>) {
    let mut x = _mm_xor_si128(counter, simd::load_128(keys.key(0)));
    middle_rounds!(keys.rounds; r => x = _mm_aesenc_si128(x, simd::load_128(keys.key(r))));
    let x = _mm_aesenclast_si128(x, simd::load_128(keys.last()));
    match text.next::<16>() {
        Some(mut piece) => {
            let input = simd::load_128(piece.input());
            simd::store_128(piece.output(), _mm_xor_si128(x, input));
        }
        None => simd::xor_part_128(&mut text, x),
    }
}

/// XORs the key stream of four blocks into less than four.
#[inline]
#[target_feature(enable = "avx2")]
fn tail(key_stream: [__m256i; 2], mut text: Text<'_>) {
    let [first, second] = key_stream;
    let mut blocks = [
        _mm256_castsi256_si128(first),
        _mm256_extracti128_si256::<1>(first),
        _mm256_castsi256_si128(second),
        _mm256_extracti128_si256::<1>(second),
    ]
    .into_iter();
    while let Some(mut piece) = text.next::<16>() {
        let Some(x) = blocks.next() else { return };
        let input = simd::load_128(piece.input());
        simd::store_128(piece.output(), _mm_xor_si128(x, input));
    }
    if let Some(x) = blocks.next() {
        simd::xor_part_128(&mut text, x);
    }
}

/// Encrypts `N` vectors of two blocks (FIPS 197, section 5.1).
#[inline]
#[target_feature(enable = "vaes,avx2")]
fn encrypt<const N: usize>(keys: Rounds<'_>, mut x: [__m256i; N]) -> [__m256i; N] {
    let k = simd::splat_2x(keys.key(0));
    for i in 0..N {
        x[i] = _mm256_xor_si256(x[i], k);
    }
    x = rounds_2x(keys, x);
    let k = simd::splat_2x(keys.last());
    for i in 0..N {
        x[i] = _mm256_aesenclast_epi128(x[i], k);
    }
    x
}

/// Counter blocks with their bytes reversed, so that the counter is the lowest word of each: the next two.
struct Counters {
    next: __m256i,
}

impl Counters {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(counter: __m128i) -> Self {
        let reversed = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(counter), reverse());
        Self { next: _mm256_add_epi32(reversed, _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0)) }
    }

    /// The next `N` vectors of two, in the byte order of AES.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn next<const N: usize>(&mut self) -> [__m256i; N] {
        let two = _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 2);
        let mut x = [self.next; N];
        for i in 0..N {
            x[i] = _mm256_shuffle_epi8(self.next, reverse());
            self.next = _mm256_add_epi32(self.next, two);
        }
        x
    }

    /// The next eight, whose blocks differ in the last byte only: shuffles would compete with rounds.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn next_in_last_byte(&mut self) -> [__m256i; 8] {
        let first = _mm256_shuffle_epi8(self.next, reverse());
        self.next = _mm256_add_epi32(self.next, _mm256_set_epi32(0, 0, 0, 16, 0, 0, 0, 16));
        each(|i| {
            let count = (2 * i as i32) << 24;
            _mm256_add_epi8(first, _mm256_set_epi32(count, 0, 0, 0, count, 0, 0, 0))
        })
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn reverse() -> __m256i {
    _mm256_broadcastsi128_si256(simd::reversal())
}
