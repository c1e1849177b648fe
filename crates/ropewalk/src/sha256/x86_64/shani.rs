//! SHA-256 with the Intel SHA Extensions: one message at a time.

use core::arch::x86_64::*;

use super::super::{Block, Compress, K, State};
use crate::{cpu::ShaNi, simd::x86_64 as simd};

#[derive(Clone)]
pub(in crate::sha256) struct Shani {
    cpu: ShaNi,
}

impl Compress for Shani {
    kernel! { ShaNi: fn compress(&self, state: &mut State, blocks: &[Block]) = Shani::kernel }
}

impl Shani {
    #[inline]
    pub(in crate::sha256) fn new(cpu: ShaNi, (): ()) -> Self {
        Self { cpu }
    }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn kernel(&self, state: &mut State, blocks: &[Block]) {
        let ([low, high], []) = state.as_chunks_mut::<4>() else { unreachable!() };

        // The instructions want (a, b, e, f) and (c, d, g, h).
        let dcba = simd::load_u32x4(low);
        let hgfe = simd::load_u32x4(high);
        let cdab = _mm_shuffle_epi32(dcba, 0b10_11_00_01);
        let efgh = _mm_shuffle_epi32(hgfe, 0b00_01_10_11);
        let mut abef = _mm_alignr_epi8(cdab, efgh, 8);
        let mut cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);

        let big_endian = _mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203);
        let (k, []) = K.as_chunks::<4>() else { unreachable!() };

        for block in blocks {
            let (quarters, []) = block.as_chunks::<16>() else { unreachable!() };
            let mut w = [_mm_setzero_si128(); 4];
            for i in 0..4 {
                w[i] = _mm_shuffle_epi8(simd::load_128(&quarters[i]), big_endian);
            }
            let (abef_in, cdgh_in) = (abef, cdgh);
            unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 => {
                (abef, cdgh) = four_rounds(abef, cdgh, w[i % 4], simd::load_u32x4(&k[i]));
                let [w0, w1, w2, w3] = [w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]];
                let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
                w[i % 4] = _mm_sha256msg2_epu32(sum, w3);
            });
            unroll!(i in 0 1 2 3 => {
                (abef, cdgh) = four_rounds(abef, cdgh, w[i], simd::load_u32x4(&k[12 + i]));
            });
            abef = _mm_add_epi32(abef, abef_in);
            cdgh = _mm_add_epi32(cdgh, cdgh_in);
        }

        let feba = _mm_shuffle_epi32(abef, 0b00_01_10_11);
        let dchg = _mm_shuffle_epi32(cdgh, 0b10_11_00_01);
        simd::store_u32x4(low, _mm_blend_epi16(feba, dchg, 0xf0));
        simd::store_u32x4(high, _mm_alignr_epi8(dchg, feba, 8));
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn four_rounds(abef: __m128i, cdgh: __m128i, w: __m128i, k: __m128i) -> (__m128i, __m128i) {
    let wk = _mm_add_epi32(w, k);
    let cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
    (_mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0b00_00_11_10)), cdgh)
}
