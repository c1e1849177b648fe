//! SHA-256 of 2 messages at a time with the Intel SHA Extensions: one goes on where the other waits for itself.

use core::arch::x86_64::*;

use super::{
    super::{Block, CompressMany, State},
    shani::{Registers, words},
};
use crate::{
    cpu::ShaNi,
    simd::{each, x86_64 as simd},
};

pub(in crate::sha256) struct Shanix2 {
    cpu: ShaNi,
}

impl CompressMany for Shanix2 {
    kernel! { ShaNi: fn compress_few(&self, states: &mut [State], texts: &[&[Block]]) = Shanix2::compress_kernel }
    kernel! { ShaNi: fn finish_few(&self, states: &mut [State], texts: &[&[u8]], len: u64) = Shanix2::finish_kernel }
}

impl Shanix2 {
    pub(in crate::sha256) fn new(cpu: ShaNi, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn compress_kernel(&self, states: &mut [State], texts: &[&[Block]]) {
        let mut lanes: [_; 2] = each(|lane| Registers::load(&states[lane]));
        absorb_all(&mut lanes, each(|lane| texts[lane]));
        for (lane, state) in lanes.iter().zip(states) {
            lane.store(state);
        }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn finish_kernel(&self, states: &mut [State], texts: &[&[u8]], len: u64) {
        let mut lanes: [_; 2] = each(|lane| Registers::load(&states[lane]));
        absorb_all(&mut lanes, each(|lane| texts[lane].as_chunks().0));
        let [(first, count), (second, _)] =
            each(|lane| simd::padded_64(texts[lane].as_chunks::<64>().1, len));
        for i in 0..count {
            absorb(&mut lanes, [first[i], second[i]]);
        }
        for (lane, state) in lanes.iter().zip(states) {
            lane.store(state);
        }
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb_all(lanes: &mut [Registers; 2], [first, second]: [&[Block]; 2]) {
    for (first, second) in first.iter().zip(second) {
        absorb(lanes, [simd::load_128x4(first), simd::load_128x4(second)]);
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb([a, b]: &mut [Registers; 2], [first, second]: [[__m128i; 4]; 2]) {
    let before = [*a, *b];
    let [mut first, mut second] = [words(first), words(second)];
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
        a.four_rounds(&mut first, i);
        b.four_rounds(&mut second, i);
    });
    a.add(before[0]);
    b.add(before[1]);
}
