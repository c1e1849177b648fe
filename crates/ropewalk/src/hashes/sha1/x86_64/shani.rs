//! SHA-1 with the Intel SHA Extensions.

use core::arch::x86_64::*;

use super::super::{Block, Compress, Compression, Padding, State};
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
        let [a, b, c, d] = reversed(block);
        absorb(state, blocks, more, a, b, c, d, simd::reverse_1x(length));
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
            reversed(simd::load_128x4(block))
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
    let [a, b, c, d, ..] = Registers::load(digest).block(&const { padding() });
    registers.absorb([a, b, c, d]);
    registers.store(state);
}

/// The padding after a digest that follows one block.
const fn padding() -> Padding {
    let mut words = [0; 16];
    (words[5], words[15]) = (1 << 31, 8 * (64 + 20));
    Padding { words, digest: 5 }
}

impl Interleaved<Compression> for Shani {
    const BLOCKS: usize = 1;
    const SHORT: bool = true;
    type Running = Registers;
    type Words = Schedule;

    #[inline(always)]
    fn enter(&self, state: &State) -> Registers {
        proven!(ShaNi: self.cpu, fn enter(state: &State) -> Registers { Registers::load(state) })
    }
    #[inline(always)]
    fn leave(&self, running: &Registers, state: &mut State) {
        proven!(ShaNi: self.cpu, fn enter(running: &Registers, state: &mut State) -> () { running.store(state) });
    }
    #[inline(always)]
    fn words(&self, text: &[u8]) -> Schedule {
        proven!(ShaNi: self.cpu, fn enter(text: &[u8]) -> Schedule {
            words(simd::load_128x4(&text.as_chunks().0[0]))
        })
    }
    #[inline(always)]
    fn rounds(&self, running: &mut Registers, mut w: Schedule, beside: &mut impl Beside) {
        let w = &mut w;
        let mut s = proven!(ShaNi: self.cpu, fn enter(running: &mut Registers, w: &mut Schedule) -> Rounds {
            running.begin(w)
        });
        beside.part(0, 20);
        let s = &mut s;
        unroll!(i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
            proven!(ShaNi: self.cpu, fn enter(s: &mut Rounds, w: &mut Schedule, i: usize) -> () {
                s.four_of(w, i)
            });
            beside.part(i, 20);
        });
        proven!(ShaNi: self.cpu, fn enter(running: &mut Registers, s: &mut Rounds) -> () { running.end(s) });
    }
}

/// The state in the layout of the instructions: `a` highest, and `e` highest with zeros below.
#[derive(Clone, Copy)]
pub(crate) struct Registers {
    abcd: __m128i,
    e: __m128i,
}

impl Registers {
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn load(state: &State) -> Self {
        let ([low], [e]) = state.as_chunks::<4>() else { unreachable!() };
        let abcd = _mm_shuffle_epi32(simd::load_u32x4(low), 0b00_01_10_11);
        Self { abcd, e: _mm_insert_epi32::<3>(_mm_setzero_si128(), e.cast_signed()) }
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn store(&self, state: &mut State) {
        let ([low], [e]) = state.as_chunks_mut::<4>() else { unreachable!() };
        simd::store_u32x4(low, _mm_shuffle_epi32(self.abcd, 0b00_01_10_11));
        *e = _mm_extract_epi32::<3>(self.e).cast_unsigned();
    }

    /// A block that begins with the digest.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn block(&self, padding: &Padding) -> Schedule {
        let (rest, []) = padding.words.as_chunks() else { unreachable!() };
        let [first, second, third] =
            each(|i| _mm_shuffle_epi32(simd::load_u32x4(&rest[i + 1]), 0b00_01_10_11));
        schedule([self.abcd, _mm_or_si128(self.e, first), second, third])
    }

    /// Absorbs one block (section 6.1.2).
    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    fn absorb(&mut self, block: [__m128i; 4]) {
        let mut w = schedule(block);
        let mut s = self.begin(&w);
        unroll!(i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => s.four_of(&mut w, i));
        self.end(&s);
    }

    /// The first four rounds.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(super) fn begin(&self, w: &Schedule) -> Rounds {
        // The first e is used as it is; later ones are computed from an earlier a.
        let e = _mm_add_epi32(self.e, w[0]);
        Rounds { abcd: four_rounds::<0>(self.abcd, e), before: self.abcd }
    }

    #[inline]
    #[target_feature(enable = "sha")]
    pub(super) fn end(&mut self, s: &Rounds) {
        self.abcd = _mm_add_epi32(self.abcd, s.abcd);
        self.e = _mm_sha1nexte_epu32(s.before, self.e);
    }
}

/// The last thirty-two words of the schedule, the first of four highest.
pub(super) type Schedule = [__m128i; 8];

/// The words of a block.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn words(block: [__m128i; 4]) -> Schedule {
    schedule(reversed(block))
}

#[inline]
#[target_feature(enable = "ssse3")]
fn reversed(mut block: [__m128i; 4]) -> [__m128i; 4] {
    for i in 0..4 {
        block[i] = simd::reverse_1x(block[i]);
    }
    block
}

#[inline]
#[target_feature(enable = "sse2")]
fn schedule([first, second, third, fourth]: [__m128i; 4]) -> Schedule {
    let none = _mm_setzero_si128();
    [first, second, third, fourth, none, none, none, none]
}

/// The working variables a, b, c and d, and those of four rounds before, from which e is computed.
#[derive(Clone, Copy)]
pub(super) struct Rounds {
    abcd: __m128i,
    before: __m128i,
}

impl Rounds {
    #[inline]
    #[target_feature(enable = "sha,ssse3")]
    pub(super) fn four_of(&mut self, w: &mut Schedule, i: usize) {
        match i / 5 {
            0 => self.four::<0>(w, i),
            1 => self.four::<1>(w, i),
            2 => self.four::<2>(w, i),
            _ => self.four::<3>(w, i),
        }
    }

    /// The `i`th four rounds; `w` has the previous words of the schedule, each four at their index.
    ///
    /// From W_32 on, each word can be computed from words that are all known (M. Locktyukhin, "Improving the performance of the
    /// Secure Hash Algorithm (SHA-1)"): W_t = ROTL²(W_(t-6) ⊕ W_(t-16) ⊕ W_(t-28) ⊕ W_(t-32)). On Intel's cores SHA1MSG2 occupies
    /// the port of the rounds for four cycles; the eight instructions for this use other ports.
    #[inline]
    #[target_feature(enable = "sha,ssse3")]
    fn four<const F: i32>(&mut self, w: &mut Schedule, i: usize) {
        let before = |n: usize| w[(i + 8 - n) % 8];
        if i >= 8 {
            let sixth = _mm_alignr_epi8::<8>(before(2), before(1));
            let sum = _mm_xor_si128(_mm_xor_si128(before(8), before(7)), before(4));
            let sum = _mm_xor_si128(sum, sixth);
            w[i % 8] = _mm_or_si128(_mm_slli_epi32::<2>(sum), _mm_srli_epi32::<30>(sum));
        } else if i >= 4 {
            let sum = _mm_xor_si128(_mm_sha1msg1_epu32(before(4), before(3)), before(2));
            w[i] = _mm_sha1msg2_epu32(sum, before(1));
        }
        self.four_known::<F>(w[i % 8]);
    }

    /// Four rounds, given W_t.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(super) fn four_known<const F: i32>(&mut self, w: __m128i) {
        let e = _mm_sha1nexte_epu32(self.before, w);
        self.before = self.abcd;
        self.abcd = four_rounds::<F>(self.abcd, e);
    }
}

/// Four rounds, with e added to the first word.
#[inline]
#[target_feature(enable = "sha")]
fn four_rounds<const F: i32>(abcd: __m128i, words: __m128i) -> __m128i {
    #[cfg(not(ropewalk_ct = "msan"))]
    return _mm_sha1rnds4_epu32::<F>(abcd, words);
    // MemorySanitizer does not know the instruction, and takes any secret operand for a leak.
    #[cfg(ropewalk_ct = "msan")]
    {
        use super::super::{K, rounds::round};
        let ([mut variables, mut low_to_high], f) = ([[0; 4]; 2], F as usize);
        simd::store_u32x4(&mut variables, abcd);
        simd::store_u32x4(&mut low_to_high, words);
        let [d, c, b, a] = variables;
        let mut state = [a, b, c, d, 0];
        for word in low_to_high.iter().rev() {
            let wk = word.wrapping_add(K[f]);
            state = match f {
                0 => round::<0>(state, wk),
                2 => round::<2>(state, wk),
                _ => round::<1>(state, wk),
            };
        }
        let [a, b, c, d, _] = state;
        simd::load_u32x4(&[d, c, b, a])
    }
}
