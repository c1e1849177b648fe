//! MD5 in words.

use core::hint::black_box;

use super::{
    Block, Compress, CompressLanes, Compression, Digests, Links, Padding, Schedule, State, States,
    T, Texts, lanes,
};
use crate::core::{cpu::Baseline, opaque::added_first, simd::scalar::U32x1};

#[derive(Clone)]
pub(super) struct Portable;

impl Compress<Compression> for Portable {
    fn compress(&self, state: &mut State, blocks: &[Block]) {
        for block in blocks {
            // Opaque constants: known ones would be added last by the compiler, with one more addition on the critical path, and
            // those that are the same for all blocks would be copied to the stack first.
            *state = absorb(*state, block, black_box(&T));
        }
    }
}

impl CompressLanes<Compression> for Portable {
    fn compress_many(&self, states: &mut States, texts: &Texts<'_>) {
        lanes::compress_many::<U32x1, 1>(Baseline, states, texts);
    }

    fn compress_known(&self, states: &mut States, schedule: &Schedule) {
        lanes::compress_known::<U32x1, 1>(Baseline, states, schedule);
    }

    fn digests(&self, states: &States, digests: &mut Digests) {
        lanes::digests::<U32x1, 1>(Baseline, states, digests);
    }

    fn iterate(&self, links: &mut Links, padding: &Padding, count: u32) {
        lanes::iterate::<U32x1, 1>(Baseline, links, padding, count);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

/// Absorbs one block (section 3.4).
#[inline(always)]
fn absorb(state: State, block: &Block, t: &[u32; 64]) -> State {
    let (x, _) = block.as_chunks::<4>();
    let mut s = state;
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => s = step::<0>(s, x, t, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => s = step::<1>(s, x, t, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => s = step::<2>(s, x, t, i));
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => s = step::<3>(s, x, t, i));
    for i in 0..4 {
        s[i] = s[i].wrapping_add(state[i]);
    }
    s
}

/// The `i`th operation of a round (the first round is 0). The registers are renamed each time, so that the result is b.
///
/// Each operation depends on b. So everything without b is added first, and of functions whose halves have no bit in common, the
/// half with b last. In G and H, b then passes through one instruction before the sum instead of two. The compiler would reorder
/// the sums.
#[inline(always)]
fn step<const ROUND: usize>([a, b, c, d]: State, x: &[[u8; 4]], t: &[u32; 64], i: usize) -> State {
    let k = [i, 1 + 5 * i, 5 + 3 * i, 7 * i][ROUND] % 16;
    let sum = added_first(a.wrapping_add(u32::from_le_bytes(x[k])).wrapping_add(t[16 * ROUND + i]));
    let sum = match ROUND {
        // F
        0 => sum.wrapping_add(d ^ (b & (c ^ d))),
        // G
        1 => added_first(sum.wrapping_add(c & !d)).wrapping_add(b & d),
        // H
        2 => sum.wrapping_add(b ^ (c ^ d)),
        // I
        _ => sum.wrapping_add(c ^ (b | !d)),
    };
    [d, b.wrapping_add(sum.rotate_left(SHIFTS[ROUND][i % 4])), b, c]
}

/// The rotation counts of each round.
const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
