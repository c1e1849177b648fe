//! SHA-256 with the Armv8 SHA-2 instructions: one message at a time.

use core::arch::aarch64::*;

use super::super::{Block, Compress, K, State};
use crate::{cpu::Sha2 as Cpu, simd::aarch64 as simd};

#[derive(Clone)]
pub(crate) struct Sha2 {
    cpu: Cpu,
}

impl Compress for Sha2 {
    kernel! { Sha2: fn compress(&self, state: &mut State, blocks: &[Block]) = Sha2::kernel }
}

impl Sha2 {
    #[inline]
    pub(crate) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha2,neon")]
    fn kernel(&self, state: &mut State, blocks: &[Block]) {
        let ([low, high], []) = state.as_chunks_mut::<4>() else { unreachable!() };
        let (k, []) = K.as_chunks::<4>() else { unreachable!() };
        let (mut abcd, mut efgh) = (simd::load_u32x4(low), simd::load_u32x4(high));

        for block in blocks {
            let (quarters, []) = block.as_chunks::<16>() else { unreachable!() };
            let mut w = [vdupq_n_u32(0); 4];
            for i in 0..4 {
                w[i] = vreinterpretq_u32_u8(vrev32q_u8(simd::load_u8x16(&quarters[i])));
            }
            let (abcd_in, efgh_in) = (abcd, efgh);
            unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 => {
                (abcd, efgh) = four_rounds(abcd, efgh, w[i % 4], simd::load_u32x4(&k[i]));
                let [w0, w1, w2, w3] = [w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]];
                w[i % 4] = vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3);
            });
            unroll!(i in 0 1 2 3 => {
                (abcd, efgh) = four_rounds(abcd, efgh, w[i], simd::load_u32x4(&k[12 + i]));
            });
            abcd = vaddq_u32(abcd, abcd_in);
            efgh = vaddq_u32(efgh, efgh_in);
        }
        simd::store_u32x4(low, abcd);
        simd::store_u32x4(high, efgh);
    }
}

#[inline]
#[target_feature(enable = "sha2,neon")]
fn four_rounds(
    abcd: uint32x4_t,
    efgh: uint32x4_t,
    w: uint32x4_t,
    k: uint32x4_t,
) -> (uint32x4_t, uint32x4_t) {
    let wk = vaddq_u32(w, k);
    (vsha256hq_u32(abcd, efgh, wk), vsha256h2q_u32(efgh, abcd, wk))
}
