//! Numbers of a public length.

use subtle::Choice;

use super::{Bits, Limbs};
use crate::core::{ct, opaque::unknown};

/// A natural number. Its length is public, its value is not.
#[derive(Clone)]
pub(crate) struct Number {
    /// Least significant first. Limbs from `len` on are zero.
    limbs: [u64; Limbs::MOST.get()],
    len: Limbs,
}

impl Number {
    #[inline]
    pub(crate) fn zero(len: Limbs) -> Self {
        Self { limbs: [0; _], len }
    }

    /// A number of one word.
    #[inline]
    pub(crate) fn word(word: u64, len: Limbs) -> Self {
        let mut number = Self::zero(len);
        number.limbs[0] = word;
        number
    }

    /// 2^`exponent`, or zero where it does not fit.
    pub(crate) fn power_of_two(exponent: Bits, len: Limbs) -> Self {
        let mut number = Self::zero(len);
        let Bits(exponent) = exponent;
        if let Some(limb) = number.as_mut_slice().get_mut(exponent / 64) {
            *limb = 1 << (exponent % 64);
        }
        number
    }

    /// OS2IP (RFC 8017, section 4.2). `None` where the value does not fit.
    pub(crate) fn from_be_bytes(bytes: &[u8], len: Limbs) -> Option<Self> {
        let mut number = Self::zero(len);
        let mut more = 0;
        for (i, chunk) in bytes.rchunks(8).enumerate() {
            let mut limb = [0; 8];
            limb[8 - chunk.len()..].copy_from_slice(chunk);
            let limb = u64::from_be_bytes(limb);
            match number.as_mut_slice().get_mut(i) {
                Some(place) => *place = limb,
                None => more |= limb,
            }
        }
        // The caller learns it from the error.
        ct::verdict(choice(is_nonzero(more) ^ 1)).then_some(number)
    }

    /// I2OSP (RFC 8017, section 4.1) of a number that fits: the low bytes of any other.
    pub(crate) fn to_be_bytes(&self, bytes: &mut [u8]) {
        for (i, chunk) in bytes.rchunks_mut(8).enumerate() {
            let limb = self.as_slice().get(i).map_or([0; 8], |limb| limb.to_be_bytes());
            chunk.copy_from_slice(&limb[8 - chunk.len()..]);
        }
    }

    #[inline]
    pub(crate) fn of_limbs(limbs: &[u64], len: Limbs) -> Self {
        let mut number = Self::zero(len);
        for (place, limb) in number.as_mut_slice().iter_mut().zip(limbs) {
            *place = *limb;
        }
        number
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> Limbs {
        self.len
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u64] {
        &self.limbs[..self.len.get()]
    }

    #[inline(always)]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u64] {
        &mut self.limbs[..self.len.get()]
    }

    /// Limbs that do not depend on the length: those past it are zero.
    #[inline(always)]
    pub(crate) fn all_limbs(&self) -> &[u64; Limbs::MOST.get()] {
        &self.limbs
    }

    /// The same value in another length. Limbs past it are dropped.
    pub(crate) fn resized(&self, len: Limbs) -> Self {
        Self::of_limbs(self.as_slice(), len)
    }

    /// Overwrites it with another, which has the same length.
    #[inline]
    pub(crate) fn set(&mut self, other: &Self) {
        let len = self.len.get();
        self.as_mut_slice().copy_from_slice(&other.limbs[..len]);
    }

    /// The size, in constant time: it is public, even where the value is secret.
    pub(crate) fn size(&self) -> Bits {
        let mut size = 0;
        for (limb, above) in self.as_slice().iter().zip((0_u64..).step_by(64)) {
            let here = mask(is_nonzero(*limb));
            size = (size & !here) | ((above + u64::from(64 - (limb | 1).leading_zeros())) & here);
        }
        Bits(u64::from_le_bytes(ct::known(size.to_le_bytes())) as usize)
    }

    /// `count` bits from bit `at` on, at most 63.
    #[inline]
    pub(crate) fn window(&self, Bits(at): Bits, count: u32) -> u64 {
        let limb = |i: usize| self.limbs.get(i).map_or(0, |limb| *limb);
        let two = u128::from(limb(at / 64)) | u128::from(limb(at / 64 + 1)) << 64;
        (two >> (at % 64)) as u64 & ((1 << count) - 1)
    }

    /// The words of 52 bits, least significant first.
    #[cfg(any(target_arch = "x86_64", test))]
    #[inline]
    pub(crate) fn words<const N: usize>(&self) -> [u64; N] {
        let mut words = [0; N];
        for (i, word) in words.iter_mut().enumerate() {
            let at = 52 * i;
            let limb = |i: usize| self.limbs.get(i).map_or(0, |limb| *limb);
            let two = u128::from(limb(at / 64)) | u128::from(limb(at / 64 + 1)) << 64;
            *word = (two >> (at % 64)) as u64 & ((1 << 52) - 1);
        }
        words
    }

    /// The inverse of [`words`](Self::words). The words have at most 52 bits.
    #[cfg(any(target_arch = "x86_64", test))]
    #[inline]
    pub(crate) fn of_words(words: &[u64], len: Limbs) -> Self {
        let mut number = Self::zero(len);
        for (i, word) in words.iter().enumerate() {
            let at = 52 * i;
            let two = u128::from(*word) << (at % 64);
            for (place, limb) in [(at / 64, two as u64), (at / 64 + 1, (two >> 64) as u64)] {
                if let Some(place) = number.as_mut_slice().get_mut(place) {
                    *place |= limb;
                }
            }
        }
        number
    }

    pub(crate) fn is_zero(&self) -> Choice {
        let all = self.as_slice().iter().fold(0, |all, limb| all | limb);
        choice(is_nonzero(all) ^ 1)
    }

    pub(crate) fn is_odd(&self) -> Choice {
        choice(self.limbs[0] & 1)
    }

    /// Of numbers of any lengths.
    pub(crate) fn equals(&self, other: &Self) -> Choice {
        let pairs = self.limbs.iter().zip(&other.limbs);
        choice(is_nonzero(pairs.fold(0, |all, (a, b)| all | (a ^ b))) ^ 1)
    }

    /// Of numbers of any lengths.
    pub(crate) fn is_less(&self, other: &Self) -> Choice {
        let mut borrow = false;
        for (a, b) in self.limbs.iter().zip(&other.limbs) {
            (_, borrow) = a.borrowing_sub(*b, borrow);
        }
        choice(unknown(borrow.into()))
    }

    /// Adds a number that is not longer; returns the carry.
    #[inline]
    pub(crate) fn add(&mut self, other: &Self) -> u64 {
        let mut carry = false;
        for (a, b) in self.as_mut_slice().iter_mut().zip(&other.limbs) {
            (*a, carry) = a.carrying_add(*b, carry);
        }
        carry.into()
    }

    /// Subtracts a number that is not longer; returns the borrow.
    #[inline]
    pub(crate) fn subtract(&mut self, other: &Self) -> u64 {
        let mut borrow = false;
        for (a, b) in self.as_mut_slice().iter_mut().zip(&other.limbs) {
            (*a, borrow) = a.borrowing_sub(*b, borrow);
        }
        borrow.into()
    }

    /// The product of two numbers, in `len` limbs.
    pub(crate) fn product(a: &Self, b: &Self, len: Limbs) -> Self {
        let mut product = Self::zero(len);
        for (i, x) in a.as_slice().iter().enumerate().take(len.get()) {
            let places = &mut product.as_mut_slice()[i..];
            let mut carry = 0;
            for (place, y) in places.iter_mut().zip(&b.limbs) {
                (*place, carry) = x.carrying_mul_add(*y, *place, carry);
            }
        }
        product
    }
}

/// A mask of a bit: all ones for one. The compiler does not know that there are only two masks.
#[inline(always)]
pub(super) fn mask(bit: u64) -> u64 {
    unknown(bit.wrapping_neg())
}

/// One, unless the word is zero.
#[inline(always)]
pub(super) fn is_nonzero(word: u64) -> u64 {
    (word | word.wrapping_neg()) >> 63
}

#[inline]
fn choice(bit: u64) -> Choice {
    Choice::from(bit as u8)
}
