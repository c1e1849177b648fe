//! One number, with products of 64 bits.

use core::ops::{Add, Mul, Sub};

use super::{LIMB, p_times};
use crate::fields::{
    Field, Product, safegcd,
    words::{Modulus, Residue, Words, from_le_bytes},
    zeros,
};

/// A number modulo p. The limbs of a product have 51 bits and little more; those of an operand have at most 54, so that two more
/// additions or one subtraction come before a product.
#[derive(Clone, Copy)]
pub(crate) struct Number(pub(crate) [u64; 5]);

impl Number {
    pub(crate) const ONE: Self = Self([1, 0, 0, 0, 0]);

    /// A little-endian number. Its highest bit is ignored, and it may be p or more (RFC 7748, section 5).
    #[inline]
    pub(crate) const fn from_bytes(bytes: &[u8; 32]) -> Self {
        let (words, mut word, mut i) = (bytes.as_chunks::<8>().0, [0; 4], 0);
        while i < 4 {
            word[i] = u64::from_le_bytes(words[i]);
            i += 1;
        }
        Self::from_words(word)
    }

    #[inline(always)]
    pub(crate) const fn from_words([a, b, c, d]: [u64; 4]) -> Self {
        Self([
            a & LIMB,
            (a >> 51 | b << 13) & LIMB,
            (b >> 38 | c << 26) & LIMB,
            (c >> 25 | d << 39) & LIMB,
            (d >> 12) & LIMB,
        ])
    }

    /// The number below p, little-endian.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        let Self([mut a, mut b, mut c, mut d, mut e]) = self.carried();
        // Below 2 p, so that the bit above p's of `self` + 19 is whether `self` is p or more.
        let over = (e + ((d + ((c + ((b + ((a + 19) >> 51)) >> 51)) >> 51)) >> 51)) >> 51;
        a += 19 * over;
        b += a >> 51;
        c += b >> 51;
        d += c >> 51;
        e += d >> 51;
        [a, b, c, d, e] = [a & LIMB, b & LIMB, c & LIMB, d & LIMB, e & LIMB];
        let words = [a | b << 51, b >> 13 | c << 38, c >> 26 | d << 25, d >> 39 | e << 12];
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        bytes
    }

    /// The same number with limbs of 51 bits, below 2^255.
    pub(crate) fn carried(self) -> Self {
        let mut x = self.0;
        for _ in 0..2 {
            for i in 0..4 {
                x[i + 1] += x[i] >> 51;
                x[i] &= LIMB;
            }
            x[0] += 19 * (x[4] >> 51);
            x[4] &= LIMB;
        }
        Self(x)
    }

    /// The inverse, or 0 of 0. In constant time.
    pub(crate) fn inverse(self) -> Self {
        #[derive(Clone, Copy)]
        enum P {}

        impl Modulus for P {
            const WORDS: Words = [!0 - 18, !0, !0, !0 >> 1];
        }

        let x = Residue::<P>::new(from_le_bytes(&self.to_bytes()));
        Self::from_words(safegcd::inverse(x).to_words())
    }

    /// All ones if the number is 0 modulo p, all zeros otherwise.
    pub(crate) fn is_zero(self) -> u64 {
        let any = self.to_bytes().iter().fold(0, |any, byte| any | byte);
        zeros(u64::from(any))
    }

    /// All ones if the numbers are the same modulo p.
    pub(crate) fn is(self, other: Self) -> u64 {
        (self - other).is_zero()
    }

    /// Whether the number below p is odd: 0 or 1.
    pub(crate) fn parity(self) -> u64 {
        u64::from(self.to_bytes()[0] & 1)
    }
}

impl Field for Number {
    type Product = Self;
    type Mask = u64;

    #[inline(always)]
    fn like(self, small: u64) -> Self {
        Self([small, 0, 0, 0, 0])
    }

    #[inline(always)]
    fn squared(self) -> Self {
        let [a, b, c, d, e] = self.0;
        let (d19, e19, twice_a, twice_b, twice_c) = (19 * d, 19 * e, 2 * a, 2 * b, 2 * c);
        let twice_e19 = 2 * e19;
        reduce([
            wide(a, a) + wide(twice_e19, b) + wide(twice_c, d19),
            wide(twice_a, b) + wide(twice_e19, c) + wide(d, d19),
            wide(twice_a, c) + wide(b, b) + wide(twice_e19, d),
            wide(twice_a, d) + wide(twice_b, c) + wide(e, e19),
            wide(twice_a, e) + wide(twice_b, d) + wide(c, c),
        ])
    }

    #[inline(always)]
    fn plus_small_times(self, small: u64, Self([a, b, c, d, e]): Self) -> Self {
        self + reduce([
            wide(a, small),
            wide(b, small),
            wide(c, small),
            wide(d, small),
            wide(e, small),
        ])
    }

    #[inline(always)]
    fn widened(self) -> Self {
        self
    }

    #[inline(always)]
    fn or_where(mut self, mask: u64, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a ^= mask & (*a ^ b);
        }
        self
    }
}

impl Product<Self> for Number {
    #[inline(always)]
    fn reduced(self) -> Self {
        self
    }
}

impl Add for Number {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a += b;
        }
        self
    }
}

impl Sub for Number {
    type Output = Self;

    /// Of `other`, the limbs have at most 53 bits.
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        const P: [u64; 5] = p_times(2);
        for ((a, b), p) in self.0.iter_mut().zip(other.0).zip(P) {
            *a = *a + p - b;
        }
        self
    }
}

impl Mul for Number {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        debug_assert!(a.iter().chain(&b).all(|limb| limb >> 54 == 0), "limbs of 54 bits");
        let b19 = [19 * b[0], 19 * b[1], 19 * b[2], 19 * b[3], 19 * b[4]];
        reduce([
            wide(a[0], b[0])
                + wide(a[4], b19[1])
                + wide(a[3], b19[2])
                + wide(a[2], b19[3])
                + wide(a[1], b19[4]),
            wide(a[0], b[1])
                + wide(a[1], b[0])
                + wide(a[4], b19[2])
                + wide(a[3], b19[3])
                + wide(a[2], b19[4]),
            wide(a[0], b[2])
                + wide(a[1], b[1])
                + wide(a[2], b[0])
                + wide(a[4], b19[3])
                + wide(a[3], b19[4]),
            wide(a[0], b[3])
                + wide(a[1], b[2])
                + wide(a[2], b[1])
                + wide(a[3], b[0])
                + wide(a[4], b19[4]),
            wide(a[0], b[4])
                + wide(a[1], b[3])
                + wide(a[2], b[2])
                + wide(a[3], b[1])
                + wide(a[4], b[0]),
        ])
    }
}

#[inline(always)]
fn wide(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// The limbs of five columns. 2^255 is 19 modulo p.
#[inline(always)]
fn reduce([a, mut b, mut c, mut d, mut e]: [u128; 5]) -> Number {
    // The operands have at most 54 bits, so that a column has less than 2^115.
    b += a >> 51;
    c += b >> 51;
    d += c >> 51;
    e += d >> 51;
    let low = |column: u128| column as u64 & LIMB;
    let a = low(a) + 19 * (e >> 51) as u64;
    Number([a & LIMB, low(b) + (a >> 51), low(c), low(d), low(e)])
}
