//! SHA-1 of 4 messages at a time with the Intel SHA Extensions: the others go on where one waits for itself.

use core::arch::x86_64::*;

use super::{
    super::{Block, CompressMany, State},
    shani::{Registers, words},
};
use crate::{
    cpu::ShaNi,
    simd::{each, x86_64 as simd},
};

pub(in crate::sha1) struct Shanix4 {
    cpu: ShaNi,
}

impl CompressMany for Shanix4 {
    kernel! { ShaNi: fn compress_few(&self, states: &mut [State], texts: &[&[Block]]) = Shanix4::compress_kernel }
    kernel! { ShaNi: fn finish_few(&self, states: &mut [State], texts: &[&[u8]], len: u64) = Shanix4::finish_kernel }
}

impl Shanix4 {
    pub(in crate::sha1) fn new(cpu: ShaNi, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn compress_kernel(&self, states: &mut [State], texts: &[&[Block]]) {
        match states.len() {
            0..=2 => compress::<2>(states, texts),
            _ => compress::<4>(states, texts),
        }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn finish_kernel(&self, states: &mut [State], texts: &[&[u8]], len: u64) {
        match states.len() {
            0..=2 => finish::<2>(states, texts, len),
            _ => finish::<4>(states, texts, len),
        }
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress<const N: usize>(states: &mut [State], texts: &[&[Block]]) {
    let mut lanes: [_; N] = each(|lane| Registers::load(&states[lane]));
    absorb_all(&mut lanes, &each(|lane| texts[lane]));
    for (lane, state) in lanes.iter().zip(states) {
        lane.store(state);
    }
}

/// Lanes without a message have the last one.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn finish<const N: usize>(states: &mut [State], texts: &[&[u8]], len: u64) {
    let last = states.len() - 1;
    let texts: [_; N] = each(|lane| texts[lane.min(last)].as_chunks());
    let mut lanes: [_; N] = each(|lane| Registers::load(&states[lane.min(last)]));
    absorb_all(&mut lanes, &each(|lane| texts[lane].0));
    let tails: [_; N] = each(|lane| simd::padded_64(texts[lane].1, len));
    for i in 0..tails[0].1 {
        absorb(&mut lanes, each(|lane| tails[lane].0[i]));
    }
    for (lane, state) in lanes.iter().zip(states) {
        lane.store(state);
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb_all<const N: usize>(lanes: &mut [Registers; N], texts: &[&[Block]; N]) {
    let len = texts[0].len();
    let texts: [_; N] = each(|lane| &texts[lane][..len]);
    for t in 0..len {
        absorb(lanes, each(|lane| simd::load_128x4(&texts[lane][t])));
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn absorb<const N: usize>(lanes: &mut [Registers; N], blocks: [[__m128i; 4]; N]) {
    let mut w: [_; N] = each(|lane| words(blocks[lane]));
    let mut s: [_; N] = each(|lane| lanes[lane].begin(&w[lane]));
    unroll!(i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
        for lane in 0..N {
            s[lane].four_of(&mut w[lane], i);
        }
    });
    for lane in 0..N {
        lanes[lane].end(&s[lane]);
    }
}
