//! SHA-512 with the Armv8.2 SHA-512 instructions: one message at a time.

use core::arch::aarch64::*;

use super::super::{Block, Compress, Compression, K, State};
use crate::core::{
    cpu::Sha3 as Cpu,
    simd::{aarch64 as simd, each},
};

#[derive(Clone)]
pub(in crate::hashes::sha512) struct Sha512 {
    cpu: Cpu,
}

impl Compress<Compression> for Sha512 {
    kernel! { Sha3: fn compress(&self, state: &mut State, blocks: &[Block]) = Sha512::kernel }
}

impl Sha512 {
    #[inline]
    pub(in crate::hashes::sha512) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha3,neon")]
    fn kernel(&self, state: &mut State, blocks: &[Block]) {
        let (pairs, _) = state.as_chunks_mut::<2>();
        let (k, _) = K.as_chunks::<2>().0.as_chunks::<8>();
        let mut h: [_; 4] = each(|i| simd::load_u64x2(&pairs[i]));

        for block in blocks {
            let (eighths, _) = block.as_chunks::<16>();
            let mut w: [_; 8] =
                each(|i| vreinterpretq_u64_u8(vrev64q_u8(simd::load_u8x16(&eighths[i]))));
            let mut s = h;
            for k in &k[..4] {
                unroll!(i in 0 1 2 3 4 5 6 7 => {
                    s = two_rounds(s, vaddq_u64(w[i], simd::load_u64x2(&k[i])));
                    let w7 = vextq_u64::<1>(w[(i + 4) % 8], w[(i + 5) % 8]);
                    let sum = vsha512su0q_u64(w[i], w[(i + 1) % 8]);
                    w[i] = vsha512su1q_u64(sum, w[(i + 7) % 8], w7);
                });
            }
            unroll!(i in 0 1 2 3 4 5 6 7 => {
                s = two_rounds(s, vaddq_u64(w[i], simd::load_u64x2(&k[4][i])));
            });
            h = each(|i| vaddq_u64(h[i], s[i]));
        }
        for i in 0..4 {
            simd::store_u64x2(&mut pairs[i], h[i]);
        }
    }
}

/// Two rounds, given W_t + K_t of both: the working variables, two in a vector, after them.
#[inline]
#[target_feature(enable = "sha3,neon")]
fn two_rounds([ab, cd, ef, gh]: [uint64x2_t; 4], wk: uint64x2_t) -> [uint64x2_t; 4] {
    let sum = vaddq_u64(gh, vextq_u64::<1>(wk, wk));
    let t1 = vsha512hq_u64(sum, vextq_u64::<1>(ef, gh), vextq_u64::<1>(cd, ef));
    [vsha512h2q_u64(t1, cd, ab), ab, vaddq_u64(cd, t1), ef]
}
