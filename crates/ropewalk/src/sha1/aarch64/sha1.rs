//! SHA-1 with the Armv8 SHA-1 instructions, which Rust counts among those of SHA-2.

use core::arch::aarch64::*;

use super::super::{Block, Compress, K, State};
use crate::{cpu::Sha2 as Cpu, simd::aarch64 as simd};

#[derive(Clone)]
pub(crate) struct Sha1 {
    cpu: Cpu,
}

impl Compress for Sha1 {
    kernel! { Sha2: fn compress(&self, state: &mut State, blocks: &[Block]) = Sha1::kernel }
}

impl Sha1 {
    #[inline]
    pub(crate) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha2,neon")]
    fn kernel(&self, state: &mut State, blocks: &[Block]) {
        let ([low], [e]) = state.as_chunks_mut::<4>() else { unreachable!() };
        let mut s = (simd::load_u32x4(low), *e);
        for block in blocks {
            let (quarters, []) = block.as_chunks::<16>() else { unreachable!() };
            let mut w = [vdupq_n_u32(0); 4];
            for i in 0..4 {
                w[i] = vreinterpretq_u32_u8(vrev32q_u8(simd::load_u8x16(&quarters[i])));
            }
            let before = s;
            unroll!(i in 0 1 2 3 4 => s = four_rounds::<0>(s, &mut w, i));
            unroll!(i in 5 6 7 8 9 => s = four_rounds::<1>(s, &mut w, i));
            unroll!(i in 10 11 12 13 14 => s = four_rounds::<2>(s, &mut w, i));
            unroll!(i in 15 16 17 18 19 => s = four_rounds::<3>(s, &mut w, i));
            s = (vaddq_u32(s.0, before.0), s.1.wrapping_add(before.1));
        }
        simd::store_u32x4(low, s.0);
        *e = s.1;
    }
}

/// The `i`th four rounds; `w` has the last sixteen words of the schedule.
#[inline]
#[target_feature(enable = "sha2,neon")]
fn four_rounds<const F: usize>(
    (abcd, e): (uint32x4_t, u32),
    w: &mut [uint32x4_t; 4],
    i: usize,
) -> (uint32x4_t, u32) {
    if i >= 4 {
        let [w0, w1, w2, w3] = [w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]];
        w[i % 4] = vsha1su1q_u32(vsha1su0q_u32(w0, w1, w2), w3);
    }
    let wk = vaddq_u32(w[i % 4], vdupq_n_u32(K[F]));
    let next = match F {
        0 => vsha1cq_u32(abcd, e, wk),
        2 => vsha1mq_u32(abcd, e, wk),
        _ => vsha1pq_u32(abcd, e, wk),
    };
    (next, vsha1h_u32(vgetq_lane_u32::<0>(abcd)))
}
