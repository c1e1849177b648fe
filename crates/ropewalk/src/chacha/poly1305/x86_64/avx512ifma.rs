//! Poly1305 on 512 bits, 8 blocks at a time, with products of 52 bits.
//!
//! Limbs have 44 bits, the last 42. The low half of a product of limbs i and j has weight 2^44(i + j); the high half has 2^52
//! times that, which is 2^8 times that of the next limb.

use core::arch::x86_64::*;

use super::super::{
    Block, Carried, KEY_LEN, Mac, State,
    bulk::InLanes,
    lanes::{self, KEPT, Kept, PolyLanes, more},
    state::{Number, fold},
};
use crate::core::{
    cpu::Avx512Ifma,
    opaque::unseen_word,
    simd::x86_64::{load_512, load_u64x8, store_u64x8, ternary_512},
};

#[derive(Clone)]
pub(in crate::chacha::poly1305) struct Ifma {
    cpu: Avx512Ifma,
}

impl Mac for Ifma {
    type Carries = Carried;

    kernel! { Avx512Ifma: fn absorb(&self, state: &mut State, blocks: &[Block]) = Ifma::absorb_kernel }

    #[inline(always)]
    fn mac(&self, key: &[u8; KEY_LEN], message: &[u8], tag: &mut Block) {
        InLanes::<Limbs44, 8>(self.cpu).mac(key, message, tag);
    }
}

impl Ifma {
    pub(in crate::chacha::poly1305) fn new(cpu: Avx512Ifma, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn absorb_kernel(&self, state: &mut State, blocks: &[Block]) {
        InLanes::<Limbs44, 8>(self.cpu).absorb_once(state, blocks);
    }
}

/// Eight numbers. Carried limbs have hardly more than their bits; a sum may have one more.
#[derive(Clone, Copy)]
pub(crate) struct Limbs44([__m512i; 3], Avx512Ifma);

/// r, and 20 r: 2^132 is congruent to 20.
#[derive(Clone, Copy)]
pub(crate) struct Factors {
    r: [__m512i; 3],
    /// For the last two limbs.
    r20: [__m512i; 2],
}

impl PolyLanes<8> for Limbs44 {
    type Cpu = Avx512Ifma;
    type Factors = Factors;
    /// The lane order that results from the interleaving of halves of blocks.
    const MORE: &'static [[u64; 8]] = &more::<8, 3>([0, 4, 1, 5, 2, 6, 3, 7]);
    const MANY: bool = true;
    const ENOUGH: usize = 24;

    #[inline(always)]
    fn absorb(cpu: Self::Cpu, kept: &mut Kept, h: &mut Number, r: [u64; 2], blocks: &[Block]) {
        proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, kept: &mut Kept, h: &mut Number, r: [u64; 2], blocks: &[Block]) -> () {
            lanes::absorb::<Limbs44, 8>(cpu, kept, h, r, blocks)
        })
    }
    #[inline(always)]
    fn keep(self, words: &mut [u64; KEPT]) {
        let Self(limbs, cpu) = self;
        proven!(Avx512Ifma: cpu, fn enter(limbs: [__m512i; 3], words: &mut [u64; KEPT]) -> () {
            for (words, limb) in words.as_chunks_mut().0.iter_mut().zip(limbs) {
                store_u64x8(words, limb);
            }
        })
    }
    #[inline(always)]
    fn of_kept(cpu: Self::Cpu, words: &[u64; KEPT]) -> Self {
        Self(
            proven!(Avx512Ifma: cpu, fn enter(words: &[u64; KEPT]) -> [__m512i; 3] {
                let words: &[[u64; 8]] = words.as_chunks().0;
                let mut limbs = [splat(0); 3];
                for (limb, words) in limbs.iter_mut().zip(words) {
                    *limb = load_u64x8(words);
                }
                limbs
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn first(self) -> Self {
        let Self(limbs, cpu) = self;
        Self(
            proven!(Avx512Ifma: cpu, fn enter(limbs: [__m512i; 3]) -> [__m512i; 3] {
                let first = |x| _mm512_broadcastq_epi64(_mm512_castsi512_si128(x));
                crate::core::simd::each(|i| first(limbs[i]))
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn of_blocks(cpu: Self::Cpu, blocks: &[Block; 8]) -> Self {
        Self(
            proven!(Avx512Ifma: cpu, fn enter(blocks: &[Block; 8]) -> [__m512i; 3] { limbs(blocks) }),
            cpu,
        )
    }
    #[inline(always)]
    fn splat(cpu: Self::Cpu, number: Number) -> Self {
        Self(
            proven!(Avx512Ifma: cpu, fn enter(number: Number) -> [__m512i; 3] { all_lanes(number) }),
            cpu,
        )
    }
    #[inline(always)]
    fn or(self, other: Self, lanes: &[u64; 8]) -> Self {
        let (Self(a, cpu), Self(b, _)) = (self, other);
        Self(
            proven!(Avx512Ifma: cpu, fn enter(a: [__m512i; 3], b: [__m512i; 3], lanes: &[u64; 8]) -> [__m512i; 3] {
                blend(a, b, lanes)
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn of_number(cpu: Self::Cpu, number: Number) -> Self {
        Self(
            proven!(Avx512Ifma: cpu, fn enter(number: Number) -> [__m512i; 3] { first_lane(number) }),
            cpu,
        )
    }
    #[inline(always)]
    fn factors(self) -> Factors {
        let Self(r, cpu) = self;
        proven!(Avx512Ifma: cpu, fn enter(r: [__m512i; 3]) -> Factors {
            // LLVM would replace shifts and additions by a 64-bit product, which is three instructions.
            let twenty = |x| _mm512_madd52lo_epu64(splat(0), x, splat(20));
            Factors { r, r20: [twenty(r[1]), twenty(r[2])] }
        })
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let (Self(a, cpu), Self(b, _)) = (self, other);
        Self(
            proven!(Avx512Ifma: cpu, fn enter(a: [__m512i; 3], b: [__m512i; 3]) -> [__m512i; 3] {
                [_mm512_add_epi64(a[0], b[0]), _mm512_add_epi64(a[1], b[1]), _mm512_add_epi64(a[2], b[2])]
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn times(self, by: &Factors) -> Self {
        let Self(a, cpu) = self;
        Self(
            proven!(Avx512Ifma: cpu, fn enter(a: [__m512i; 3], by: &Factors) -> [__m512i; 3] {
                carry(add_products(Products::none(), a, by))
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn times_both(self, by: &Factors, other: Self, other_by: &Factors) -> Self {
        let (Self(a, cpu), Self(b, _)) = (self, other);
        Self(
            proven!(Avx512Ifma: cpu, fn enter(a: [__m512i; 3], by: &Factors, b: [__m512i; 3], other_by: &Factors) -> [__m512i; 3] {
                carry(add_products(add_products(Products::none(), a, by), b, other_by))
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn sum(self) -> Number {
        let Self(limbs, cpu) = self;
        let [a, b, c] = proven!(Avx512Ifma: cpu, fn enter(limbs: [__m512i; 3]) -> [u64; 3] {
            let [a, b, c] = limbs;
            let sum = |x| _mm512_reduce_add_epi64(x).cast_unsigned();
            [sum(a), sum(b), sum(c)]
        });
        let low = u128::from(a) + (u128::from(b) << 44);
        let (low, carry) = low.overflowing_add(u128::from(c) << 88);
        fold([low as u64, (low >> 64) as u64, (c >> 40) + u64::from(carry)])
    }
}

pub(super) const MASK_44: u64 = (1 << 44) - 1;
const MASK_42: u64 = (1 << 42) - 1;

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: u64) -> __m512i {
    _mm512_set1_epi64(x.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f")]
fn limbs(blocks: &[Block; 8]) -> [__m512i; 3] {
    let [a, b] = blocks.as_flattened().as_chunks().0 else { unreachable!("two halves") };
    let (a, b) = (load_512(a), load_512(b));
    let (low, high) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let (mask, above) = (splat(MASK_44), splat(1 << 40));
    let (from_low, from_high) = (_mm512_srli_epi64::<44>(low), _mm512_slli_epi64::<20>(high));
    [
        _mm512_and_si512(low, mask),
        // The OR of both, masked.
        ternary_512::<0xe0>(mask, from_low, from_high),
        _mm512_or_si512(_mm512_srli_epi64::<24>(high), above),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn all_lanes(number: Number) -> [__m512i; 3] {
    let [a, b, c] = split(number);
    [splat(a), splat(b), splat(c)]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn blend([a, b, c]: [__m512i; 3], [d, e, f]: [__m512i; 3], lanes: &[u64; 8]) -> [__m512i; 3] {
    let lanes = load_u64x8(lanes);
    let mask = _mm512_test_epi64_mask(lanes, lanes);
    let blend = |x, y| _mm512_mask_blend_epi64(mask, x, y);
    [blend(a, d), blend(b, e), blend(c, f)]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn first_lane(number: Number) -> [__m512i; 3] {
    let [a, b, c] = split(number);
    let first = |x: u64| _mm512_zextsi128_si512(_mm_cvtsi64_si128(x.cast_signed()));
    [first(a), first(b), first(c)]
}

/// The limbs of a number.
#[inline(always)]
pub(super) fn split([low, middle, high]: Number) -> [u64; 3] {
    // LLVM would load the bits that span two words with one load, which stalls on the two stores.
    let high = unseen_word(high);
    [low & MASK_44, (low >> 44 | middle << 20) & MASK_44, middle >> 24 | high << 40]
}

/// Sums of products by the weight of their limb, low halves and high ones.
#[derive(Clone, Copy)]
struct Products {
    low: [__m512i; 3],
    high: [__m512i; 3],
}

impl Products {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn none() -> Self {
        let zero = _mm512_setzero_si512();
        Self { low: [zero; 3], high: [zero; 3] }
    }
}

#[inline]
#[target_feature(enable = "avx512ifma,avx512f")]
fn add_products(mut sum: Products, a: [__m512i; 3], by: &Factors) -> Products {
    let Factors { r: [r0, r1, r2], r20: [s1, s2] } = *by;
    // Rows are limbs of the factor, columns those of the sum.
    for (a, row) in [(a[0], [r0, r1, r2]), (a[1], [s2, r0, r1]), (a[2], [s1, s2, r0])] {
        for i in 0..3 {
            sum.low[i] = _mm512_madd52lo_epu64(sum.low[i], a, row[i]);
            sum.high[i] = _mm512_madd52hi_epu64(sum.high[i], a, row[i]);
        }
    }
    sum
}

#[inline]
#[target_feature(enable = "avx512f")]
fn carry(Products { low, high }: Products) -> [__m512i; 3] {
    let mask = splat(MASK_44);
    let d1 = _mm512_add_epi64(low[1], _mm512_slli_epi64::<8>(high[0]));
    let d2 = _mm512_add_epi64(low[2], _mm512_slli_epi64::<8>(high[1]));
    let above = _mm512_slli_epi64::<10>(high[2]);
    let a = _mm512_and_si512(low[0], mask);
    let d1 = _mm512_add_epi64(d1, _mm512_srli_epi64::<44>(low[0]));
    let b = _mm512_and_si512(d1, mask);
    let d2 = _mm512_add_epi64(d2, _mm512_srli_epi64::<44>(d1));
    let c = _mm512_and_si512(d2, splat(MASK_42));
    // 2^130 is congruent to five.
    let above = _mm512_add_epi64(above, _mm512_srli_epi64::<42>(d2));
    let above = _mm512_add_epi64(above, _mm512_slli_epi64::<2>(above));
    let a = _mm512_add_epi64(a, above);
    let b = _mm512_add_epi64(b, _mm512_srli_epi64::<44>(a));
    [_mm512_and_si512(a, mask), b, c]
}
