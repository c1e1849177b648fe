//! SHA-1 with the Armv8 SHA-1 instructions, which Rust includes in the feature `sha2`.

use core::arch::aarch64::*;

use super::super::{Block, Compress, Compression, K, Padding, State};
use crate::{
    core::{
        beside::Beside,
        cpu::Sha2 as Cpu,
        simd::{aarch64 as simd, each},
    },
    hashes::interleaved::Interleaved,
};

#[derive(Clone)]
pub(crate) struct Sha1 {
    cpu: Cpu,
}

impl Compress<Compression> for Sha1 {
    kernel! { Sha2: fn compress(&self, state: &mut State, blocks: &[Block]) = Sha1::kernel }
}

impl Sha1 {
    #[inline]
    pub(crate) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha2,neon")]
    fn kernel(&self, state: &mut State, blocks: &[Block]) {
        let mut registers = Registers::load(state);
        for block in blocks {
            let (mut w, before) = (words(block), registers);
            unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
                registers.four_rounds(&mut w, i);
            });
            registers.add(before);
        }
        registers.store(state);
    }
}

impl Interleaved<Compression> for Sha1 {
    const BLOCKS: usize = 1;
    const SHORT: bool = true;
    type Running = Registers;
    type Words = [uint32x4_t; 4];

    #[inline(always)]
    fn enter(&self, state: &State) -> Registers {
        proven!(Sha2: self.cpu, fn enter(state: &State) -> Registers { Registers::load(state) })
    }
    #[inline(always)]
    fn leave(&self, running: &Registers, state: &mut State) {
        proven!(Sha2: self.cpu, fn enter(running: &Registers, state: &mut State) -> () { running.store(state) });
    }
    #[inline(always)]
    fn words(&self, text: &[u8]) -> [uint32x4_t; 4] {
        proven!(Sha2: self.cpu, fn enter(text: &[u8]) -> [uint32x4_t; 4] { words(&text.as_chunks().0[0]) })
    }
    #[inline(always)]
    fn rounds(&self, running: &mut Registers, mut w: [uint32x4_t; 4], beside: &mut impl Beside) {
        let (w, before) = (&mut w, *running);
        unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
            proven!(Sha2: self.cpu, fn enter(running: &mut Registers, w: &mut [uint32x4_t; 4], i: usize) -> () {
                running.four_rounds(w, i)
            });
            beside.part(i, 20);
        });
        proven!(Sha2: self.cpu, fn enter(running: &mut Registers, before: Registers) -> () { running.add(before) });
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Registers {
    abcd: uint32x4_t,
    e: u32,
}

impl Registers {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn load(state: &State) -> Self {
        let ([low], [e]) = state.as_chunks::<4>() else { unreachable!() };
        Self { abcd: simd::load_u32x4(low), e: *e }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn store(&self, state: &mut State) {
        let ([low], [e]) = state.as_chunks_mut::<4>() else { unreachable!() };
        simd::store_u32x4(low, self.abcd);
        *e = self.e;
    }

    /// A block that begins with the digest.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn block(&self, padding: &Padding) -> [uint32x4_t; 4] {
        let (rest, []) = padding.words.as_chunks() else { unreachable!() };
        let [first, second, third] = each(|i| simd::load_u32x4(&rest[i + 1]));
        [self.abcd, vsetq_lane_u32::<0>(self.e, first), second, third]
    }

    /// The `i`th four rounds; `w` has the last sixteen words of the schedule.
    #[inline]
    #[target_feature(enable = "sha2,neon")]
    pub(super) fn four_rounds(&mut self, w: &mut [uint32x4_t; 4], i: usize) {
        if i >= 4 {
            let [w0, w1, w2, w3] = [w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]];
            w[i % 4] = vsha1su1q_u32(vsha1su0q_u32(w0, w1, w2), w3);
        }
        let (abcd, wk) = (self.abcd, vaddq_u32(w[i % 4], vdupq_n_u32(K[i / 5])));
        self.abcd = match i / 5 {
            0 => vsha1cq_u32(abcd, self.e, wk),
            2 => vsha1mq_u32(abcd, self.e, wk),
            _ => vsha1pq_u32(abcd, self.e, wk),
        };
        self.e = vsha1h_u32(vgetq_lane_u32::<0>(abcd));
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn add(&mut self, before: Self) {
        self.abcd = vaddq_u32(self.abcd, before.abcd);
        self.e = self.e.wrapping_add(before.e);
    }
}

/// The words of a block, which are big-endian.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn words(block: &Block) -> [uint32x4_t; 4] {
    let (quarters, []) = block.as_chunks::<16>() else { unreachable!() };
    each(|i| vreinterpretq_u32_u8(vrev32q_u8(simd::load_u8x16(&quarters[i]))))
}
