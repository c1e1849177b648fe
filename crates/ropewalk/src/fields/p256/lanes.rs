//! A number modulo p in each lane, with products of 52 bits, in Montgomery form: x is kept as 2^260 x.

use core::ops::{Add, Mul, Sub};

use super::number::P;
use crate::fields::{
    Coordinate, Field, Product,
    lanes::Word,
    words::{Modulus as _, Words, times_power_of_two},
};

/// Numbers modulo p. Limbs have 52 bits, as operands of products must; the highest has at most 15 2^45, so that the
/// numbers are below 1.9 p. Sums have a bit more. Tests of bounds hold this.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<W>(pub(crate) [W; 5]);

/// The columns of products, which have less than 2^60.
#[derive(Clone, Copy)]
pub(crate) struct Columns<W>(pub(crate) [W; 10]);

/// The 52 bits of a limb.
pub(crate) const LIMB: u64 = (1 << 52) - 1;

/// The bits of the highest limb below 2^256.
const LAST: u64 = (1 << 48) - 1;

/// 2^260 modulo p, and its square.
const ONE: Words = times_power_of_two(P::WORDS, [1, 0, 0, 0], 260);
const ONE_SQUARED: Words = times_power_of_two(P::WORDS, [1, 0, 0, 0], 520);

/// 2^256 and 2^264 modulo p: factors to and from the Montgomery form of one number.
const TO_NUMBER: Words = times_power_of_two(P::WORDS, [1, 0, 0, 0], 256);
const FROM_NUMBER: Words = times_power_of_two(P::WORDS, [1, 0, 0, 0], 264);

/// 2^`power` p in limbs. With `more`, each but the last takes 2^`more` from the one after it, so that no difference is negative.
const fn p_times<const LIMBS: usize>(power: usize, more: u32) -> [u64; LIMBS] {
    let (mut limbs, mut bit) = ([0; LIMBS], 0);
    while bit < 256 {
        let to = bit + power;
        let limb = if to / 52 < LIMBS { to / 52 } else { LIMBS - 1 };
        limbs[limb] |= (P::WORDS[bit / 64] >> (bit % 64) & 1) << (to - 52 * limb);
        bit += 1;
    }
    let mut i = 0;
    while more > 0 && i < LIMBS - 1 {
        limbs[i] = limbs[i].wrapping_add(1 << more);
        limbs[i + 1] = limbs[i + 1].wrapping_sub(1 << (more - 52));
        i += 1;
    }
    limbs
}

impl<W: Word> Numbers<W> {
    /// The same words in each lane, as they are.
    #[inline(always)]
    pub(crate) fn splat(like: W, words: Words) -> Self {
        Self::from_words(words.map(|word| like.like(word)))
    }

    /// Numbers of 256 bits in words, as they are.
    #[inline(always)]
    pub(crate) fn from_words([a, b, c, d]: [W; 4]) -> Self {
        Self([
            a.and(LIMB),
            a.shr::<52>().plus(b.shl_away::<12>()).and(LIMB),
            b.shr::<40>().plus(c.shl_away::<24>()).and(LIMB),
            c.shr::<28>().plus(d.shl_away::<36>()).and(LIMB),
            d.shr::<16>(),
        ])
    }

    /// From the Montgomery form of one number in each lane.
    #[cfg(test)]
    pub(crate) fn from_numbers(words: [W; 4]) -> Self {
        Self::from_words(words).in_form_of_lanes()
    }

    /// From the Montgomery form of one number, which is 1/16 of that of lanes.
    #[inline(always)]
    pub(crate) fn in_form_of_lanes(self) -> Self {
        self.times(Self::splat(self.0[0], FROM_NUMBER))
    }

    /// The Montgomery form of one number in each lane, in limbs. It is below 1.9 p.
    #[inline(always)]
    pub(crate) fn to_numbers(self) -> [W; 5] {
        self.times(Self::splat(self.0[0], TO_NUMBER)).0
    }

    /// The difference of sums without carries, of which `self` is below 25 p and `other` below 23 p. It is below 2^256 + 2^232.
    #[inline(always)]
    pub(crate) fn less(self, other: Self) -> Self {
        const P: [u64; 5] = p_times(5, 57);
        self.plus_less(P, other)
    }

    /// The sum with a multiple of p, less `other`.
    #[inline(always)]
    fn plus_less(mut self, p: [u64; 5], other: Self) -> Self {
        for ((a, b), p) in self.0.iter_mut().zip(other.0).zip(p) {
            *a = a.plus(a.like(p)).minus(b);
        }
        // 2^256 is 2^224 - 2^192 - 2^96 + 1.
        let Self([a, b, c, d, e]) = self;
        let over = e.shr::<48>();
        Self([
            a.plus(over),
            b.minus(over.shl::<44>()),
            c,
            d.minus(over.shl::<36>()),
            e.and(LAST).plus(over.shl::<16>()),
        ])
        .carried()
    }

    /// Carries from the lowest limb to the highest.
    #[inline(always)]
    fn carried(self) -> Self {
        let Self([a, b, c, d, e]) = self;
        let b = b.plus(a.shr::<52>());
        let c = c.plus(b.shr::<52>());
        let d = d.plus(c.shr::<52>());
        let e = e.plus(d.shr::<52>());
        Self([a.and(LIMB), b.and(LIMB), c.and(LIMB), d.and(LIMB), e])
    }
}

impl<W: Word> Field for Numbers<W> {
    type Product = Columns<W>;
    type Mask = W::Mask;

    #[inline(always)]
    fn like(self, small: u64) -> Self {
        let like = self.0[0];
        match small {
            0 => Self([like.like(0); 5]),
            1 => Self::splat(like, ONE),
            _ => Self::splat(like, [small, 0, 0, 0]).times(Self::splat(like, ONE_SQUARED)),
        }
    }

    #[inline(always)]
    fn squared(self) -> Columns<W> {
        let a = self.0;
        let mut columns = [a[0].like(0); 10];
        for i in 0..5 {
            for j in i + 1..5 {
                columns[i + j] = columns[i + j].plus_low(a[i], a[j]);
                columns[i + j + 1] = columns[i + j + 1].plus_high(a[i], a[j]);
            }
        }
        for column in &mut columns[1..9] {
            *column = column.plus(*column);
        }
        for i in 0..5 {
            columns[2 * i] = columns[2 * i].plus_low(a[i], a[i]);
            columns[2 * i + 1] = columns[2 * i + 1].plus_high(a[i], a[i]);
        }
        Columns(columns)
    }

    #[inline(always)]
    fn plus_small_times(self, small: u64, other: Self) -> Self {
        self + other.times(self.like(small))
    }

    #[inline(always)]
    fn widened(self) -> Columns<W> {
        let ([a, b, c, d, e], zero) = (self.0, self.0[0].like(0));
        Columns([zero, zero, zero, zero, zero, a, b, c, d, e])
    }

    #[inline(always)]
    fn or_where(mut self, mask: W::Mask, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = a.or_where(mask, b);
        }
        self
    }
}

impl<W: Word> Coordinate for Numbers<W> {
    #[inline(always)]
    fn is_zero(self) -> W::Mask {
        // 0 or p, as the number is below 2^260.
        let ([a, b, c, d, e], z) = (self.0, self.0[0].like(0));
        let Self([a, b, c, d, e]) = Columns([a, b, c, d, e, z, z, z, z, z]).reduced();
        const P: [u64; 5] = p_times(0, 0);
        let zero = a.or(b).or(c).or(d).or(e);
        let other = a.xor(P[0]).or(b.xor(P[1])).or(c.xor(P[2])).or(d.xor(P[3])).or(e.xor(P[4]));
        zero.or_where(other.is_zero(), zero.like(0)).is_zero()
    }

    #[inline(always)]
    fn for_table(Columns(mut columns): Columns<W>) -> Columns<W> {
        for column in &mut columns {
            *column = column.shl::<4>();
        }
        Columns(columns)
    }

    #[inline(always)]
    fn of_table(self) -> Self {
        self.in_form_of_lanes()
    }
}

impl<W: Word> Product<Numbers<W>> for Columns<W> {
    /// Montgomery's reduction. p is -1 modulo 2^52, so that the multiple of p is the lowest column itself, and p + 1 is
    /// 2^96 + 2^192 + (2^256 - 2^224): one bit in limb 1, one in limb 3, and limb 4.
    #[inline(always)]
    fn reduced(self) -> Numbers<W> {
        let Self(mut t) = self;
        let like = t[0];
        let (bit_96, bit_192) = (like.like(1 << 44), like.like(1 << 36));
        let top = like.like((1 << 48) - (1 << 16));
        for i in 0..5 {
            let q = t[i].operand();
            t[i + 1] = t[i + 1].plus_low(q, bit_96).plus(t[i].shr::<52>());
            t[i + 2] = t[i + 2].plus_high(q, bit_96);
            t[i + 3] = t[i + 3].plus_low(q, bit_192);
            t[i + 4] = t[i + 4].plus_high(q, bit_192);
            t[i + 4] = t[i + 4].plus_low(q, top);
            t[i + 5] = t[i + 5].plus_high(q, top);
        }
        Numbers([t[5], t[6], t[7], t[8], t[9]]).carried()
    }
}

impl<W: Word> Add for Numbers<W> {
    type Output = Self;

    /// A sum below the sum of the bounds.
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = a.plus(b);
        }
        self.carried()
    }
}

impl<W: Word> Sub for Numbers<W> {
    type Output = Self;

    /// A difference below 2^256 + 2^232. `other` is below 4 p.
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        const P: [u64; 5] = p_times(2, 53);
        self.plus_less(P, other)
    }
}

impl<W: Word> Mul for Numbers<W> {
    type Output = Columns<W>;

    #[inline(always)]
    fn mul(self, other: Self) -> Columns<W> {
        let (a, b) = (self.0, other.0);
        let mut columns = [a[0].like(0); 10];
        for i in 0..5 {
            for j in 0..5 {
                columns[i + j] = columns[i + j].plus_low(a[i], b[j]);
                columns[i + j + 1] = columns[i + j + 1].plus_high(a[i], b[j]);
            }
        }
        Columns(columns)
    }
}

impl<W: Word> Add for Columns<W> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = a.plus(b);
        }
        self
    }
}

impl<W: Word> Sub for Columns<W> {
    type Output = Self;

    /// It adds p times 2^259, which is half of p after the reduction. Of `other`, the last column has less than 2^46.9, and the
    /// others have less than 2^58.
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        const P: [u64; 10] = p_times(259, 58);
        for ((a, b), p) in self.0.iter_mut().zip(other.0).zip(P) {
            *a = a.plus(a.like(p)).minus(b);
        }
        self
    }
}
