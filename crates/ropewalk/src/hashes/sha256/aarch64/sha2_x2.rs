//! SHA-256 of 2 messages at a time with the Armv8 SHA-2 instructions, interleaved: each fills the latency of the other.

use super::{
    super::{Block, CompressFew, Compression, Link, Padding, State, Tail},
    sha2::{Registers, words},
};
use crate::{
    core::{secret::Wiped, simd::each},
    hashes::{
        function::LastBlocks as _,
        many::few::{backend_of_few, kernels_of_few, several},
    },
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

backend_of_few! { pub(in crate::hashes::sha256) Sha2x2 needs Sha2: 2 lanes }

fn padded(rest: &[u8], len: u64) -> ([Block; 2], usize) {
    let mut tail = Wiped::new(Tail::EMPTY);
    tail.set(rest, len);
    let mut blocks = [[0; 64]; 2];
    blocks[..tail.blocks().len()].copy_from_slice(tail.blocks());
    (blocks, tail.blocks().len())
}
