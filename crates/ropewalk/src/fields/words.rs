//! Numbers of four words modulo an odd number, in Montgomery form: x is kept as 2^256 x.

use core::{
    marker::PhantomData,
    ops::{Add, Mul, Sub},
};

use super::{Coordinate, Field, Product, ones_if, safegcd, zeros};

/// Four words, the lowest first.
pub(crate) type Words = [u64; 4];

/// An odd number of at most 256 bits.
pub(crate) trait Modulus: Copy {
    const WORDS: Words;

    /// -1 / m modulo 2^64.
    const NEGATED_INVERSE: u64 = {
        let (mut inverse, mut i) = (1_u64, 0);
        // Each step doubles the right bits.
        while i < 6 {
            let product = Self::WORDS[0].wrapping_mul(inverse);
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(product));
            i += 1;
        }
        inverse.wrapping_neg()
    };

    /// A step of Montgomery's reduction: adds the multiple of m that makes the lowest word 0. Returns the other words, the last of
    /// which has taken the carry of the step before, and its own carry.
    #[inline(always)]
    fn cancel([a, b, c, d, e]: [u64; 5], over: bool) -> (Words, bool) {
        let [p, q, r, s] = Self::WORDS;
        let times = a.wrapping_mul(Self::NEGATED_INVERSE);
        let (_, up) = times.carrying_mul_add(p, a, 0);
        let (b, up) = times.carrying_mul_add(q, b, up);
        let (c, up) = times.carrying_mul_add(r, c, up);
        let (d, up) = times.carrying_mul_add(s, d, up);
        let (e, over) = e.carrying_add(up, over);
        ([b, c, d, e], over)
    }
}

/// A number modulo `M`, below it.
#[derive(Clone, Copy)]
pub(crate) struct Residue<M> {
    words: Words,
    modulus: PhantomData<M>,
}

impl<M: Modulus> Residue<M> {
    pub(crate) const ZERO: Self = Self::raw([0; 4]);
    pub(crate) const ONE: Self = Self::raw(times_power_of_two(M::WORDS, [1, 0, 0, 0], 256));
    const TWO_TO_768: Self = Self::raw(times_power_of_two(M::WORDS, [1, 0, 0, 0], 768));
    const TWO_TO_512: Self = Self::raw(times_power_of_two(M::WORDS, [1, 0, 0, 0], 512));

    /// The number whose Montgomery form these words are.
    #[inline(always)]
    pub(crate) const fn raw(words: Words) -> Self {
        Self { words, modulus: PhantomData }
    }

    /// The Montgomery form.
    #[inline(always)]
    pub(crate) const fn to_raw(self) -> Words {
        self.words
    }

    /// A constant, below the modulus.
    pub(crate) const fn constant(words: Words) -> Self {
        Self::raw(times_power_of_two(M::WORDS, words, 256))
    }

    /// Any number of 256 bits, modulo `M`.
    #[inline]
    pub(crate) fn new(words: Words) -> Self {
        // The product of any number of 256 bits and one below the modulus is reduced by one subtraction.
        Self::raw(words).times(Self::TWO_TO_512)
    }

    /// Any number of 512 bits, modulo `M`: the lowest word first.
    pub(crate) fn from_wide([a, b, c, d, e, f, g, h]: [u64; 8]) -> Self {
        let high = Self::raw([e, f, g, h]).times(Self::TWO_TO_768);
        Self::new([a, b, c, d]) + high
    }

    /// The number below the modulus.
    #[inline]
    pub(crate) fn to_words(self) -> Words {
        let [a, b, c, d] = self.words;
        Self::reduced_from([a, b, c, d, 0, 0, 0, 0]).words
    }

    /// Any number of 32 big-endian bytes, modulo `M`.
    #[inline]
    pub(crate) fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self::new(from_bytes(bytes))
    }

    /// The number below the modulus, big-endian.
    #[inline]
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        to_bytes(self.to_words())
    }

    /// All ones if both numbers are the same.
    #[inline]
    pub(crate) fn is(self, other: Self) -> u64 {
        (self - other).is_zero()
    }

    /// A number below 2^256 times the modulus / 2^256.
    #[inline(always)]
    fn reduced_from([a, b, c, d, e, f, g, h]: [u64; 8]) -> Self {
        let ([b, c, d, e], over) = M::cancel([a, b, c, d, e], false);
        let ([c, d, e, f], over) = M::cancel([b, c, d, e, f], over);
        let ([d, e, f, g], over) = M::cancel([c, d, e, f, g], over);
        let (words, over) = M::cancel([d, e, f, g, h], over);
        Self::below(words, over)
    }

    /// Subtracts the modulus from words and a carry, unless they are below it.
    #[inline(always)]
    pub(crate) fn below(words: Words, over: bool) -> Self {
        let (less, borrow) = minus(words, M::WORDS);
        Self::raw(choose(ones_if(borrow & !over), words, less))
    }
}

impl<M: Modulus> Field for Residue<M> {
    type Product = Self;
    type Mask = u64;

    #[inline(always)]
    fn like(self, small: u64) -> Self {
        match small {
            0 => Self::ZERO,
            1 => Self::ONE,
            _ => Self::new([small, 0, 0, 0]),
        }
    }

    #[inline(always)]
    fn squared(self) -> Self {
        let [a, b, c, d] = self.words;
        // Products of different words, which count twice.
        let (t1, up) = a.carrying_mul_add(b, 0, 0);
        let (t2, up) = a.carrying_mul_add(c, up, 0);
        let (t3, t4) = a.carrying_mul_add(d, up, 0);
        let (t3, up) = b.carrying_mul_add(c, t3, 0);
        let (t4, t5) = b.carrying_mul_add(d, t4, up);
        let (t5, t6) = c.carrying_mul_add(d, t5, 0);
        let [aa, bb, cc, dd] = self.words.map(|word| word.carrying_mul_add(word, 0, 0));
        let twice = |word: u64, below: u64| word << 1 | below >> 63;
        let (r1, over) = (t1 << 1).carrying_add(aa.1, false);
        let (r2, over) = twice(t2, t1).carrying_add(bb.0, over);
        let (r3, over) = twice(t3, t2).carrying_add(bb.1, over);
        let (r4, over) = twice(t4, t3).carrying_add(cc.0, over);
        let (r5, over) = twice(t5, t4).carrying_add(cc.1, over);
        let (r6, over) = twice(t6, t5).carrying_add(dd.0, over);
        let (r7, _) = (t6 >> 63).carrying_add(dd.1, over);
        Self::reduced_from([aa.0, r1, r2, r3, r4, r5, r6, r7])
    }

    #[inline(always)]
    fn plus_small_times(self, small: u64, other: Self) -> Self {
        self + other.times(self.like(small))
    }

    #[inline(always)]
    fn widened(self) -> Self {
        self
    }

    #[inline(always)]
    fn or_where(self, mask: u64, other: Self) -> Self {
        Self::raw(choose(mask, other.words, self.words))
    }
}

impl<M: Modulus> Coordinate for Residue<M> {
    #[inline(always)]
    fn is_zero(self) -> u64 {
        let [a, b, c, d] = self.words;
        zeros(a | b | c | d)
    }

    #[inline(always)]
    fn for_table(product: Self) -> Self {
        product
    }

    #[inline(always)]
    fn of_table(self) -> Self {
        self
    }
}

impl<M: Modulus> Product<Self> for Residue<M> {
    #[inline(always)]
    fn reduced(self) -> Self {
        self
    }
}

impl<M: Modulus> Add for Residue<M> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.words, other.words);
        let (a, over) = a.carrying_add(e, false);
        let (b, over) = b.carrying_add(f, over);
        let (c, over) = c.carrying_add(g, over);
        let (d, over) = d.carrying_add(h, over);
        Self::below([a, b, c, d], over)
    }
}

impl<M: Modulus> Sub for Residue<M> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c, d], borrow) = minus(self.words, other.words);
        let (negative, [e, f, g, h]) = (ones_if(borrow), M::WORDS);
        let (a, over) = a.carrying_add(e & negative, false);
        let (b, over) = b.carrying_add(f & negative, over);
        let (c, over) = c.carrying_add(g & negative, over);
        let (d, _) = d.carrying_add(h & negative, over);
        Self::raw([a, b, c, d])
    }
}

impl<M: Modulus> Mul for Residue<M> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let ([a, b, c, d], y) = (self.words, other.words);
        let [t0, r @ ..] = row(a, y, [0; 4]);
        let [t1, r @ ..] = row(b, y, r);
        let [t2, r @ ..] = row(c, y, r);
        let [t3, t4, t5, t6, t7] = row(d, y, r);
        Self::reduced_from([t0, t1, t2, t3, t4, t5, t6, t7])
    }
}

/// a y + r.
#[inline(always)]
pub(super) fn row(a: u64, y: Words, r: Words) -> [u64; 5] {
    let (r0, up) = a.carrying_mul_add(y[0], r[0], 0);
    let (r1, up) = a.carrying_mul_add(y[1], r[1], up);
    let (r2, up) = a.carrying_mul_add(y[2], r[2], up);
    let (r3, up) = a.carrying_mul_add(y[3], r[3], up);
    [r0, r1, r2, r3, up]
}

/// A difference, and whether it is negative.
#[inline(always)]
pub(crate) fn minus([a, b, c, d]: Words, [e, f, g, h]: Words) -> (Words, bool) {
    let (a, borrow) = a.borrowing_sub(e, false);
    let (b, borrow) = b.borrowing_sub(f, borrow);
    let (c, borrow) = c.borrowing_sub(g, borrow);
    let (d, borrow) = d.borrowing_sub(h, borrow);
    ([a, b, c, d], borrow)
}

/// All ones if `a` is below `b`.
#[inline]
pub(crate) fn is_below(a: Words, b: Words) -> u64 {
    ones_if(minus(a, b).1)
}

/// The first where the mask has ones, the second where it has zeros.
#[inline(always)]
pub(crate) fn choose(mask: u64, a: Words, b: Words) -> Words {
    let one = |i: usize| b[i] ^ mask & (a[i] ^ b[i]);
    [one(0), one(1), one(2), one(3)]
}

/// From 32 big-endian bytes.
#[inline]
pub(crate) fn from_bytes(bytes: &[u8; 32]) -> Words {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().rev().zip(bytes.as_chunks().0) {
        *word = u64::from_be_bytes(*bytes);
    }
    words
}

/// 32 big-endian bytes.
#[inline]
pub(crate) fn to_bytes(words: Words) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words.iter().rev()) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

/// The words of a little-endian number.
#[inline]
pub(crate) fn from_le_bytes<const WORDS: usize>(bytes: &[u8]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// 32 little-endian bytes.
#[inline]
pub(crate) fn to_le_bytes(words: Words) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// 2^`power` x modulo m, for constants: it takes a time that depends on x.
pub(crate) const fn times_power_of_two(m: Words, x: Words, power: u32) -> Words {
    let (mut x, mut i) = (x, 0);
    while i < power {
        let over = x[3] >> 63 != 0;
        x = [x[0] << 1, x[1] << 1 | x[0] >> 63, x[2] << 1 | x[1] >> 63, x[3] << 1 | x[2] >> 63];
        let (mut less, mut borrow, mut j) = ([0; 4], false, 0);
        while j < 4 {
            let (word, first) = x[j].overflowing_sub(m[j]);
            let (word, second) = word.overflowing_sub(borrow as u64);
            (less[j], borrow) = (word, first | second);
            j += 1;
        }
        if over || !borrow {
            x = less;
        }
        i += 1;
    }
    x
}

/// The inverses of several numbers by one inversion. Of 0 it is 0. In constant time.
#[cfg(any(target_arch = "x86_64", test))]
pub(crate) fn inverses<M: Modulus, const N: usize>(x: &mut [Residue<M>; N]) {
    // Products of those before each; 1 stands for 0.
    let (mut before, mut product) = ([Residue::ONE; N], Residue::ONE);
    for (before, x) in before.iter_mut().zip(&*x) {
        *before = product;
        product = product.times(x.or_where(x.is_zero(), Residue::ONE));
    }
    let mut rest = safegcd::inverse(product);
    for (before, x) in before.iter().zip(x).rev() {
        let zero = x.is_zero();
        let inverted = rest.times(*before);
        rest = rest.times(x.or_where(zero, Residue::ONE));
        *x = inverted.or_where(zero, Residue::ZERO);
    }
}
