//! SHA-1 of 2 messages at a time with the Armv8 SHA-1 instructions: one goes on where the other waits for itself.

use super::{
    super::{Block, CompressMany, State, Tail},
    sha1::{Registers, words},
};
use crate::{cpu::Sha2 as Cpu, many::Tail as _, secret::Wiped, simd::each};

pub(in crate::sha1) struct Sha1x2 {
    cpu: Cpu,
}

impl CompressMany for Sha1x2 {
    kernel! { Sha2: fn compress_few(&self, states: &mut [State], texts: &[&[Block]]) = Sha1x2::compress_kernel }
    kernel! { Sha2: fn finish_few(&self, states: &mut [State], texts: &[&[u8]], len: u64) = Sha1x2::finish_kernel }
}

impl Sha1x2 {
    pub(in crate::sha1) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha2,neon")]
    fn compress_kernel(&self, states: &mut [State], texts: &[&[Block]]) {
        let mut lanes: [_; 2] = each(|lane| Registers::load(&states[lane]));
        absorb_all(&mut lanes, each(|lane| texts[lane]));
        for (lane, state) in lanes.iter().zip(states) {
            lane.store(state);
        }
    }

    #[inline]
    #[target_feature(enable = "sha2,neon")]
    fn finish_kernel(&self, states: &mut [State], texts: &[&[u8]], len: u64) {
        let mut lanes: [_; 2] = each(|lane| Registers::load(&states[lane]));
        absorb_all(&mut lanes, each(|lane| texts[lane].as_chunks().0));
        let mut tails = Wiped::new([Tail::EMPTY; 2]);
        for (tail, text) in tails.iter_mut().zip(texts) {
            tail.set(text.as_chunks::<64>().1, len);
        }
        absorb_all(&mut lanes, each(|lane| tails[lane].blocks()));
        for (lane, state) in lanes.iter().zip(states) {
            lane.store(state);
        }
    }
}

#[inline]
#[target_feature(enable = "sha2,neon")]
fn absorb_all([a, b]: &mut [Registers; 2], [first, second]: [&[Block]; 2]) {
    for (first, second) in first.iter().zip(second) {
        let before = [*a, *b];
        let [mut first, mut second] = [words(first), words(second)];
        unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
            a.four_rounds(&mut first, i);
            b.four_rounds(&mut second, i);
        });
        a.add(before[0]);
        b.add(before[1]);
    }
}
