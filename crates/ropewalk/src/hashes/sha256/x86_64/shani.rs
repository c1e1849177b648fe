//! SHA-256 with the Intel SHA Extensions: one message at a time.

use core::arch::x86_64::*;

use super::super::{Block, Compress, Compression, K, Padding, State};
use crate::{
    core::{
        beside::Beside,
        cpu::ShaNi,
        simd::{each, x86_64 as simd},
    },
    hashes::interleaved::Interleaved,
};

#[derive(Clone)]
pub(crate) struct Shani {
    cpu: ShaNi,
}

impl Compress<Compression> for Shani {
    kernel! { ShaNi: fn compress(&self, state: &mut State, blocks: &[Block]) = Shani::compress_kernel }
    kernel! { ShaNi: fn finish(&self, state: &mut State, text: &[u8], len: u64) = Shani::finish_kernel }
    kernel! { ShaNi: fn chain(&self, state: &mut State, digest: &State) = Shani::chain_kernel }
}

impl Shani {
    #[inline]
    pub(crate) fn new(cpu: ShaNi, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn compress_kernel(&self, state: &mut State, blocks: &[Block]) {
        let none = _mm_setzero_si128();
        absorb(state, blocks, 0, none, none, none, none, none);
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn finish_kernel(&self, state: &mut State, text: &[u8], len: u64) {
        let (blocks, rest) = text.as_chunks();
        let ([block, [.., length]], more) = simd::padded_64(rest, len);
        let [a, b, c, d] = words(block);
        absorb(state, blocks, more, a, b, c, d, _mm_shuffle_epi8(length, simd::big_endian()));
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn chain_kernel(&self, state: &mut State, digest: &State) {
        chain(state, digest);
    }
}

/// Absorbs blocks, followed by nothing, by the words of one block, or by those and a block of a length only: in registers, as in
/// memory they would cause stalls. Out of line, for callers with a few blocks each.
#[inline(never)]
#[target_feature(enable = "sha,sse4.1,ssse3")]
#[allow(clippy::too_many_arguments, reason = "vectors in registers")]
#[allow(improper_ctypes_definitions, reason = "C has vectors go in registers")]
extern "C" fn absorb(
    state: &mut State,
    blocks: &[Block],
    more: usize,
    a: __m128i,
    b: __m128i,
    c: __m128i,
    d: __m128i,
    length: __m128i,
) {
    let none = _mm_setzero_si128();
    let mut registers = Registers::load(state);
    let (mut blocks, mut given) = (blocks.iter(), 0);
    loop {
        let block = if let Some(block) = blocks.next() {
            words(simd::load_128x4(block))
        } else if given == more {
            break;
        } else {
            given += 1;
            if given == 1 { [a, b, c, d] } else { [none, none, none, length] }
        };
        registers.absorb(block);
    }
    registers.store(state);
}

/// Takes the digest as words: as bytes it would go through memory and back, stored in parts on which a wide load
/// stalls. Half of the words are constants, with rounds of their own: without these, HMAC of 16 bytes takes 3 to 5 % longer.
#[inline(never)]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn chain(state: &mut State, digest: &State) {
    let mut registers = Registers::load(state);
    let ([low, high], []) = digest.as_chunks() else { unreachable!() };
    let one = simd::load_u32x4(&[1 << 31, 0, 0, 0]);
    let bits = simd::load_u32x4(&[0, 0, 0, 8 * (64 + 32)]);
    registers.absorb([simd::load_u32x4(low), simd::load_u32x4(high), one, bits]);
    registers.store(state);
}

impl Interleaved<Compression> for Shani {
    const BLOCKS: usize = 1;
    type Running = Registers;
    type Words = [__m128i; 4];

    #[inline(always)]
    fn enter(&self, state: &State) -> Registers {
        proven!(ShaNi: self.cpu, fn enter(state: &State) -> Registers { Registers::load(state) })
    }
    #[inline(always)]
    fn leave(&self, running: &Registers, state: &mut State) {
        proven!(ShaNi: self.cpu, fn enter(running: &Registers, state: &mut State) -> () { running.store(state) });
    }
    #[inline(always)]
    fn words(&self, text: &[u8]) -> [__m128i; 4] {
        proven!(ShaNi: self.cpu, fn enter(text: &[u8]) -> [__m128i; 4] {
            words(simd::load_128x4(&text.as_chunks().0[0]))
        })
    }
    #[inline(always)]
    fn rounds(&self, running: &mut Registers, mut w: [__m128i; 4], beside: &mut impl Beside) {
        let (w, before) = (&mut w, *running);
        unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            proven!(ShaNi: self.cpu, fn enter(running: &mut Registers, w: &mut [__m128i; 4], i: usize) -> () {
                running.four_rounds(w, i)
            });
            beside.part(i, 16);
        });
        proven!(ShaNi: self.cpu, fn enter(running: &mut Registers, before: Registers) -> () { running.add(before) });
    }
}

/// The state in the layout of the instructions.
#[derive(Clone, Copy)]
pub(crate) struct Registers {
    abef: __m128i,
    cdgh: __m128i,
}

impl Registers {
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1")]
    pub(super) fn load(state: &State) -> Self {
        let ([low, high], []) = state.as_chunks::<4>() else { unreachable!() };
        let cdab = _mm_shuffle_epi32(simd::load_u32x4(low), 0b10_11_00_01);
        let efgh = _mm_shuffle_epi32(simd::load_u32x4(high), 0b00_01_10_11);
        Self { abef: _mm_alignr_epi8(cdab, efgh, 8), cdgh: _mm_blend_epi16(efgh, cdab, 0xf0) }
    }

    #[inline]
    #[target_feature(enable = "ssse3,sse4.1")]
    pub(super) fn store(&self, state: &mut State) {
        let ([low, high], []) = state.as_chunks_mut::<4>() else { unreachable!() };
        let words = self.words();
        simd::store_u32x4(low, words[0]);
        simd::store_u32x4(high, words[1]);
    }

    #[inline]
    #[target_feature(enable = "ssse3,sse4.1")]
    fn words(&self) -> [__m128i; 2] {
        let feba = _mm_shuffle_epi32(self.abef, 0b00_01_10_11);
        let dchg = _mm_shuffle_epi32(self.cdgh, 0b10_11_00_01);
        [_mm_blend_epi16(feba, dchg, 0xf0), _mm_alignr_epi8(dchg, feba, 8)]
    }

    /// A block that begins with the digest: of eight words, or of seven.
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1")]
    pub(super) fn block(&self, padding: &Padding) -> [__m128i; 4] {
        let (rest, []) = padding.words.as_chunks() else { unreachable!() };
        let [low, high] = self.words();
        let [first, second, third] = each(|i| simd::load_u32x4(&rest[i + 1]));
        let high = if padding.digest < 8 { _mm_blend_epi16(high, first, 0xc0) } else { high };
        [low, high, second, third]
    }

    /// Absorbs the words of one block (section 6.2.2).
    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    fn absorb(&mut self, mut w: [__m128i; 4]) {
        let before = *self;
        unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => self.four_rounds(&mut w, i));
        self.add(before);
    }

    /// The `i`th four rounds; `w` has the last sixteen words of the schedule.
    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    pub(super) fn four_rounds(&mut self, w: &mut [__m128i; 4], i: usize) {
        let (k, []) = K.as_chunks::<4>() else { unreachable!() };
        let [w0, w1, w2, w3] = [w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]];
        self.four_known(_mm_add_epi32(w0, simd::load_u32x4(&k[i])));
        if i < 12 {
            let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
            w[i % 4] = _mm_sha256msg2_epu32(sum, w3);
        }
    }

    /// Four rounds, given W_t + K_t.
    #[inline]
    #[target_feature(enable = "sha,sse2")]
    pub(super) fn four_known(&mut self, wk: __m128i) {
        self.cdgh = _mm_sha256rnds2_epu32(self.cdgh, self.abef, wk);
        let wk = _mm_shuffle_epi32(wk, 0b00_00_11_10);
        self.abef = _mm_sha256rnds2_epu32(self.abef, self.cdgh, wk);
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn add(&mut self, before: Self) {
        self.abef = _mm_add_epi32(self.abef, before.abef);
        self.cdgh = _mm_add_epi32(self.cdgh, before.cdgh);
    }
}

/// The words of a block, which are big-endian.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn words(mut block: [__m128i; 4]) -> [__m128i; 4] {
    for i in 0..4 {
        block[i] = _mm_shuffle_epi8(block[i], simd::big_endian());
    }
    block
}
