//! SHA-512 of one message at a time, on vectors of 256 bits and BMI2.
//!
//! Rounds wait for each other, schedules do not. So those of two blocks are made at once, in the two
//! halves of vectors, beside the rounds of the first; the rounds of the second then find theirs in memory.

use core::arch::x86_64::*;

use crate::simd::x86_64 as simd;

/// W_t + K_t of two blocks: of two t, first those of the first block, then those of the second.
pub(super) type Sums = [[[u64; 4]; 8]; 5];

/// Writes a backend. What LLVM has for rotations and for sums of three depends on its features.
macro_rules! pairs {
    ($Backend:ident needs $Cpu:ident, $features:literal) => {
        use core::arch::x86_64::*;

        use super::{
            super::{
                Block, Compress, K, State, Tail,
                rounds::{add, round},
            },
            pairs::{Sums, plus, rotr, words, xor3},
        };
        use crate::{
            many::Tail as _,
            secret::Wiped,
            simd::{each, x86_64 as simd},
        };

        #[derive(Clone)]
        pub(in crate::sha512) struct $Backend {
            cpu: crate::cpu::$Cpu,
        }

        impl Compress for $Backend {
            kernel! { $Cpu: fn compress(&self, state: &mut State, blocks: &[Block]) = $Backend::compress_kernel }
            kernel! { $Cpu: fn finish(&self, state: &mut State, text: &[u8], len: u64) = $Backend::finish_kernel }
        }

        impl $Backend {
            #[inline]
            pub(in crate::sha512) fn new(cpu: crate::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn compress_kernel(&self, state: &mut State, blocks: &[Block]) {
                absorb(state, blocks, &[]);
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn finish_kernel(&self, state: &mut State, text: &[u8], len: u64) {
                let (blocks, rest) = text.as_chunks();
                let mut tail = Wiped::new(Tail::EMPTY);
                tail.set(rest, len);
                absorb(state, blocks, tail.blocks());
            }
        }

        /// Absorbs blocks, and then more.
        #[inline]
        #[target_feature(enable = $features)]
        fn absorb(state: &mut State, blocks: &[Block], more: &[Block]) {
            let mut sums = Wiped::new([[[0; 4]; 8]; 5]);
            let mut blocks = blocks.iter().chain(more);
            while let Some(first) = blocks.next() {
                let second = blocks.next();
                let s = rounds_of_first(*state, &mut sums, first, second.unwrap_or(first));
                add(state, s);
                if second.is_some() {
                    let mut s = *state;
                    for sums in &*sums {
                        unroll!(i in 0 1 2 3 4 5 6 7 => s = round(round(s, sums[i][2]), sums[i][3]));
                    }
                    add(state, s);
                }
            }
        }

        /// Makes the sums of both blocks, and does the rounds of the first.
        #[inline]
        #[target_feature(enable = $features)]
        fn rounds_of_first(state: State, sums: &mut Sums, first: &Block, second: &Block) -> State {
            let mut s = state;
            let (k, _) = K.as_chunks::<2>().0.as_chunks::<8>();
            let mut w: [_; 8] = each(|i| words(&first.as_chunks().0[i], &second.as_chunks().0[i]));
            for i in 0..8 {
                simd::store_u64x4(&mut sums[0][i], plus(w[i], &k[0][i]));
            }
            for q in 0..4 {
                unroll!(i in 0 1 2 3 4 5 6 7 => {
                    w[i] = schedule(w[i], w[(i + 1) % 8], w[(i + 4) % 8], w[(i + 5) % 8], w[(i + 7) % 8]);
                    let [one, two, _, _] = sums[q][i];
                    s = round(round(s, one), two);
                    simd::store_u64x4(&mut sums[q + 1][i], plus(w[i], &k[q + 1][i]));
                });
            }
            unroll!(i in 0 1 2 3 4 5 6 7 => s = round(round(s, sums[4][i][0]), sums[4][i][1]));
            s
        }

        /// W_t and W_t+1 of each block, from those before it: of words 16, 14, 8, 6 and 2 back.
        #[inline]
        #[target_feature(enable = $features)]
        fn schedule(w16: __m256i, w14: __m256i, w8: __m256i, w6: __m256i, w2: __m256i) -> __m256i {
            let w15 = _mm256_alignr_epi8::<8>(w14, w16);
            let w7 = _mm256_alignr_epi8::<8>(w6, w8);
            let s0 = xor3(rotr::<1, 63>(w15), rotr::<8, 56>(w15), _mm256_srli_epi64::<7>(w15));
            let s1 = xor3(rotr::<19, 45>(w2), rotr::<61, 3>(w2), _mm256_srli_epi64::<6>(w2));
            _mm256_add_epi64(_mm256_add_epi64(_mm256_add_epi64(w16, w7), s0), s1)
        }
    };
}
pub(super) use pairs;

/// Two words of each block.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn words(first: &[u8; 16], second: &[u8; 16]) -> __m256i {
    let bytes = _mm256_set_m128i(simd::load_128(second), simd::load_128(first));
    _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(simd::big_endian_64()))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn plus(w: __m256i, k: &[u64; 2]) -> __m256i {
    _mm256_add_epi64(w, _mm256_broadcastsi128_si256(simd::load_u64x2(k)))
}

/// Rotated right by `R`, which is left by `L`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rotr<const R: i32, const L: i32>(x: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_srli_epi64::<R>(x), _mm256_slli_epi64::<L>(x))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_xor_si256(_mm256_xor_si256(a, b), c)
}
