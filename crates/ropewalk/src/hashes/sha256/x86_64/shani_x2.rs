//! SHA-256 of 2 messages at a time with the Intel SHA Extensions, interleaved: each fills the latency of the other.

use core::arch::x86_64::*;

use super::{
    super::{Block, CompressFew, Compression, Link, Padding, State},
    shani::{self, Registers},
};
use crate::{
    core::simd::{each, x86_64 as simd},
    hashes::many::few::{backend_of_few, kernels_of_few, several},
};

macro_rules! rounds {
    ($lanes:ident, $w:ident, $n:ident) => {
        let before = $lanes;
        unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            for lane in 0..$n {
                $lanes[lane].four_rounds(&mut $w[lane], i);
            }
        });
        for lane in 0..$n {
            $lanes[lane].add(before[lane]);
        }
    };
}

backend_of_few! { pub(in crate::hashes::sha256) Shanix2 needs ShaNi: 2 lanes }

#[inline]
#[target_feature(enable = "ssse3")]
fn words(block: &Block) -> [__m128i; 4] {
    shani::words(simd::load_128x4(block))
}

/// Stores both blocks completely, in whole vectors.
#[inline]
#[target_feature(enable = "sse4.1,ssse3")]
fn padded(rest: &[u8], len: u64) -> ([Block; 2], usize) {
    let (vectors, count) = simd::padded_64(rest, len);
    let mut blocks = [[0; 64]; 2];
    for (block, vectors) in blocks.iter_mut().zip(vectors) {
        for (quarter, vector) in block.as_chunks_mut().0.iter_mut().zip(vectors) {
            simd::store_128(quarter, vector);
        }
    }
    (blocks, count)
}
