//! A number in each lane, with products of 52 bits.

use core::ops::{Add, Mul, Sub};

use super::{LIMB, number::Number, p_times};
use crate::fields::{Field, Product, lanes::Word};

/// Numbers modulo p. Limbs have less than 2^51 + 2^14, and 2^52 is never reached by an operand of a product: tests of bounds hold
/// both.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<W>(pub(crate) [W; 5]);

/// The columns of products, which have less than 2^63.
#[derive(Clone, Copy)]
pub(crate) struct Columns<W>(pub(crate) [W; 5]);

impl<W: Word> Numbers<W> {
    /// The same number in each lane.
    #[inline(always)]
    pub(crate) fn splat(like: W, Number(limbs): Number) -> Self {
        let mut out = [like; 5];
        for (out, limb) in out.iter_mut().zip(limbs) {
            *out = like.like(limb);
        }
        Self(out)
    }

    /// Numbers of 256 bits in words. The highest bits are ignored.
    #[inline(always)]
    pub(crate) fn from_words([a, b, c, d]: [W; 4]) -> Self {
        Self([
            a.and(LIMB),
            a.shr::<51>().plus(b.shl_away::<13>()).and(LIMB),
            b.shr::<38>().plus(c.shl_away::<26>()).and(LIMB),
            c.shr::<25>().plus(d.shl_away::<39>()).and(LIMB),
            d.shr::<12>().and(LIMB),
        ])
    }

    /// Carries once, all limbs at the same time.
    #[inline(always)]
    pub(crate) fn carried(self) -> Self {
        let Self(x) = self;
        let over = [
            x[0].shr::<51>(),
            x[1].shr::<51>(),
            x[2].shr::<51>(),
            x[3].shr::<51>(),
            x[4].shr::<51>(),
        ];
        Self([
            x[0].and(LIMB).plus_low(over[4], x[0].like(19)),
            x[1].and(LIMB).plus(over[0]),
            x[2].and(LIMB).plus(over[1]),
            x[3].and(LIMB).plus(over[2]),
            x[4].and(LIMB).plus(over[3]),
        ])
    }
}

impl<W: Word> Field for Numbers<W> {
    type Product = Columns<W>;
    type Mask = W::Mask;

    #[inline(always)]
    fn like(self, small: u64) -> Self {
        Self::splat(self.0[0], Number([small, 0, 0, 0, 0]))
    }

    #[inline(always)]
    fn squared(self) -> Columns<W> {
        let a = self.0;
        let zero = a[0].like(0);
        // Column k of each has products i + j = k, or the upper halves of i + j = k - 1, which count twice since a limb has 51 bits.
        let mut high = [zero; 10];
        let mut low = [zero; 10];
        for i in 0..5 {
            for j in i + 1..5 {
                high[i + j + 1] = high[i + j + 1].plus_high(a[i], a[j]);
            }
        }
        for k in 2..9 {
            low[k] = high[k].plus(high[k]);
        }
        for i in 0..5 {
            low[2 * i + 1] = low[2 * i + 1].plus_high(a[i], a[i]);
            for j in i + 1..5 {
                low[i + j] = low[i + j].plus_low(a[i], a[j]);
            }
        }
        let mut columns = [zero; 10];
        for k in 1..10 {
            columns[k] = low[k].plus(low[k]);
        }
        for i in 0..5 {
            columns[2 * i] = columns[2 * i].plus_low(a[i], a[i]);
        }
        let mut out = [zero; 5];
        for k in 0..5 {
            let over = columns[k + 5];
            // 19 = 16 + 2 + 1.
            out[k] = columns[k].plus(over).plus(over.shl::<4>().plus(over.shl::<1>()));
        }
        Columns(out)
    }

    #[inline(always)]
    fn plus_small_times(self, small: u64, Self(x): Self) -> Self {
        let (zero, by, twice) = (x[0].like(0), x[0].like(small), x[0].like(2 * small));
        let mut out = self.0;
        for i in 0..5 {
            out[i] = out[i].plus(zero.plus_low(x[i], by).and(LIMB));
        }
        // What is above 51 bits.
        for i in 0..4 {
            out[i + 1] = out[i + 1].plus_high(x[i], twice);
        }
        out[0] = out[0].plus_low(zero.plus_high(x[4], twice), zero.like(19));
        Self(out).carried()
    }

    #[inline(always)]
    fn widened(self) -> Columns<W> {
        Columns(self.0)
    }

    #[inline(always)]
    fn or_where(mut self, mask: W::Mask, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = a.or_where(mask, b);
        }
        self
    }
}

impl<W: Word> Product<Numbers<W>> for Columns<W> {
    /// Two chains of carries: 0 to 2, and 3 over 4 and 0 to 1.
    #[inline(always)]
    fn reduced(self) -> Numbers<W> {
        let Self([mut a, mut b, mut c, mut d, mut e]) = self;
        e = e.plus(d.shr::<51>());
        d = d.and(LIMB);
        b = b.plus(a.shr::<51>());
        a = a.and(LIMB);
        a = a.plus_low(e.shr::<51>(), e.like(19));
        e = e.and(LIMB);
        c = c.plus(b.shr::<51>());
        b = b.and(LIMB);
        d = d.plus(c.shr::<51>());
        c = c.and(LIMB);
        b = b.plus(a.shr::<51>());
        a = a.and(LIMB);
        e = e.plus(d.shr::<51>());
        d = d.and(LIMB);
        Numbers([a, b, c, d, e])
    }
}

impl<W: Word> Add for Numbers<W> {
    type Output = Self;

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

    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        const P: [u64; 5] = p_times(1);
        for ((a, b), p) in self.0.iter_mut().zip(other.0).zip(P) {
            *a = a.plus(a.like(p)).minus(b);
        }
        self.carried()
    }
}

impl<W: Word> Mul for Numbers<W> {
    type Output = Columns<W>;

    #[inline(always)]
    fn mul(self, other: Self) -> Columns<W> {
        let (a, mut b) = (self.0, other.0);
        let zero = a[0].like(0);
        let (mut low, mut high) = ([zero; 5], [zero; 5]);
        // Row i is a_i times the limbs of 2^51i b.
        for i in 0..5 {
            for j in 0..5 {
                low[j] = low[j].plus_low(a[i], b[j]);
            }
            for j in 0..5 {
                high[j] = high[j].plus_high(a[i], b[j]);
            }
            if i < 4 {
                // 2^255 is 19. The upper part goes to the next limb, in which 2^52 is 2.
                let last = b[4];
                let first = zero.plus_low(last, zero.like(19)).and(LIMB);
                b = [first, b[0].plus_high(last, zero.like(38)), b[1], b[2], b[3]];
            }
        }
        // The upper halves belong to the next column, in which they count twice.
        let over = high[4];
        let over = over.shl::<5>().plus(over.shl::<2>()).plus(over.shl::<1>());
        Columns([
            low[0].plus(over),
            low[1].plus(high[0].plus(high[0])),
            low[2].plus(high[1].plus(high[1])),
            low[3].plus(high[2].plus(high[2])),
            low[4].plus(high[3].plus(high[3])),
        ])
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

    /// Of `other`, the columns have less than 2^61.
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        const P: [u64; 5] = p_times(11);
        for ((a, b), p) in self.0.iter_mut().zip(other.0).zip(P) {
            *a = a.plus(a.like(p)).minus(b);
        }
        self
    }
}
