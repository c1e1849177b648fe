//! SHA-512 of one message at a time, its schedule in vectors of two words of a block.
//!
//! Rounds are a dependency chain, schedules are not. So the schedules of as many blocks as vectors hold are computed at once,
//! interleaved with the rounds of the first block; the rounds of the second load theirs from memory. A single last block, which
//! is all that a short message has, uses a narrower vector and leaves a tenth as much in memory, all of which has to be zeroed
//! and wiped.

use core::arch::x86_64::*;

use super::super::Block;
use crate::core::simd::x86_64 as simd;

#[cfg(not(ropewalk_ct = "msan"))]
pub(super) use super::among::{among, among_512};

/// Aligned such that no vector crosses a cache line, whatever the alignment of the stack.
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// W_t + K_t of eight rounds of a block.
pub(super) type Row = [[u64; 2]; 4];

/// Declares a backend. LLVM's code for rotations and three-way XOR depends on its features. Up to `$few` blocks are as fast in
/// serial: the memory of groups is zeroed and wiped once for all of them, which takes as long as the schedules of so many save.
macro_rules! pairs {
    ($Backend:ident needs $Cpu:ident, $features:literal, $vectors:ident past $few:literal, $rounds:ident::$round:ident, $beside:ident) => {
        use super::{
            super::{Block, Compress, Compression, K, State, Tail, rounds::add},
            pairs::{self, Aligned, Row, $vectors as simd},
            rounds::Working,
        };
        use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

        use $rounds::$round as round;
        use crate::{hashes::{function::LastBlocks as _, groups::groups}, core::{secret::Wiped, simd::each, opaque::{touched, unknown}}};
        use simd::{BLOCKS, V};

        pairs::$beside! { $features, $vectors }

        #[derive(Clone)]
        pub(in crate::hashes::sha512) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl Compress<Compression> for $Backend {
            kernel! { $Cpu: fn compress(&self, state: &mut State, blocks: &[Block]) = $Backend::compress_kernel }
            kernel! { $Cpu: fn finish(&self, state: &mut State, text: &[u8], len: u64) = $Backend::finish_kernel }
        }

        impl $Backend {
            #[inline]
            pub(in crate::hashes::sha512) fn new(cpu: crate::core::cpu::$Cpu, (): ()) -> Self {
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
                tail.fill(rest, len);
                absorb(state, blocks, tail.blocks());
            }
        }

        /// Absorbs blocks, and then more.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn absorb(state: &mut State, blocks: &[Block], more: &[Block]) {
            let (mut blocks, mut more) = (blocks, more);
            if BLOCKS > 1 && blocks.len() + more.len() > $few {
                let [[of_blocks, of_more], left] = groups::<_, BLOCKS>(blocks, more);
                let mut sums = Wiped::new(const { Aligned([[[0; 2]; 4]; 12]) });
                let mut of_both = of_blocks.iter().chain(of_more);
                while let Some(first) = of_both.next() {
                    let mut group = [first; BLOCKS];
                    for (place, block) in group[1..].iter_mut().zip(&mut of_both) {
                        *place = block;
                    }
                    absorb_group(state, &mut sums.0, &group);
                }
                [blocks, more] = left;
            }
            for block in blocks.iter().chain(more) {
                // A constant is written in place, not made elsewhere and copied in parts that stall on each other.
                let mut sums = Wiped::new(const { Aligned([[[0; 2]; 4]; 2]) });
                absorb_group(state, &mut sums.0, &[block; BLOCKS]);
            }
        }

        /// Absorbs a block for each lane, or only the first, if there is no memory for the sums of another.
        ///
        /// Eight rounds a step, after which the working variables are back in place.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn absorb_group(state: &mut State, sums: &mut [Row], blocks: &[&Block; BLOCKS]) {
            let (k, _) = K.as_chunks::<2>().0.as_chunks::<4>();
            let alone = sums.len() == 2;
            let mut w: [V; 8] = each(|i| simd::words(blocks, i));
            let mut sums_of_first = Wiped::new(const { Aligned([[0; 2]; 4]) });
            let first = &mut sums_of_first.0;
            let (mut place, step) = if alone { (0, 0) } else { (2, 1) };
            // There is room for all, which the compiler cannot prove. With a panic, the caller would wipe in two places.
            let Some(second) = sums.get_mut(place) else { return };
            for i in 0..4 {
                simd::store(&mut first[i], &mut second[i], simd::add(w[i], simd::splat(&k[0][i])));
            }
            touched(first);
            let mut s = Working::new(*state);
            for k in k[1..9].iter().take(unknown(8) as usize) {
                place += step;
                let Some(second) = sums.get_mut(place) else { return };
                unroll!(i in 0 1 2 3 => {
                    (s, w[i]) = two_rounds_beside(
                        s, &first[i], w[i], w[i + 1], w[i + 4], w[(i + 5) % 8], w[(i + 7) % 8],
                    );
                    simd::store(&mut first[i], &mut second[i], simd::add(w[i + 4], simd::splat(&k[i])));
                    compiler_fence(SeqCst);
                });
                w = each(|i| w[(i + 4) % 8]);
            }
            let Some((last, others)) = sums.split_first_chunk_mut::<2>() else { return };
            for i in 0..4 {
                let sums = simd::add(w[i + 4], simd::splat(&k[9][i]));
                let (mut of_first, mut of_second) = ([0; 2], [0; 2]);
                simd::store(&mut of_first, &mut of_second, sums);
                if let Some(row) = others.get_mut(9) { row[i] = of_second; }
                last[0][i] = first[i];
                last[1][i] = of_first;
            }
            let (mut rows, others) = (last.as_slice(), &*others);
            for _ in 0..if alone { 1 } else { BLOCKS } {
                for row in rows {
                    unroll!(i in 0 1 2 3 => s = two_rounds(s, &row[i]));
                }
                add(state, s.state);
                (s, rows) = (Working::new(*state), others);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn two_rounds(s: Working, sums: &[u64; 2]) -> Working {
            round(round(s, sums[0]), sums[1])
        }
    };
}
pub(super) use pairs;

/// Declares two rounds interleaved with the schedule, in the order that LLVM chooses.
macro_rules! apart {
    ($features:literal, $vectors:ident) => {
        /// W_t and W_t+1 of each block, from those before it: of words 16, 14, 8, 6 and 2 back.
        #[inline]
        #[target_feature(enable = $features)]
        fn two_rounds_beside(
            s: Working,
            sums: &[u64; 2],
            w16: V,
            w14: V,
            w8: V,
            w6: V,
            w2: V,
        ) -> (Working, V) {
            let w15 = simd::shift_in(w14, w16);
            let w7 = simd::shift_in(w6, w8);
            let s0 =
                simd::xor3(simd::rotr::<1, 63>(w15), simd::rotr::<8, 56>(w15), simd::shr::<7>(w15));
            let s1 =
                simd::xor3(simd::rotr::<19, 45>(w2), simd::rotr::<61, 3>(w2), simd::shr::<6>(w2));
            let w = simd::add(simd::add(simd::add(w16, w7), s0), s1);
            (two_rounds(s, sums), w)
        }
    };
}
pub(super) use apart;

/// Declares the vector operations of a backend.
macro_rules! vectors {
    (
        $(#[$doc:meta])*
        $name:ident: $feature:literal, $V:ty, $blocks:literal {
            add: $add:ident, xor: $xor:ident, or: $or:ident, shl: $shl:ident, shr: $shr:ident, shift_in: $shift_in:ident,
            words: $words:ident, splat: $splat:ident, store: $store:ident,
        }
    ) => {
        $(#[$doc])*
        pub(super) mod $name {
            use core::arch::x86_64::*;

            use super::*;

            pub(in super::super) const BLOCKS: usize = $blocks;
            pub(in super::super) type V = $V;

            /// The `i`th two words of each block.
            #[inline]
            #[target_feature(enable = $feature)]
            pub(in super::super) fn words(blocks: &[&Block; BLOCKS], i: usize) -> V {
                $words(blocks.map(|block| &block.as_chunks().0[i]))
            }

            /// Those words, repeated for each block.
            #[inline]
            #[target_feature(enable = $feature)]
            pub(in super::super) fn splat(words: &[u64; 2]) -> V {
                $splat(words)
            }

            #[inline]
            #[target_feature(enable = $feature)]
            pub(in super::super) fn store(first: &mut [u64; 2], second: &mut [u64; 2], v: V) {
                $store(first, second, v);
            }

            #[inline]
            #[target_feature(enable = $feature)]
            pub(in super::super) fn add(a: V, b: V) -> V {
                $add(a, b)
            }

            #[inline]
            #[target_feature(enable = $feature)]
            pub(in super::super) fn xor3(a: V, b: V, c: V) -> V {
                $xor($xor(a, b), c)
            }

            #[inline]
            #[target_feature(enable = $feature)]
            pub(in super::super) fn shr<const R: i32>(x: V) -> V {
                $shr::<R>(x)
            }

            /// Rotated right by `R`, which is left by `L`.
            #[inline]
            #[target_feature(enable = $feature)]
            pub(in super::super) fn rotr<const R: i32, const L: i32>(x: V) -> V {
                $or($shr::<R>(x), $shl::<L>(x))
            }

            /// The second word of `low` and the first of `high`, of each block.
            #[inline]
            #[target_feature(enable = $feature)]
            pub(in super::super) fn shift_in(high: V, low: V) -> V {
                $shift_in::<8>(high, low)
            }
        }
    };
}

vectors! {
    /// Of one block.
    one: "ssse3", __m128i, 1 {
        add: _mm_add_epi64, xor: _mm_xor_si128, or: _mm_or_si128, shl: _mm_slli_epi64, shr: _mm_srli_epi64,
        shift_in: _mm_alignr_epi8, words: words_1x, splat: load_1x, store: store_1x,
    }
}

vectors! {
    /// Of two blocks.
    #[cfg_attr(not(ropewalk_ct = "msan"), allow(dead_code, reason = "rounds have it among their instructions"))]
    two: "avx2", __m256i, 2 {
        add: _mm256_add_epi64, xor: _mm256_xor_si256, or: _mm256_or_si256, shl: _mm256_slli_epi64, shr: _mm256_srli_epi64,
        shift_in: _mm256_alignr_epi8, words: words_2x, splat: splat_2x, store: store_2x,
    }
}

#[inline]
#[target_feature(enable = "ssse3")]
fn words_1x([words]: [&[u8; 16]; 1]) -> __m128i {
    _mm_shuffle_epi8(simd::load_128(words), simd::big_endian_64())
}

#[inline]
#[target_feature(enable = "avx2")]
fn words_2x([first, second]: [&[u8; 16]; 2]) -> __m256i {
    let bytes = _mm256_set_m128i(simd::load_128(second), simd::load_128(first));
    _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(simd::big_endian_64()))
}

#[inline]
#[target_feature(enable = "sse2")]
fn load_1x(words: &[u64; 2]) -> __m128i {
    simd::load_u64x2(words)
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat_2x(words: &[u64; 2]) -> __m256i {
    _mm256_broadcastsi128_si256(simd::load_u64x2(words))
}

#[inline]
#[target_feature(enable = "sse2")]
fn store_1x(first: &mut [u64; 2], _: &mut [u64; 2], v: __m128i) {
    simd::store_u64x2(first, v);
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_2x(first: &mut [u64; 2], second: &mut [u64; 2], v: __m256i) {
    simd::store_u64x2(first, _mm256_castsi256_si128(v));
    simd::store_u64x2(second, _mm256_extracti128_si256::<1>(v));
}
