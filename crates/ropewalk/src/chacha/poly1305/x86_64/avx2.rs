//! Poly1305 on 256 bits, 4 blocks at a time, with 32-bit products: limbs have 26 bits.

use core::arch::x86_64::*;

use super::super::{
    Block, Carried, KEY_LEN, Mac, State,
    bulk::InLanes,
    lanes::{self, KEPT, Kept, PolyLanes, more},
    state::{Number, fold},
};
use crate::core::{
    cpu::Avx2,
    simd::x86_64::{load_256, load_u64x4, store_u64x4},
};

#[derive(Clone)]
pub(in crate::chacha::poly1305) struct ByFour {
    cpu: Avx2,
}

impl Mac for ByFour {
    type Carries = Carried;

    kernel! { Avx2: fn absorb(&self, state: &mut State, blocks: &[Block]) = ByFour::absorb_kernel }

    #[inline(always)]
    fn mac(&self, key: &[u8; KEY_LEN], message: &[u8], tag: &mut Block) {
        InLanes::<Limbs26, 4>(self.cpu).mac(key, message, tag);
    }
}

impl ByFour {
    pub(in crate::chacha::poly1305) fn new(cpu: Avx2, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn absorb_kernel(&self, state: &mut State, blocks: &[Block]) {
        InLanes::<Limbs26, 4>(self.cpu).absorb_once(state, blocks);
    }
}

/// Four numbers. Carried limbs have hardly more than 26 bits; a sum may have one more.
#[derive(Clone, Copy)]
pub(crate) struct Limbs26([__m256i; 5], Avx2);

/// r, and 5 r: 2^130 is congruent to five.
#[derive(Clone, Copy)]
pub(crate) struct Factors {
    r: [__m256i; 5],
    /// For the last four limbs.
    r5: [__m256i; 4],
}

impl PolyLanes<4> for Limbs26 {
    type Cpu = Avx2;
    type Factors = Factors;
    /// The lane order that results from the interleaving of halves of blocks.
    const MORE: &'static [[u64; 4]] = &more::<4, 2>([0, 2, 1, 3]);
    const MANY: bool = false;
    const ENOUGH: usize = 32;

    #[inline(always)]
    fn absorb(cpu: Self::Cpu, kept: &mut Kept, h: &mut Number, r: [u64; 2], blocks: &[Block]) {
        proven!(Avx2: cpu, once fn enter(cpu: Avx2, kept: &mut Kept, h: &mut Number, r: [u64; 2], blocks: &[Block]) -> () {
            lanes::absorb::<Limbs26, 4>(cpu, kept, h, r, blocks)
        })
    }
    #[inline(always)]
    fn keep(self, words: &mut [u64; KEPT]) {
        let Self(limbs, cpu) = self;
        proven!(Avx2: cpu, fn enter(limbs: [__m256i; 5], words: &mut [u64; KEPT]) -> () {
            for (words, limb) in words.as_chunks_mut().0.iter_mut().zip(limbs) {
                store_u64x4(words, limb);
            }
        })
    }
    #[inline(always)]
    fn of_kept(cpu: Self::Cpu, words: &[u64; KEPT]) -> Self {
        Self(
            proven!(Avx2: cpu, fn enter(words: &[u64; KEPT]) -> [__m256i; 5] {
                let words: &[[u64; 4]] = words.as_chunks().0;
                let mut limbs = [splat(0); 5];
                for (limb, words) in limbs.iter_mut().zip(words) {
                    *limb = load_u64x4(words);
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
            proven!(Avx2: cpu, fn enter(limbs: [__m256i; 5]) -> [__m256i; 5] {
                let first = |x| _mm256_broadcastq_epi64(_mm256_castsi256_si128(x));
                crate::core::simd::each(|i| first(limbs[i]))
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn of_blocks(cpu: Self::Cpu, blocks: &[Block; 4]) -> Self {
        Self(
            proven!(Avx2: cpu, fn enter(blocks: &[Block; 4]) -> [__m256i; 5] { limbs(blocks) }),
            cpu,
        )
    }
    #[inline(always)]
    fn splat(cpu: Self::Cpu, number: Number) -> Self {
        Self(
            proven!(Avx2: cpu, fn enter(number: Number) -> [__m256i; 5] { all_lanes(number) }),
            cpu,
        )
    }
    #[inline(always)]
    fn or(self, other: Self, lanes: &[u64; 4]) -> Self {
        let (Self(a, cpu), Self(b, _)) = (self, other);
        Self(
            proven!(Avx2: cpu, fn enter(a: [__m256i; 5], b: [__m256i; 5], lanes: &[u64; 4]) -> [__m256i; 5] {
                blend(a, b, lanes)
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn of_number(cpu: Self::Cpu, number: Number) -> Self {
        Self(
            proven!(Avx2: cpu, fn enter(number: Number) -> [__m256i; 5] { first_lane(number) }),
            cpu,
        )
    }
    #[inline(always)]
    fn factors(self) -> Factors {
        let Self(r, cpu) = self;
        proven!(Avx2: cpu, fn enter(r: [__m256i; 5]) -> Factors {
            let [_, r1, r2, r3, r4] = r;
            let five = |x| _mm256_add_epi64(x, _mm256_slli_epi64::<2>(x));
            Factors { r, r5: [five(r1), five(r2), five(r3), five(r4)] }
        })
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let (Self(a, cpu), Self(b, _)) = (self, other);
        Self(
            proven!(Avx2: cpu, fn enter(a: [__m256i; 5], b: [__m256i; 5]) -> [__m256i; 5] {
                let mut sum = a;
                for i in 0..5 {
                    sum[i] = _mm256_add_epi64(a[i], b[i]);
                }
                sum
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn times(self, by: &Factors) -> Self {
        let Self(a, cpu) = self;
        Self(
            proven!(Avx2: cpu, fn enter(a: [__m256i; 5], by: &Factors) -> [__m256i; 5] {
                carry(add_products([_mm256_setzero_si256(); 5], a, by))
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn times_both(self, by: &Factors, other: Self, other_by: &Factors) -> Self {
        let (Self(a, cpu), Self(b, _)) = (self, other);
        Self(
            proven!(Avx2: cpu, fn enter(a: [__m256i; 5], by: &Factors, b: [__m256i; 5], other_by: &Factors) -> [__m256i; 5] {
                carry(add_products(add_products([_mm256_setzero_si256(); 5], a, by), b, other_by))
            }),
            cpu,
        )
    }
    #[inline(always)]
    fn sum(self) -> Number {
        let Self(limbs, cpu) = self;
        let [a, b, c, d, e] = proven!(Avx2: cpu, fn enter(limbs: [__m256i; 5]) -> [u64; 5] {
            let mut sums = [0; 5];
            for i in 0..5 {
                let (low, high) = (_mm256_castsi256_si128(limbs[i]), _mm256_extracti128_si256::<1>(limbs[i]));
                let sum = _mm_add_epi64(low, high);
                let sum = _mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum));
                sums[i] = _mm_cvtsi128_si64(sum).cast_unsigned();
            }
            sums
        });
        let low =
            u128::from(a) + (u128::from(b) << 26) + (u128::from(c) << 52) + (u128::from(d) << 78);
        let (low, carry) = low.overflowing_add(u128::from(e) << 104);
        fold([low as u64, (low >> 64) as u64, (e >> 24) + u64::from(carry)])
    }
}

const MASK: u64 = (1 << 26) - 1;

#[inline]
#[target_feature(enable = "avx2")]
fn splat(x: u64) -> __m256i {
    _mm256_set1_epi64x(x.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn limbs(blocks: &[Block; 4]) -> [__m256i; 5] {
    let [a, b] = blocks.as_flattened().as_chunks().0 else { unreachable!("two halves") };
    let (a, b) = (load_256(a), load_256(b));
    let (low, high) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let mask = splat(MASK);
    let middle = _mm256_or_si256(_mm256_srli_epi64::<52>(low), _mm256_slli_epi64::<12>(high));
    [
        _mm256_and_si256(low, mask),
        _mm256_and_si256(_mm256_srli_epi64::<26>(low), mask),
        _mm256_and_si256(middle, mask),
        _mm256_and_si256(_mm256_srli_epi64::<14>(high), mask),
        _mm256_or_si256(_mm256_srli_epi64::<40>(high), splat(1 << 24)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn all_lanes(number: Number) -> [__m256i; 5] {
    let [a, b, c, d, e] = split(number);
    [splat(a), splat(b), splat(c), splat(d), splat(e)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn blend(mut a: [__m256i; 5], b: [__m256i; 5], lanes: &[u64; 4]) -> [__m256i; 5] {
    let mask = load_u64x4(lanes);
    for i in 0..5 {
        a[i] = _mm256_blendv_epi8(a[i], b[i], mask);
    }
    a
}

#[inline]
#[target_feature(enable = "avx2")]
fn first_lane(number: Number) -> [__m256i; 5] {
    let limbs = split(number);
    let mut lanes = [_mm256_setzero_si256(); 5];
    for i in 0..5 {
        lanes[i] = _mm256_zextsi128_si256(_mm_cvtsi64_si128(limbs[i].cast_signed()));
    }
    lanes
}

/// The limbs of a number.
#[inline(always)]
fn split([low, middle, high]: Number) -> [u64; 5] {
    [
        low & MASK,
        low >> 26 & MASK,
        (low >> 52 | middle << 12) & MASK,
        middle >> 14 & MASK,
        middle >> 40 | high << 24,
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_products(mut sum: [__m256i; 5], a: [__m256i; 5], by: &Factors) -> [__m256i; 5] {
    let Factors { r: [r0, r1, r2, r3, r4], r5: [s1, s2, s3, s4] } = *by;
    // Rows are limbs of the factor, columns those of the sum.
    let rows = [
        [r0, r1, r2, r3, r4],
        [s4, r0, r1, r2, r3],
        [s3, s4, r0, r1, r2],
        [s2, s3, s4, r0, r1],
        [s1, s2, s3, s4, r0],
    ];
    // LLVM would store all rows in memory, for a loop over them.
    unroll!(i in 0 1 2 3 4 => {
        unroll!(j in 0 1 2 3 4 => {
            sum[j] = _mm256_add_epi64(sum[j], _mm256_mul_epu32(a[i], rows[i][j]));
        });
    });
    sum
}

/// Two carry chains, half a turn each.
#[inline]
#[target_feature(enable = "avx2")]
fn carry([a, b, c, d, e]: [__m256i; 5]) -> [__m256i; 5] {
    let mask = splat(MASK);
    let (b, a) = (_mm256_add_epi64(b, _mm256_srli_epi64::<26>(a)), _mm256_and_si256(a, mask));
    let (e, d) = (_mm256_add_epi64(e, _mm256_srli_epi64::<26>(d)), _mm256_and_si256(d, mask));
    let (c, b) = (_mm256_add_epi64(c, _mm256_srli_epi64::<26>(b)), _mm256_and_si256(b, mask));
    let above = _mm256_srli_epi64::<26>(e);
    let above = _mm256_add_epi64(above, _mm256_slli_epi64::<2>(above));
    let (a, e) = (_mm256_add_epi64(a, above), _mm256_and_si256(e, mask));
    let (d, c) = (_mm256_add_epi64(d, _mm256_srli_epi64::<26>(c)), _mm256_and_si256(c, mask));
    let (b, a) = (_mm256_add_epi64(b, _mm256_srli_epi64::<26>(a)), _mm256_and_si256(a, mask));
    let (e, d) = (_mm256_add_epi64(e, _mm256_srli_epi64::<26>(d)), _mm256_and_si256(d, mask));
    [a, b, c, d, e]
}
