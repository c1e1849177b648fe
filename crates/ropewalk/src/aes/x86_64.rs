//! AES instructions: key schedules and blocks.

use core::arch::x86_64::*;

use super::{
    Block, RoundKeys, Rounds, each_round, middle_rounds,
    schedule::{PICK, RCON, schedule},
};
use crate::core::simd::x86_64::{self as simd, load_128 as load, store_128 as store};

schedule! { "aes,sse4.1", __m128i }

/// Encrypts `N` blocks in parallel (section 5.1).
#[inline]
#[target_feature(enable = "aes,sse4.1")]
pub(crate) fn encrypt<const N: usize>(keys: Rounds<'_>, mut x: [__m128i; N]) -> [__m128i; N] {
    let k = simd::load_128(keys.key(0));
    for i in 0..N {
        x[i] = _mm_xor_si128(x[i], k);
    }
    x = rounds_1x(keys, x);
    let k = simd::load_128(keys.last());
    for i in 0..N {
        x[i] = _mm_aesenclast_si128(x[i], k);
    }
    x
}

/// Declares a function that encrypts `N` vectors of blocks in parallel, or decrypts them with the second key schedule of
/// `expand_both`, with `around` added before and after. There is an instance for each `Mode`, a type that names the caller, which
/// is inlined there. The rounds of a `few` vectors are unrolled. For more vectors they are a loop, whose jumps do not matter
/// among so many instructions.
macro_rules! xex {
    (@rounds $name:ident on $V:ty, $features:literal, few $few:literal: $splat:path, $round:ident) => {
        /// The rounds of `N` vectors between the first and the last.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn $name<const N: usize>(keys: Rounds<'_>, mut x: [$V; N]) -> [$V; N] {
            if N <= $few {
                // Short messages overlap, unless a jump intervenes.
                middle_rounds!(keys.rounds; r => {
                    let k = $splat(keys.key(r));
                    for i in 0..N {
                        x[i] = $round(x[i], k);
                    }
                });
            } else {
                each_round!(keys; k => {
                    let k = $splat(k);
                    for i in 0..N {
                        x[i] = $round(x[i], k);
                    }
                });
            }
            x
        }
    };
    (
        $(#[$doc:meta])*
        $name:ident on $V:ty, $features:literal, few $few:literal: $splat:path => $xor:ident
        $rounds:ident $enc:ident $enc_last:ident $inv_rounds:ident $dec:ident $dec_last:ident
    ) => {
        xex!(@rounds $rounds on $V, $features, few $few: $splat, $enc);
        xex!(@rounds $inv_rounds on $V, $features, few $few: $splat, $dec);

        $(#[$doc])*
        #[inline]
        #[target_feature(enable = $features)]
        #[allow(clippy::extra_unused_type_parameters, reason = "an instance for each")]
        pub(crate) fn $name<Mode, const N: usize>(
            keys: Rounds<'_>,
            mut x: [$V; N],
            around: [$V; N],
            encrypt: bool,
        ) -> [$V; N] {
            let k = $splat(keys.key(0));
            for i in 0..N {
                x[i] = $xor($xor(x[i], around[i]), k);
            }
            x = if encrypt { $rounds(keys, x) } else { $inv_rounds(keys, x) };
            let k = $splat(keys.last());
            for i in 0..N {
                // Added to the last round key, off the critical path.
                let last = $xor(k, around[i]);
                x[i] = if encrypt { $enc_last(x[i], last) } else { $dec_last(x[i], last) };
            }
            x
        }
    };
}

xex! {
    /// Of one block.
    xex_1x on __m128i, "aes,sse4.1", few 4: simd::load_128 => _mm_xor_si128
    rounds_1x _mm_aesenc_si128 _mm_aesenclast_si128 inv_rounds_1x _mm_aesdec_si128 _mm_aesdeclast_si128
}

xex! {
    /// Of two blocks.
    xex_2x on __m256i, "vaes,avx2", few 2: simd::splat_2x => _mm256_xor_si256
    rounds_2x _mm256_aesenc_epi128 _mm256_aesenclast_epi128 inv_rounds_2x _mm256_aesdec_epi128 _mm256_aesdeclast_epi128
}

xex! {
    /// Of four blocks.
    xex_4x on __m512i, "vaes,avx512f", few 2: simd::splat_4x => _mm512_xor_si512
    rounds_4x _mm512_aesenc_epi128 _mm512_aesenclast_epi128 inv_rounds_4x _mm512_aesdec_epi128 _mm512_aesdeclast_epi128
}

/// Counter blocks with their bytes reversed, so that the counter is the lowest word: the next one.
pub(crate) struct Counters {
    next: __m128i,
}

impl Counters {
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn new(counter: __m128i) -> Self {
        Self { next: _mm_shuffle_epi8(counter, simd::reversal()) }
    }

    /// The next `N` counter blocks, in the byte order of AES.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn next<const N: usize>(&mut self) -> [__m128i; N] {
        let one = _mm_set_epi32(0, 0, 0, 1);
        let mut x = [self.next; N];
        for i in 0..N {
            x[i] = _mm_shuffle_epi8(self.next, simd::reversal());
            self.next = _mm_add_epi32(self.next, one);
        }
        x
    }
}

/// The functions that `schedule!` requires, on four words, the first one lowest.
macro_rules! lanes {
    ($( $name:ident($($x:ident),+) = $body:expr; )+) => { $(
        #[inline]
        #[target_feature(enable = "aes,sse4.1")]
        fn $name($($x: __m128i),+) -> __m128i {
            $body
        }
    )+ };
}

lanes! {
    xor(a, b) = _mm_xor_si128(a, b);
    // On four equal columns ShiftRows is the identity, so the last round is SubBytes alone.
    sub_bytes_add(x, sum) = _mm_aesenclast_si128(x, sum);
    inv_mix_columns(x) = _mm_aesimc_si128(x);
    shuffle(x, bytes) = _mm_shuffle_epi8(x, bytes);
    even_words(x) = _mm_and_si128(x, _mm_set_epi32(0, -1, 0, -1));
    odd_words(x) = _mm_srli_epi64::<32>(x);
    low_half(x) = _mm_move_epi64(x);
    high_half(x) = _mm_srli_si128::<8>(x);
    halves(low, high) = _mm_blend_epi16::<0b0000_1111>(high, low);
    low_halves(a, b) = _mm_unpacklo_epi64(a, b);
    high_halves(a, b) = _mm_unpackhi_epi64(a, b);
}

#[inline]
#[target_feature(enable = "sse2")]
fn splat(word: u32) -> __m128i {
    _mm_set1_epi32(word.cast_signed())
}
