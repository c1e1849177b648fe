//! Arithmetic modulo an odd number, by Montgomery's method.
//!
//! R is 2^64 to the number of limbs. The Montgomery form of x is xR mod m.

use super::{Bits, Limbs, Number, number::mask};
use crate::core::ct;

/// An odd modulus of at least two bits.
#[derive(Clone)]
pub(crate) struct Modulus {
    m: Number,
    bits: Bits,
    /// −1/m mod 2^64.
    k: u64,
    /// R mod m.
    one: Number,
    /// R² mod m.
    rr: Number,
}

/// The place of a product while it is reduced. Its values are secrets of the caller.
pub(crate) struct Room([u64; 2 * Limbs::MOST.get()]);

impl Room {
    pub(crate) fn new() -> Self {
        Self([0; _])
    }
}

impl Modulus {
    /// Its size becomes public; and it has `len` limbs, or as many as it needs. `None` where it is even or too small.
    pub(crate) fn new(m: &Number, len: Option<Limbs>) -> Option<Self> {
        let bits = m.size();
        if bits < Bits(2) || !ct::verdict(m.is_odd()) {
            return None;
        }
        let len = len.unwrap_or(bits.limbs()).max(bits.limbs());
        let m = m.resized(len);
        let k = negative_inverse(m.as_slice()[0]);
        let one = Number::zero(len);
        let mut modulus = Self { m, bits, k, rr: one.clone(), one };
        modulus.set_powers();
        Some(modulus)
    }

    /// R and R² modulo m.
    fn set_powers(&mut self) {
        let Bits(of_r) = self.len().bits();
        let mut x = Number::power_of_two(Bits(self.bits.0 - 1), self.len());
        for _ in self.bits.0 - 1..of_r {
            self.double(&mut x);
        }
        self.one = x.clone();
        // R · 2^i becomes R · 2^2i by a squaring. R has 64 = 2^6 bits a limb.
        for _ in 0..self.len().get() {
            self.double(&mut x);
        }
        let mut room = Room::new();
        for _ in 0..6 {
            self.square(&mut x, &mut room);
        }
        self.rr = x;
    }

    #[inline(always)]
    pub(crate) fn number(&self) -> &Number {
        &self.m
    }

    #[inline(always)]
    pub(crate) fn bits(&self) -> Bits {
        self.bits
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> Limbs {
        self.m.len()
    }

    /// −1/m mod 2^64.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn negative_inverse(&self) -> u64 {
        self.k
    }

    /// R mod m: the Montgomery form of one.
    #[inline(always)]
    pub(crate) fn one(&self) -> &Number {
        &self.one
    }

    /// R² mod m.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn square_of_r(&self) -> &Number {
        &self.rr
    }

    /// x · y / R mod m, in place of x. One of them is below m, and both have the modulus's length.
    #[inline]
    pub(crate) fn multiply(&self, x: &mut Number, y: &Number, room: &mut Room) {
        let len = self.len().get();
        let Room(t) = room;
        let t = &mut t[..2 * len];
        product(t, x.as_slice(), &y.all_limbs()[..len]);
        self.reduce_in(t, x);
    }

    /// x² / R mod m, in place of x, which is below m.
    #[inline]
    pub(crate) fn square(&self, x: &mut Number, room: &mut Room) {
        let Room(t) = room;
        let t = &mut t[..2 * self.len().get()];
        square(t, x.as_slice());
        self.reduce_in(t, x);
    }

    /// The Montgomery form of x, which has the modulus's length.
    pub(crate) fn enter(&self, x: &mut Number, room: &mut Room) {
        self.multiply(x, &self.rr, room);
    }

    /// The number of which x is the Montgomery form.
    pub(crate) fn leave(&self, x: &mut Number, room: &mut Room) {
        let Room(t) = room;
        let len = self.len().get();
        let t = &mut t[..2 * len];
        t[..len].copy_from_slice(x.as_slice());
        t[len..].fill(0);
        self.reduce_in(t, x);
    }

    /// x mod m, where x is below mR.
    pub(crate) fn remainder(&self, x: &Number, room: &mut Room) -> Number {
        let Room(t) = room;
        let len = self.len();
        let t = &mut t[..2 * len.get()];
        let limbs = x.as_slice();
        let some = limbs.len().min(t.len());
        t[..some].copy_from_slice(&limbs[..some]);
        t[some..].fill(0);
        let mut remainder = Number::zero(len);
        self.reduce_in(t, &mut remainder);
        self.enter(&mut remainder, room);
        remainder
    }

    /// x − y mod m, in place of x, both below m.
    pub(crate) fn subtract(&self, x: &mut Number, y: &Number) {
        let borrow = mask(x.subtract(y));
        let mut carry = false;
        for (x, m) in x.as_mut_slice().iter_mut().zip(self.m.as_slice()) {
            (*x, carry) = x.carrying_add(m & borrow, carry);
        }
    }

    /// x mod m, in place of x, which is below 2m and R.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn normalize(&self, x: &mut Number) {
        // MemorySanitizer does not follow a comparison without a difference.
        #[cfg(ropewalk_ct = "msan")]
        x.set(&self.remainder(x, &mut Room::new()));
        #[cfg(not(ropewalk_ct = "msan"))]
        self.subtract_once(x, 0);
    }

    /// 2x mod m, in place of x, which is below m.
    fn double(&self, x: &mut Number) {
        let mut top = 0;
        for limb in x.as_mut_slice() {
            (*limb, top) = (*limb << 1 | top, *limb >> 63);
        }
        self.subtract_once(x, top);
    }

    /// t / R mod m, where t is below mR.
    #[inline]
    fn reduce_in(&self, t: &mut [u64], out: &mut Number) {
        let m = self.m.as_slice();
        let mut top = false;
        for i in 0..m.len() {
            let (low, high) = t[i..].split_at_mut(m.len());
            let q = low[0].wrapping_mul(self.k);
            let carry = add_product(low, q, m);
            (high[0], top) = high[0].carrying_add(carry, top);
        }
        out.as_mut_slice().copy_from_slice(&t[m.len()..]);
        self.subtract_once(out, top.into());
    }

    /// Subtracts m from x + top · R unless that is below m; it is below 2m.
    #[inline]
    fn subtract_once(&self, x: &mut Number, top: u64) {
        let mut borrow = false;
        for (x, m) in x.as_slice().iter().zip(self.m.as_slice()) {
            (_, borrow) = x.borrowing_sub(*m, borrow);
        }
        let larger = mask(top | (u64::from(borrow) ^ 1));
        let mut borrow = false;
        for (x, m) in x.as_mut_slice().iter_mut().zip(self.m.as_slice()) {
            (*x, borrow) = x.borrowing_sub(m & larger, borrow);
        }
    }
}

/// t = xy, where t is as long as both.
#[inline]
fn product(t: &mut [u64], x: &[u64], y: &[u64]) {
    t[..y.len()].fill(0);
    for (i, x) in x.iter().enumerate() {
        let (low, high) = t[i..].split_at_mut(y.len());
        high[0] = add_product(low, *x, y);
    }
}

/// Adds xy to t, which is as long as y. Returns the carry.
///
/// Four products at a time are summed first, so that chains of carries take a cycle a limb.
#[inline(always)]
fn add_product(t: &mut [u64], x: u64, y: &[u64]) -> u64 {
    let mut carry = 0;
    let ((fours_of_t, rest_of_t), (fours_of_y, rest_of_y)) = (t.as_chunks_mut(), y.as_chunks());
    for (t, y) in fours_of_t.iter_mut().zip(fours_of_y) {
        carry = add_four(t, x, y, carry);
    }
    for (t, y) in rest_of_t.iter_mut().zip(rest_of_y) {
        (*t, carry) = x.carrying_mul_add(*y, *t, carry);
    }
    carry
}

#[inline(always)]
fn add_four(t: &mut [u64; 4], x: u64, y: &[u64; 4], carry: u64) -> u64 {
    let [(l0, h0), (l1, h1), (l2, h2), (l3, h3)] = y.map(|y| x.carrying_mul(y, 0));
    let (s0, c) = l0.carrying_add(carry, false);
    let (s1, c) = l1.carrying_add(h0, c);
    let (s2, c) = l2.carrying_add(h1, c);
    let (s3, c) = l3.carrying_add(h2, c);
    let (s4, _) = h3.carrying_add(0, c);
    let mut c = false;
    for (t, s) in t.iter_mut().zip([s0, s1, s2, s3]) {
        (*t, c) = t.carrying_add(s, c);
    }
    // The whole is below 2^320.
    s4.wrapping_add(c.into())
}

/// t = x², where t is twice as long.
#[inline]
fn square(t: &mut [u64], x: &[u64]) {
    t.fill(0);
    for (i, a) in x.iter().enumerate() {
        let rest = &x[i + 1..];
        let (low, high) = t[2 * i + 1..].split_at_mut(rest.len());
        high[0] = add_product(low, *a, rest);
    }
    let (mut top, mut carry) = (0, false);
    for (pair, a) in t.as_chunks_mut::<2>().0.iter_mut().zip(x) {
        let (low, high) = a.carrying_mul(*a, 0);
        let [t0, t1] = *pair;
        (pair[0], carry) = (t0 << 1 | top).carrying_add(low, carry);
        (pair[1], carry) = (t1 << 1 | t0 >> 63).carrying_add(high, carry);
        top = t1 >> 63;
    }
}

/// −1/m mod 2^64, of an odd m.
fn negative_inverse(m: u64) -> u64 {
    // Right in three bits; each step doubles them.
    let mut x = m;
    for _ in 0..5 {
        x = x.wrapping_mul(2_u64.wrapping_sub(m.wrapping_mul(x)));
    }
    x.wrapping_neg()
}
