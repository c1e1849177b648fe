//! Poly1305 of a few blocks, four at a time, with products of 52 bits on 256.
//!
//! The cost is the number of instructions that follow the rounds of ChaCha20, all of which wait for r: they delay the next
//! message. A block takes ten here, and thirty in words of 64 bits. Four powers of r are computed in words all the same: they are
//! a dependency chain, and a product in words takes half as long as one in lanes. All further powers are one product in lanes.

use core::{arch::x86_64::*, hint::black_box};

use super::{
    super::{Block, Carried, Short, state::times},
    avx512ifma::{MASK_44, split},
    short44::{InMemory, end},
};
use crate::core::{
    secret::Wiped,
    simd::x86_64::{keep_order_256, load_u64x4, unseen},
};

/// Limbs of four numbers. Those of four blocks are in the order that results from the interleaving of their halves.
type Limbs = [__m256i; 3];

const ORDER: [usize; 4] = [0, 2, 1, 3];

/// Constants for each number of last blocks, one to four.
struct Last {
    /// The index of the power of each lane, after that of the four blocks before.
    powers: [u64; 4],
    /// The bit above each block.
    above: [u64; 4],
}

static LAST: [Last; 4] = [last(1), last(2), last(3), last(4)];

const fn last(blocks: usize) -> Last {
    let mut last = Last { powers: [0; 4], above: [0; 4] };
    let mut lane = 0;
    while lane < 4 {
        last.powers[lane] = (4 - blocks + ORDER[lane]) as u64;
        if ORDER[lane] < blocks {
            last.above[lane] = 1 << 40;
        }
        lane += 1;
    }
    last
}

/// A number in memory, in limbs, or a limb of four numbers, which loads broadcast to lanes: a shuffle would take a port that
/// rounds need.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Four(pub(super) [u64; 4]);

/// The inputs of lanes. Each is wiped separately: wiping all at once would use 512 bits.
pub(crate) struct Numbers {
    /// Limbs of r^5, r^4, r^3 and r^2.
    powers: [Wiped<Four>; 3],
    /// The accumulator, multiplied by r.
    product: Wiped<Four>,
    /// The lengths, multiplied by r.
    lengths: Wiped<Four>,
}

impl Numbers {
    #[inline(always)]
    pub(crate) fn place() -> Self {
        let four = || Wiped::new(Four([0; 4]));
        Self { powers: [four(), four(), four()], product: four(), lengths: four() }
    }

    /// Computes them from the state so far, and the block of lengths, which comes last.
    #[inline(always)]
    pub(crate) fn fill(&mut self, Short { r, h, .. }: Short, lengths: [u64; 2]) {
        let mut power = [r[0], r[1], 0];
        for n in (0..black_box(4)).rev() {
            power = times::<Carried>(power, r);
            let limbs = split(power);
            unroll!(i in 0 1 2 => { self.powers[i].0[n & 3] = limbs[i]; });
        }
        let of_four = |number| {
            let [a, b, c] = split(times::<Carried>(number, r));
            [a, b, c, 0]
        };
        self.product.0 = of_four(h);
        self.lengths.0 = of_four([lengths[0], lengths[1], 1]);
    }
}

/// Four numbers: blocks, or sums of every fourth block, each to be multiplied by its power of r.
#[derive(Clone, Copy)]
pub(crate) struct By4(Limbs);

impl By4 {
    /// Four blocks.
    #[inline]
    #[target_feature(enable = "avx512vl,avx512f,avx2")]
    pub(crate) fn of(blocks: [__m256i; 2]) -> Self {
        Self(limbs_of(blocks, _mm256_set1_epi64x(1 << 40)))
    }

    /// The first four blocks, plus the state so far.
    #[inline]
    #[target_feature(enable = "avx512vl,avx512f,avx2")]
    pub(crate) fn after(self, numbers: &Numbers) -> Self {
        let Self(mut sums) = self;
        let [a, b, c, _] = unseen(&numbers.product).0;
        let product = [a, b, c];
        unroll!(i in 0 1 2 => {
            let mut limb = _mm256_set1_epi64x(product[i].cast_signed());
            // LLVM would see that one lane is enough, and load a whole vector, which stalls on the stores of its parts.
            keep_order_256(&mut limb);
            sums[i] = _mm256_mask_add_epi64(sums[i], 1, sums[i], limb);
        });
        Self(sums)
    }

    /// Multiplied by r^4, plus four more blocks.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn times_plus(self, by_4: &Factors, Self(more): Self) -> Self {
        Self(carry(Products::of(more).plus(self.0, by_4)))
    }

    /// Multiplied by r^8, plus four more multiplied by r^4, plus another four.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn times_plus_both(
        self,
        by_8: &Factors,
        by_4: &Factors,
        Self(more): Self,
        Self(last): Self,
    ) -> Self {
        // Independent products come first.
        Self(carry(Products::of(last).plus(more, by_4).plus(self.0, by_8)))
    }
}

/// Powers in lanes.
pub(crate) struct Powers {
    /// r^9 to r^6.
    high: Limbs,
    /// r^5 to r^2.
    low: Limbs,
}

impl Powers {
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn of(numbers: &Numbers, by_4: &Factors) -> Self {
        let [a, b, c] = unseen(&numbers.powers);
        let low = [load_u64x4(&a.0), load_u64x4(&b.0), load_u64x4(&c.0)];
        Self { high: carry(Products::none().plus(low, by_4)), low }
    }

    /// The tag, after the last one to four blocks, padded with zeros.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx512f,avx2")]
    pub(crate) fn tag(
        &self,
        By4(sums): By4,
        last: [__m256i; 2],
        blocks: usize,
        numbers: &Numbers,
        s: __m128i,
        place: &mut InMemory,
    ) -> Block {
        let known = &LAST[blocks.wrapping_sub(1) & 3];
        let of_lane = load_u64x4(&known.powers);
        let (mut powers, mut last_powers) = (self.high, self.low);
        unroll!(i in 0 1 2 => {
            powers[i] = _mm256_permutex2var_epi64(self.high[i], of_lane, self.low[i]);
            // For absent blocks the index is arbitrary, modulo four.
            last_powers[i] = _mm256_permutexvar_epi64(of_lane, self.low[i]);
        });
        let last = limbs_of(last, load_u64x4(&known.above));
        let products = Products::none().plus(sums, &Factors::of(powers));
        let sums = products.plus(last, &Factors::of(last_powers)).sums();
        let lengths = load_u64x4(&unseen(&numbers.lengths).0);
        end(_mm256_add_epi64(sum_of_lanes(sums), lengths), s, place)
    }
}

/// Multipliers: limbs, and 20 times the last two, as 2^132 is congruent to 20.
pub(crate) struct Factors {
    r: Limbs,
    r20: [__m256i; 2],
}

impl Factors {
    /// r^4 in all lanes.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn by_4(numbers: &Numbers) -> Self {
        let [a, b, c] = unseen(&numbers.powers);
        let all = |x: u64| _mm256_set1_epi64x(x.cast_signed());
        Self::of([all(a.0[1]), all(b.0[1]), all(c.0[1])])
    }

    /// r^8, from r^4.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn squared(&self) -> Self {
        Self::of(carry(Products::none().plus(self.r, self)))
    }

    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    fn of(r: Limbs) -> Self {
        let (zero, twenty) = (_mm256_setzero_si256(), _mm256_set1_epi64x(20));
        let times_20 = |x| _mm256_madd52lo_epu64(zero, x, twenty);
        Self { r, r20: [times_20(r[1]), times_20(r[2])] }
    }
}

/// Sums of halves of products, by the limb of the low ones. A high half has 2^52 times that weight, which is 2^8 times that of
/// the next limb.
struct Products {
    low: Limbs,
    high: Limbs,
}

impl Products {
    /// Starts with a number.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(numbers: Limbs) -> Self {
        Self { low: numbers, high: [_mm256_setzero_si256(); 3] }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn none() -> Self {
        Self::of([_mm256_setzero_si256(); 3])
    }

    /// Adds the products of numbers whose limbs have hardly more than 45 bits.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    fn plus(self, a: Limbs, by: &Factors) -> Self {
        let Self { mut low, mut high } = self;
        let Factors { r: [r0, r1, r2], r20: [s1, s2] } = *by;
        // Rows are limbs of the factor, columns those of the sum.
        let rows = [[r0, r1, r2], [s2, r0, r1], [s1, s2, r0]];
        unroll!(i in 0 1 2 => unroll!(j in 0 1 2 => {
            high[j] = _mm256_madd52hi_epu64(high[j], a[i], rows[i][j]);
            low[j] = _mm256_madd52lo_epu64(low[j], a[i], rows[i][j]);
        }));
        Self { low, high }
    }

    /// Limbs of at most 55 bits, of two products and a number.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    fn sums(self) -> Limbs {
        let Self { low, high } = self;
        let (next, first) = (_mm256_set1_epi64x(1 << 8), _mm256_set1_epi64x(20 << 8));
        [
            _mm256_madd52lo_epu64(low[0], high[2], first),
            _mm256_madd52lo_epu64(low[1], high[0], next),
            _mm256_madd52lo_epu64(low[2], high[1], next),
        ]
    }
}

/// Limbs of hardly more than 44 bits.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl,avx2")]
fn carry(products: Products) -> Limbs {
    let [a, b, c] = products.sums();
    let mask = _mm256_set1_epi64x(MASK_44.cast_signed());
    let above = |x| _mm256_srli_epi64::<44>(x);
    let below = |x| _mm256_and_si256(x, mask);
    [
        _mm256_madd52lo_epu64(below(a), above(c), _mm256_set1_epi64x(20)),
        _mm256_add_epi64(below(b), above(a)),
        _mm256_add_epi64(below(c), above(b)),
    ]
}

/// Three limbs, summed over all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_of_lanes([a, b, c]: Limbs) -> __m256i {
    let ab = _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let c = _mm256_add_epi64(c, _mm256_unpackhi_epi64(c, c));
    let low = _mm256_permute2x128_si256::<0x20>(ab, c);
    _mm256_add_epi64(low, _mm256_permute2x128_si256::<0x31>(ab, c))
}

/// The limbs of four blocks.
#[inline]
#[target_feature(enable = "avx512vl,avx512f,avx2")]
fn limbs_of([a, b]: [__m256i; 2], above: __m256i) -> Limbs {
    let (low, high) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let mask = _mm256_set1_epi64x(MASK_44.cast_signed());
    let middle = _mm256_or_si256(_mm256_srli_epi64::<44>(low), _mm256_slli_epi64::<20>(high));
    [
        _mm256_and_si256(low, mask),
        _mm256_and_si256(middle, mask),
        _mm256_or_si256(_mm256_srli_epi64::<24>(high), above),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chacha::poly1305::{Plain, State},
        core::{
            cpu::{Avx512Ifma, Token},
            simd::x86_64::{from_u128, load_part_128},
        },
    };

    /// Limbs that are full, empty or random, of r too: keys of ChaCha20-Poly1305 do not give such r.
    #[test]
    fn equals_words() {
        let Some(cpu) = Avx512Ifma::detect() else { return };
        let mut next = crate::core::simd::edges();
        for len in (65..=448).cycle().take(40_000) {
            let (r, s) = (next(), next());
            let blocks: [Block; 32] = core::array::from_fn(|_| next().to_le_bytes());
            let (text, data) = blocks.as_flattened().split_at(len);
            let data = &data[..next() as usize % 49];
            let lengths = [next() as u64, next() as u64];
            let mut words = State::from_numbers(r, s);
            words.absorb_filled::<Plain>(data);
            words.absorb_filled::<Plain>(text);
            words.absorb_number::<Plain>(u128::from(lengths[1]) << 64 | u128::from(lengths[0]));
            let mut numbers = Numbers::place();
            numbers.fill(Short::from_numbers(r, s, data), lengths);
            let numbers = &numbers;
            let tag = proven!(Avx512Ifma: cpu, fn enter(numbers: &Numbers, s: u128, text: &[u8]) -> Block {
                tag(numbers, from_u128(s), text)
            });
            assert_eq!(tag, words.tag::<Plain>(), "{len} {r:x} {data:x?} {text:x?}");
        }
    }

    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn tag(numbers: &Numbers, s: __m128i, text: &[u8]) -> Block {
        let block = |i: usize| load_part_128(text.chunks(16).nth(i).unwrap_or(&[]));
        let two = |i: usize| _mm256_set_m128i(block(i + 1), block(i));
        let four = |i: usize| [two(4 * i), two(4 * i + 2)];
        let by_4 = Factors::by_4(numbers);
        let by_8 = by_4.squared();
        let (mut sums, mut at) = (By4::of(four(0)).after(numbers), 1);
        let groups = (text.len() - 1) / 64;
        while at + 1 < groups {
            let (more, last) = (By4::of(four(at)), By4::of(four(at + 1)));
            (sums, at) = (sums.times_plus_both(&by_8, &by_4, more, last), at + 2);
        }
        if at < groups {
            (sums, at) = (sums.times_plus(&by_4, By4::of(four(at))), at + 1);
        }
        let blocks = text.len().div_ceil(16) - 4 * at;
        let place = &mut *InMemory::place();
        Powers::of(numbers, &by_4).tag(sums, four(at), blocks, numbers, s, place)
    }
}
