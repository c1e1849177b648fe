//! SHA-1 of 4 messages at a time with the Intel SHA Extensions, interleaved: each fills the latency of the others.

use super::{
    super::{Block, CompressFew, Compression, Link, Padding, State},
    shani::{self, Registers, Schedule},
};
use crate::{
    core::simd::{each, x86_64 as simd},
    hashes::many::few::{backend_of_few, kernels_of_few, several},
};

macro_rules! rounds {
    ($lanes:ident, $w:ident, $n:ident) => {
        let mut s: [_; $n] = each(|lane| $lanes[lane].begin(&$w[lane]));
        unroll!(i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
            for lane in 0..$n {
                s[lane].four_of(&mut $w[lane], i);
            }
        });
        for lane in 0..$n {
            $lanes[lane].end(&s[lane]);
        }
    };
}

backend_of_few! { pub(in crate::hashes::sha1) Shanix4 needs ShaNi: 2 or 4 lanes }

#[inline]
#[target_feature(enable = "ssse3")]
fn words(block: &Block) -> Schedule {
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
