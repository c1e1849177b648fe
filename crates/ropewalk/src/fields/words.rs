//! Numbers modulo an odd number of 256 bits, in words of 64 bits, as Montgomery multiplies them: x is kept as x R, R = 2^256.

use core::marker::PhantomData;

use super::zeros;
use crate::core::ct;

/// An odd number, with its highest word not zero.
pub(crate) trait Modulus: Copy {
    const M: [u64; 4];
}

/// A number below the modulus, times R.
#[derive(Clone, Copy)]
pub(crate) struct Residue<M>([u64; 4], PhantomData<M>);

impl<M: Modulus> Residue<M> {
    pub(crate) const ZERO: Self = Self::new([0; 4]);
    /// R.
    pub(crate) const ONE: Self = Self::new(power_of_2::<256>(&M::M));
    /// R^2.
    const R2: Self = Self::new(power_of_2::<512>(&M::M));
    /// R^3.
    const R3: Self = Self::new(power_of_2::<768>(&M::M));
    /// -1 / m modulo 2^64.
    const MINUS_INVERSE: u64 = minus_inverse(M::M[0]);

    const fn new(words: [u64; 4]) -> Self {
        Self(words, PhantomData)
    }

    /// Any number of four words, the lowest first.
    #[inline]
    pub(crate) fn from_words(words: [u64; 4]) -> Self {
        Self::new(words).times(Self::R2)
    }

    /// Any number of eight words.
    pub(crate) fn from_wide([a, b, c, d, e, f, g, h]: [u64; 8]) -> Self {
        Self::from_words([a, b, c, d]).plus(Self::new([e, f, g, h]).times(Self::R3))
    }

    /// The number below the modulus.
    #[inline]
    pub(crate) fn to_words(self) -> [u64; 4] {
        self.times(Self::new([1, 0, 0, 0])).0
    }

    /// Of one of two operands, the words may be any number below 2^256.
    #[inline]
    pub(crate) fn times(self, other: Self) -> Self {
        let (a, b, m) = (self.0, other.0, M::M);
        let mut t = [0; 6];
        for b in b {
            let mut carry = 0;
            for j in 0..4 {
                (t[j], carry) = a[j].carrying_mul_add(b, t[j], carry);
            }
            let over;
            (t[4], over) = t[4].carrying_add(carry, false);
            t[5] = u64::from(over);
            // A multiple of m makes the lowest word zero.
            let q = t[0].wrapping_mul(Self::MINUS_INVERSE);
            (_, carry) = m[0].carrying_mul_add(q, t[0], 0);
            for j in 1..4 {
                (t[j - 1], carry) = m[j].carrying_mul_add(q, t[j], carry);
            }
            let over;
            (t[3], over) = t[4].carrying_add(carry, false);
            t[4] = t[5] + u64::from(over);
        }
        Self::reduced([t[0], t[1], t[2], t[3]], t[4])
    }

    #[inline]
    pub(crate) fn plus(self, other: Self) -> Self {
        let (mut sum, mut carry) = (self.0, false);
        for (a, b) in sum.iter_mut().zip(other.0) {
            (*a, carry) = a.carrying_add(b, carry);
        }
        Self::reduced(sum, carry.into())
    }

    #[inline]
    pub(crate) fn minus(self, other: Self) -> Self {
        let (mut words, borrow) = difference(self.0, other.0);
        let (mask, mut carry) = (ct::mask(u64::from(borrow).wrapping_neg()), false);
        for (a, m) in words.iter_mut().zip(M::M) {
            (*a, carry) = a.carrying_add(m & mask, carry);
        }
        Self::new(words)
    }

    /// All ones for zero, all zeros for any other number.
    #[inline]
    pub(crate) fn is_zero(self) -> u64 {
        zeros(self.0[0] | self.0[1] | self.0[2] | self.0[3])
    }

    /// Subtracts the modulus once, unless the number is below it. `over` is its fifth word.
    #[inline(always)]
    fn reduced(words: [u64; 4], over: u64) -> Self {
        let (less, borrow) = difference(words, M::M);
        // The fifth word is 1 at most, and then the difference borrows.
        let below = ct::mask((u64::from(borrow) & !over).wrapping_neg());
        let mut out = less;
        for (out, word) in out.iter_mut().zip(words) {
            *out ^= below & (*out ^ word);
        }
        Self::new(out)
    }
}

/// Whether a number is below a modulus: all ones, or all zeros.
pub(crate) fn is_below<M: Modulus>(words: [u64; 4]) -> u64 {
    u64::from(difference(words, M::M).1).wrapping_neg()
}

#[inline(always)]
fn difference(mut a: [u64; 4], b: [u64; 4]) -> ([u64; 4], bool) {
    let mut borrow = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, borrow) = a.borrowing_sub(b, borrow);
    }
    (a, borrow)
}

/// 2^`N` modulo m.
const fn power_of_2<const N: usize>(m: &[u64; 4]) -> [u64; 4] {
    let (mut x, mut bit) = ([1_u64, 0, 0, 0], 0);
    while bit < N {
        let over = x[3] >> 63;
        x = [x[0] << 1, x[1] << 1 | x[0] >> 63, x[2] << 1 | x[1] >> 63, x[3] << 1 | x[2] >> 63];
        let (mut less, mut borrow, mut i) = ([0; 4], false, 0);
        while i < 4 {
            let (word, under) = x[i].overflowing_sub(m[i]);
            let (word, more) = word.overflowing_sub(borrow as u64);
            (less[i], borrow) = (word, under || more);
            i += 1;
        }
        if over == 1 || !borrow {
            x = less;
        }
        bit += 1;
    }
    x
}

/// By Newton's iteration, which doubles the right bits.
const fn minus_inverse(m: u64) -> u64 {
    let (mut inverse, mut i) = (m, 0);
    while i < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(m.wrapping_mul(inverse)));
        i += 1;
    }
    inverse.wrapping_neg()
}

/// The words of a little-endian number.
pub(crate) fn from_le_bytes<const WORDS: usize>(bytes: &[u8]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

pub(crate) fn to_le_bytes(words: [u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[derive(Clone, Copy)]
    struct L;
    impl Modulus for L {
        const M: [u64; 4] = [0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 0x1000000000000000];
    }

    #[derive(Clone, Copy)]
    struct Large;
    impl Modulus for Large {
        const M: [u64; 4] = [!0 - 58, !0, !0, !0];
    }

    fn equal_big_integers<M: Modulus>() {
        let big = |words: &[u64]| {
            BigUint::from_bytes_le(
                &words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>(),
            )
        };
        let m = big(&M::M);
        let mut next = crate::core::simd::edges();
        for _ in 0..20_000 {
            let [a, b] = [(); 2].map(|()| {
                let (low, high) = (next(), next());
                [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
            });
            let [x, y] = [a, b].map(Residue::<M>::from_words);
            assert_eq!(big(&x.to_words()), big(&a) % &m);
            assert_eq!(big(&x.times(y).to_words()), big(&a) * big(&b) % &m);
            assert_eq!(big(&x.plus(y).to_words()), (big(&a) + big(&b)) % &m);
            assert_eq!(big(&x.minus(y).plus(y).to_words()), big(&a) % &m);
            assert_eq!(x.is_zero() != 0, big(&a) % &m == BigUint::ZERO);
            assert_eq!(is_below::<M>(a) != 0, big(&a) < m);
            let wide = [a, b].concat();
            let residue = Residue::<M>::from_wide(wide[..].try_into().unwrap());
            assert_eq!(big(&residue.to_words()), big(&wide) % &m);
        }
    }

    #[test]
    fn residues_equal_big_integers() {
        equal_big_integers::<L>();
        equal_big_integers::<Large>();
        assert_eq!(Residue::<L>::ONE.to_words(), [1, 0, 0, 0]);
        assert_ne!(Residue::<L>::ZERO.is_zero(), 0);
    }
}
