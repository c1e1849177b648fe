//! MD5 in words.

use core::hint::black_box;

use super::{Block, Compress, State};
use crate::{cpu::Baseline, simd::added_first};

#[derive(Clone)]
pub(super) struct Portable;

impl Compress for Portable {
    fn compress(&self, state: &mut State, blocks: &[Block]) {
        for block in blocks {
            // Constants that the compiler knows it adds last, and the chain waits for one more sum each
            // time; what it knows to be the same for all blocks it copies to the stack first.
            *state = absorb(*state, block, black_box(&T));
        }
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

/// The `i`th operation of a round, the first of which is 0. The registers are named anew each time, for
/// what is written to be b.
///
/// Each operation waits for b: so whatever b is not in is added before, and of functions whose halves have
/// no bit in common the half with b last. In G and H b then goes through one instruction before the
/// sum, and not two. The compiler has the same sums in another order, if it may.
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

/// The bits that operations rotate by, of each round.
const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The whole part of 2^32 times the absolute value of sin(i + 1), for i in radians.
#[rustfmt::skip]
const T: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];
