//! Rounds of ChaCha20 interleaved with blocks of Poly1305, as one block of assembly.

use core::arch::x86_64::*;

use crate::{
    chacha::poly1305::{Absorb, End, Slot},
    core::{
        cpu::{Avx2, Avx512},
        simd::{each, x86_64::U32x8},
    },
};

mod rounds;

use rounds::{ForEight, InMemory, absorb};

/// Eight blocks of ChaCha20 at a time, with blocks of Poly1305 interleaved.
pub(crate) struct Beside(InMemory, Avx2);

impl Beside {
    #[inline(always)]
    pub(crate) fn new(cpu: Avx2, start: [U32x8; 16]) -> Self {
        Self(InMemory::new(each(|i| start[i].vector())), cpu)
    }

    /// Sets the multiplier of the accumulator.
    #[inline(always)]
    pub(crate) fn set_r(&mut self, r: [u64; 2]) {
        self.0.set_r(r);
    }

    /// The key stream of the next blocks, word by word, and the accumulator after three blocks for each of at most ten double
    /// rounds.
    #[inline(always)]
    pub(crate) fn rounds(
        &mut self,
        h: [u64; 3],
        blocks: &[[[u8; 16]; 3]],
    ) -> ([U32x8; 16], [u64; 3]) {
        let Self(place, cpu) = self;
        let (words, h) = proven!(
            Avx2: *cpu,
            fn enter(place: &mut InMemory, h: [u64; 3], blocks: &[[[u8; 16]; 3]]) -> ([__m256i; 16], [u64; 3]) {
                place.rounds(h, blocks)
            }
        );
        (each(|i| U32x8::new(words[i], *cpu)), h)
    }

    /// The key stream of blocks with that initial state, word by word, with all blocks of a queue interleaved.
    #[inline(always)]
    pub(crate) fn rounds_of_many(
        &mut self,
        start: [U32x8; 16],
        queue: &mut ForEight,
        end: &mut End<16>,
    ) -> [U32x8; 16] {
        let Self(place, cpu) = self;
        let start = each(|i| start[i].vector());
        let words = proven!(
            Avx2: *cpu,
            fn enter(place: &mut InMemory, start: [__m256i; 16], queue: &mut ForEight, end: &mut End<16>) -> [__m256i; 16] {
                place.rounds_of_many(start, queue, end)
            }
        );
        each(|i| U32x8::new(words[i], *cpu))
    }
}

/// Blocks of Poly1305 of many messages, in 64-bit words, interleaved with wider vectors.
#[derive(Clone, Copy)]
pub(crate) struct Mulx(pub(crate) Avx512);

impl Absorb for Mulx {
    #[inline(always)]
    fn absorb(self, slot: &mut Slot, before: [u64; 3], block: &[u8; 16]) -> [u64; 3] {
        proven!(Avx512: self.0, fn enter(slot: &mut Slot, before: [u64; 3], block: &[u8; 16]) -> [u64; 3] {
            absorb(slot, before, block)
        })
    }
}
