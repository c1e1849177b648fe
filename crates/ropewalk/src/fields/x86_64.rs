//! Eight words on 512 bits, with products of 52 bits.

use core::arch::x86_64::*;

use super::lanes::Word;
use crate::core::{
    cpu::Avx512Ifma,
    simd::x86_64::{load_u64x8, store_u64x8, summed_512 as opaque_512, ternary_512},
};

/// Eight words, and the proof that their instructions exist.
#[derive(Clone, Copy)]
pub(crate) struct Ifma(__m512i, Avx512Ifma);

impl Ifma {
    #[inline(always)]
    pub(crate) fn load(cpu: Avx512Ifma, words: &[u64; 8]) -> Self {
        Self(
            proven!(Avx512Ifma: cpu, fn enter(words: &[u64; 8]) -> __m512i { load_u64x8(words) }),
            cpu,
        )
    }

    #[inline(always)]
    pub(crate) fn store(self, words: &mut [u64; 8]) {
        let Self(v, cpu) = self;
        proven!(Avx512Ifma: cpu, fn enter(words: &mut [u64; 8], v: __m512i) -> () { store_u64x8(words, v) })
    }

    #[inline(always)]
    pub(crate) fn splat(cpu: Avx512Ifma, word: u64) -> Self {
        Self(proven!(Avx512Ifma: cpu, fn enter(word: u64) -> __m512i { splat(word) }), cpu)
    }

    #[inline(always)]
    pub(crate) fn cpu(self) -> Avx512Ifma {
        self.1
    }

    /// The word of `table` that each lane of `self` is the index of, modulo 8: in constant time.
    #[inline(always)]
    pub(crate) fn look_up(self, table: Self) -> Self {
        let (index, table, cpu) = (self.0, table.0, self.1);
        Self(
            proven!(Avx512Ifma: cpu, fn enter(index: __m512i, table: __m512i) -> __m512i {
                _mm512_permutexvar_epi64(index, table)
            }),
            cpu,
        )
    }

    /// The same in one lane; the others keep the words of `self`.
    #[inline(always)]
    pub(crate) fn look_up_in<const LANE: usize>(self, index: Self, table: Self) -> Self {
        let (v, index, table, cpu) = (self.0, index.0, table.0, self.1);
        Self(
            proven!(Avx512Ifma: cpu, fn enter<const LANE: usize>(v: __m512i, index: __m512i, table: __m512i) -> __m512i {
                _mm512_mask_permutexvar_epi64(v, 1 << LANE, index, table)
            }),
            cpu,
        )
    }

    /// The words of a table of 16: of an index, four bits count.
    #[inline(always)]
    pub(crate) fn look_up_16(self, table: &[u64; 16]) -> Self {
        let (index, cpu) = (self.0, self.1);
        let (halves, _) = table.as_chunks::<8>();
        // MemorySanitizer takes a secret index of two vectors for a leak.
        if cfg!(ropewalk_ct = "msan") {
            let [low, high] = [0, 1].map(|half| self.look_up(Self::load(cpu, &halves[half])));
            return low.or_where(self.and(8).nonzero(), high);
        }
        Self(
            proven!(Avx512Ifma: cpu, fn enter(index: __m512i, halves: &[[u64; 8]]) -> __m512i {
                _mm512_permutex2var_epi64(load_u64x8(&halves[0]), index, load_u64x8(&halves[1]))
            }),
            cpu,
        )
    }

    /// The same words, of which the compiler does not know that they are a mask.
    #[inline(always)]
    pub(crate) fn opaque(self) -> Self {
        let Self(v, cpu) = self;
        Self(proven!(Avx512Ifma: cpu, fn enter(v: __m512i) -> __m512i { opaque_512(v) }), cpu)
    }

    #[inline(always)]
    pub(crate) fn both(self, other: Self) -> Self {
        let (v, other, cpu) = (self.0, other.0, self.1);
        Self(
            proven!(Avx512Ifma: cpu, fn enter(v: __m512i, other: __m512i) -> __m512i { _mm512_and_si512(v, other) }),
            cpu,
        )
    }

    /// `other` in the lanes of a mask, which is public.
    #[inline(always)]
    pub(crate) fn blended<const MASK: u8>(self, other: Self) -> Self {
        let (v, other, cpu) = (self.0, other.0, self.1);
        Self(
            proven!(Avx512Ifma: cpu, fn enter<const MASK: u8>(v: __m512i, other: __m512i) -> __m512i { _mm512_mask_mov_epi64(v, MASK, other) }),
            cpu,
        )
    }

    /// Lane `i` has the word of lane `of[i]`.
    #[inline(always)]
    pub(crate) fn lanes(self, of: [u64; 8]) -> Self {
        Self::load(self.1, &of).look_up(self)
    }

    /// The lanes that are not zero.
    #[inline(always)]
    pub(crate) fn nonzero(self) -> u8 {
        let Self(v, cpu) = self;
        proven!(Avx512Ifma: cpu, fn enter(v: __m512i) -> u8 { _mm512_test_epi64_mask(v, v) })
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(word: u64) -> __m512i {
    _mm512_set1_epi64(word.cast_signed())
}

/// Declares operations on words.
macro_rules! operations {
    ($( fn $name:ident $(<const $N:ident>)? ($v:ident $(, $more:ident)*) $body:block )+) => { $(
        #[inline(always)]
        fn $name $(<const $N: u32>)? (self $(, $more: Self)*) -> Self {
            let (cpu, $v) = (self.1, self.0);
            $( let $more = $more.0; )*
            Self(operation!(cpu [$($N)?] ($v $($more)*) $body), cpu)
        }
    )+ };
}

macro_rules! operation {
    ($cpu:ident [] ($v:ident) $body:block) => {
        proven!(Avx512Ifma: $cpu, fn enter($v: __m512i) -> __m512i $body)
    };
    ($cpu:ident [] ($v:ident $a:ident) $body:block) => {
        proven!(Avx512Ifma: $cpu, fn enter($v: __m512i, $a: __m512i) -> __m512i $body)
    };
    ($cpu:ident [] ($v:ident $a:ident $b:ident) $body:block) => {
        proven!(Avx512Ifma: $cpu, fn enter($v: __m512i, $a: __m512i, $b: __m512i) -> __m512i $body)
    };
    ($cpu:ident [$N:ident] ($v:ident) $body:block) => {
        proven!(Avx512Ifma: $cpu, fn enter<const $N: u32>($v: __m512i) -> __m512i $body)
    };
}

impl Word for Ifma {
    type Mask = u8;

    #[inline(always)]
    fn like(self, word: u64) -> Self {
        Self::splat(self.1, word)
    }
    #[inline(always)]
    fn and(self, word: u64) -> Self {
        let (Self(v, cpu), word) = (self, self.like(word).0);
        Self(
            proven!(Avx512Ifma: cpu, fn enter(v: __m512i, word: __m512i) -> __m512i { _mm512_and_si512(v, word) }),
            cpu,
        )
    }
    #[inline(always)]
    fn xor(self, word: u64) -> Self {
        let (Self(v, cpu), word) = (self, self.like(word).0);
        Self(
            proven!(Avx512Ifma: cpu, fn enter(v: __m512i, word: __m512i) -> __m512i { _mm512_xor_si512(v, word) }),
            cpu,
        )
    }
    #[inline(always)]
    fn operand(self) -> Self {
        self
    }
    #[inline(always)]
    fn is_zero(self) -> u8 {
        !self.nonzero()
    }
    /// Not by a mask register: under a secret mask, the compiler would load spilled vectors.
    #[inline(always)]
    fn or_where(self, mask: u8, other: Self) -> Self {
        let (Self(v, cpu), other) = (self, other.0);
        Self(
            proven!(Avx512Ifma: cpu, fn enter(v: __m512i, mask: u8, other: __m512i) -> __m512i {
                ternary_512::<0xca>(opaque_512(_mm512_movm_epi64(mask)), other, v)
            }),
            cpu,
        )
    }
    operations! {
        fn plus(v, other) { _mm512_add_epi64(v, other) }
        fn or(v, other) { _mm512_or_si512(v, other) }
        fn minus(v, other) { _mm512_sub_epi64(v, other) }
        fn shr<const N>(v) { _mm512_srli_epi64::<N>(v) }
        fn shl<const N>(v) { _mm512_slli_epi64::<N>(v) }
        fn shl_away<const N>(v) { _mm512_slli_epi64::<N>(v) }
        fn plus_low(v, a, b) { _mm512_madd52lo_epu64(v, a, b) }
        fn plus_high(v, a, b) { _mm512_madd52hi_epu64(v, a, b) }
    }
}
