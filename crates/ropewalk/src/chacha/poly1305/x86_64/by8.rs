//! Poly1305 of a few blocks, eight at a time, with products of 52 bits on 512.
//!
//! The cost is the length of the dependency chain from r to the tag: four powers in words, eight computed from these in lanes,
//! and a product in lanes for each group of eight blocks. A last group with fewer blocks uses the last lanes, so that nothing is
//! left for words.

use core::arch::x86_64::*;

use super::{
    super::{Block, Carried, Short, state::times},
    avx512ifma::{MASK_44, split},
    by4::Four,
    flags::tag_of_sum,
};
use crate::core::{
    opaque::{unseen, unseen_word},
    secret::Wiped,
    simd::{
        each,
        x86_64::{keep_order_512, load_512, load_u64x8, store_u64x8},
    },
};

/// Limbs of eight numbers.
type Limbs = [__m512i; 3];

/// The inputs of lanes.
pub(crate) struct Numbers {
    /// Limbs of r^5, r^4, r^3 and r^2.
    powers: [Four; 3],
    /// The state so far, and the lengths, both multiplied by r.
    products: [Four; 2],
    /// r, if the last group is one block.
    first: Four,
}

impl Numbers {
    #[inline(always)]
    pub(crate) fn place() -> Wiped<Self> {
        let none = Four([0; 4]);
        Wiped::new(Self { powers: [none; 3], products: [none; 2], first: none })
    }

    /// Computes them from the state so far, and the lengths, interleaved with other work in eight parts: powers of r are a
    /// dependency chain, and a product in words takes half as long as one in lanes.
    #[inline(always)]
    pub(crate) fn fill(
        &mut self,
        Short { r, h, .. }: Short,
        blocks: usize,
        lengths: u128,
        mut beside: impl FnMut(usize),
    ) {
        let whole = |number| {
            let [a, b, c] = split(number);
            Four([a, b, c, 0])
        };
        let mut power = [r[0], r[1], 0];
        unroll!(i in 0 1 2 3 => {
            beside(2 * i);
            power = times::<Carried>(power, r);
            let limbs = split(power);
            unroll!(j in 0 1 2 => { self.powers[j].0[3 - i] = limbs[j]; });
            beside(2 * i + 1);
            if i == 1 {
                self.products[0] = whole(times::<Carried>(h, r));
            }
        });
        let lengths = [lengths as u64, (lengths >> 64) as u64, 1];
        self.products[1] = whole(times::<Carried>(lengths, r));
        if blocks % 8 == 1 {
            self.first = whole([r[0], r[1], 0]);
        }
    }
}

/// Source indices of the halves of one to eight blocks, which go to the last lanes.
struct Places {
    low: [u64; 8],
    high: [u64; 8],
    above: [u64; 8],
    /// The lane of the power for that number of blocks.
    power: [u64; 8],
}

static PLACES: [Places; 8] =
    [places(1), places(2), places(3), places(4), places(5), places(6), places(7), places(8)];

const fn places(blocks: usize) -> Places {
    let power = [9 - blocks as u64; 8];
    let mut places = Places { low: [0; 8], high: [0; 8], above: [0; 8], power };
    let mut block = 0;
    while block < blocks {
        places.low[8 - blocks + block] = 2 * block as u64;
        places.high[8 - blocks + block] = 2 * block as u64 + 1;
        places.above[8 - blocks + block] = 1 << 40;
        block += 1;
    }
    places
}

/// The authenticated blocks of a text.
#[repr(align(64))]
pub(crate) struct Blocks(pub(crate) [[u8; 64]; 8]);

/// The tag of the state so far, a text, and the lengths. Each vector holds four blocks. There are at least nine, padded with
/// zeros.
#[inline]
#[target_feature(enable = "avx512ifma,avx512f")]
pub(crate) fn tag(numbers: &Numbers, text: &Blocks, blocks: usize, s: u128) -> Block {
    /// Masks of the lanes of r^5, of r^4 and of r^3, and of the first four. Opaque, or LLVM would use shuffles.
    static LANES: [u8; 4] = [0x11, 0x22, 0x44, 0x0f];
    let [of_r5, of_r4, of_r3, first_four] = *unseen(&LANES);
    let Numbers { powers, products: [product, lengths], first } = unseen(numbers);
    // r^5 to r^2, twice, the first of which are multiplied by r^4.
    let mut four = [_mm512_setzero_si512(); 3];
    let mut by = four;
    unroll!(i in 0 1 2 => {
        let [r5, r4, r3, r2] = powers[i].0;
        let x = in_lanes(r4, of_r4, in_lanes(r3, of_r3, in_all_lanes(r2)));
        four[i] = in_lanes(r5, of_r5, x);
        by[i] = in_lanes(r4, first_four, splat(u64::from(i == 0)));
    });
    let powers = carry(Products::none().plus(four, &Factors::of(by)));

    let two = |i: usize| [load_512(&text.0[i & 6]), load_512(&text.0[(i & 6) + 1])];
    let groups = (blocks - 1) / 8;
    let last = blocks - 8 * groups;
    let mut sums = limbs_of(two(0), 8);
    unroll!(i in 0 1 2 => { sums[i] = _mm512_add_epi64(sums[i], in_first_lane(product.0[i])); });
    for i in 1..=groups {
        let blocks = if i < groups { 8 } else { last };
        let at = load_u64x8(&PLACES[(blocks - 1) & 7].power);
        let mut by = each(|i| _mm512_permutexvar_epi64(at, powers[i]));
        if unseen_word(blocks as u64) == 1 {
            by = each(|i| in_all_lanes(first.0[i]));
        }
        sums = carry(Products::of(limbs_of(two(2 * i), blocks)).plus(sums, &Factors::of(by)));
    }
    let mut products = Products::none();
    unroll!(i in 0 1 2 => { products.low[i] = in_first_lane(lengths.0[i]); });
    end_of(sum_of_lanes(products.plus(sums, &Factors::of(powers)).sums()), s)
}

/// In the first lane, with zeros in the others.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_first_lane(limb: u64) -> __m512i {
    _mm512_zextsi128_si512(_mm_cvtsi64_si128(limb.cast_signed()))
}

/// By a load, unless LLVM keeps the value in a register until it is needed.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_all_lanes(limb: u64) -> __m512i {
    let mut lanes = splat(limb);
    keep_order_512(&mut lanes);
    lanes
}

/// In some lanes, over `others`.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_lanes(limb: u64, lanes: u8, others: __m512i) -> __m512i {
    let mut all = _mm512_mask_set1_epi64(others, lanes, limb.cast_signed());
    keep_order_512(&mut all);
    all
}

/// Three limbs in words, two vectors.
#[repr(align(64))]
struct InMemory([u64; 16]);

/// The limbs of that many blocks.
#[inline]
#[target_feature(enable = "avx512f")]
fn limbs_of([a, b]: [__m512i; 2], blocks: usize) -> Limbs {
    let places = &PLACES[(blocks - 1) & 7];
    let filled = !0_u8 << ((8 - blocks) & 7);
    let low = _mm512_maskz_permutex2var_epi64(filled, a, load_u64x8(&places.low), b);
    let high = _mm512_maskz_permutex2var_epi64(filled, a, load_u64x8(&places.high), b);
    let mask = splat(MASK_44);
    let middle = _mm512_or_si512(_mm512_srli_epi64::<44>(low), _mm512_slli_epi64::<20>(high));
    [
        _mm512_and_si512(low, mask),
        _mm512_and_si512(middle, mask),
        _mm512_or_si512(_mm512_srli_epi64::<24>(high), load_u64x8(&places.above)),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: u64) -> __m512i {
    _mm512_set1_epi64(x.cast_signed())
}

/// The sums over all lanes of the first limb, the second and the third, in lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn sum_of_lanes([a, b, c]: Limbs) -> __m512i {
    let ab = _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let c = _mm512_add_epi64(c, _mm512_unpackhi_epi64(c, c));
    // Units: ab0 ab1 ab2 ab3, c0 c1 c2 c3.
    let x = _mm512_shuffle_i64x2::<0b01_00_01_00>(ab, c);
    let y = _mm512_shuffle_i64x2::<0b11_10_11_10>(ab, c);
    let sum = _mm512_add_epi64(x, y);
    // ab, ab, c, c
    let x = _mm512_shuffle_i64x2::<0b10_00_10_00>(sum, sum);
    let y = _mm512_shuffle_i64x2::<0b11_01_11_01>(sum, sum);
    _mm512_add_epi64(x, y)
}

/// The tag of three limbs, which are not carried.
#[inline]
#[target_feature(enable = "avx512f")]
fn end_of(h: __m512i, s: u128) -> Block {
    // The part of each limb in the word where it ends, and the part below.
    static RIGHT: [u64; 8] = [0, 20, 40, 0, 0, 0, 0, 0];
    static LEFT: [u64; 8] = [0, 44, 24, 0, 0, 0, 0, 0];
    let mut place = Wiped::new(InMemory([0; 16]));
    let (high, low) =
        (_mm512_srlv_epi64(h, load_u64x8(&RIGHT)), _mm512_sllv_epi64(h, load_u64x8(&LEFT)));
    let [first, second] = place.0.as_chunks_mut().0 else { unreachable!("two halves") };
    store_u64x8(first, high);
    store_u64x8(second, low);
    let [a, b, c, _, _, _, _, _, _, d, e, ..] = unseen(&*place).0;
    tag_of_sum([a, b, c], [d, e], [s as u64, (s >> 64) as u64])
}

/// Multipliers: limbs, and 20 times the last two, as 2^132 is congruent to 20.
struct Factors {
    r: Limbs,
    r20: [__m512i; 2],
}

impl Factors {
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512f")]
    fn of(r: Limbs) -> Self {
        let (zero, twenty) = (_mm512_setzero_si512(), splat(20));
        let times_20 = |x| _mm512_madd52lo_epu64(zero, x, twenty);
        Self { r, r20: [times_20(r[1]), times_20(r[2])] }
    }
}

#[derive(Clone, Copy)]
struct Products {
    low: Limbs,
    high: Limbs,
}

impl Products {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn none() -> Self {
        Self::of([_mm512_setzero_si512(); 3])
    }

    /// Starts with a number.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn of(numbers: Limbs) -> Self {
        Self { low: numbers, high: [_mm512_setzero_si512(); 3] }
    }

    #[inline]
    #[target_feature(enable = "avx512ifma,avx512f")]
    fn plus(self, a: Limbs, by: &Factors) -> Self {
        let Self { mut low, mut high } = self;
        let Factors { r: [r0, r1, r2], r20: [s1, s2] } = *by;
        let rows = [[r0, r1, r2], [s2, r0, r1], [s1, s2, r0]];
        unroll!(i in 0 1 2 => unroll!(j in 0 1 2 => {
            high[j] = _mm512_madd52hi_epu64(high[j], a[i], rows[i][j]);
            low[j] = _mm512_madd52lo_epu64(low[j], a[i], rows[i][j]);
        }));
        Self { low, high }
    }

    #[inline]
    #[target_feature(enable = "avx512ifma,avx512f")]
    fn sums(self) -> Limbs {
        let Self { low, high } = self;
        let (next, first) = (splat(1 << 8), splat(20 << 8));
        [
            _mm512_madd52lo_epu64(low[0], high[2], first),
            _mm512_madd52lo_epu64(low[1], high[0], next),
            _mm512_madd52lo_epu64(low[2], high[1], next),
        ]
    }
}

/// Limbs of hardly more than 44 bits.
#[inline]
#[target_feature(enable = "avx512ifma,avx512f")]
fn carry(products: Products) -> Limbs {
    let [a, b, c] = products.sums();
    let mask = splat(MASK_44);
    let above = |x| _mm512_srli_epi64::<44>(x);
    let below = |x| _mm512_and_si512(x, mask);
    [
        _mm512_madd52lo_epu64(below(a), above(c), splat(20)),
        _mm512_add_epi64(below(b), above(a)),
        _mm512_add_epi64(below(c), above(b)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chacha::poly1305::{Plain, State},
        core::cpu::{Avx512Ifma, Token},
    };

    /// Limbs that are full, empty or random, of r too: keys of ChaCha20-Poly1305 do not give such r.
    #[test]
    fn equals_words() {
        let Some(cpu) = Avx512Ifma::detect() else { return };
        let mut next = crate::core::simd::edges();
        for len in (129..=512).cycle().take(40_000) {
            let (r, s) = (next(), next());
            let blocks: [Block; 36] = core::array::from_fn(|_| next().to_le_bytes());
            let (text, data) = blocks.as_flattened().split_at(len);
            let data = &data[..next() as usize % 49];
            let lengths = next();
            let mut words = State::from_numbers(r, s);
            words.absorb_filled::<Plain>(data);
            words.absorb_filled::<Plain>(text);
            words.absorb_number::<Plain>(lengths);
            let mut numbers = Numbers::place();
            numbers.fill(Short::from_numbers(r, s, data), len.div_ceil(16), lengths, |_| ());
            let numbers = &*numbers;
            let tag = proven!(Avx512Ifma: cpu, fn enter(numbers: &Numbers, text: &[u8], s: u128) -> Block {
                let mut blocks = Blocks([[0; 64]; 8]);
                blocks.0.as_flattened_mut()[..text.len()].copy_from_slice(text);
                tag(numbers, &blocks, text.len().div_ceil(16), s)
            });
            assert_eq!(tag, words.tag::<Plain>(), "{len} {r:x} {data:x?} {text:x?}");
        }
    }
}
