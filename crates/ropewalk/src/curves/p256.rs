//! P-256 (SP 800-186, section 3.2.1.3), and multiples of points.
//!
//! An odd scalar k below 2^256 is the sum of 2 e_i - 15, times 16^i, where the e_i are the 64 digits of (k - 1) / 2 + 2^255 in
//! base 16. So each window adds an odd multiple from 1 to 15 of its point or of the opposite one, and never nothing. Of an even
//! scalar k, n - k is taken, and the opposite point at the end. For G there are 52 windows of five bits, whose multiples are 1 to
//! 31; that of the last window is always 1.
//!
//! A partial sum is j P, and the next multiple i P, where i and j differ in size and neither is 0. So the points are neither
//! infinite nor equal, unless i - j or i + j is a multiple of n. Numbers are large enough for that in the last sum of all only,
//! which is [settled](super::weierstrass::Sum::settled): with four bits k = n - 2 (n mod 2^252) has one of equal points, and with
//! five bits k = 2^256 - n.

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

use super::{
    tables::{Window, Windows, look_up},
    weierstrass::{Affine, Point, Sum},
};
use crate::{
    core::secret::Wiped,
    fields::{
        Coordinate as _, Field as _, ones_if,
        p256::{number::Number, order::N},
        safegcd::inverse,
        words::{Modulus as _, Residue, Words, choose, minus},
        zeros,
    },
};

/// b of the curve.
pub(crate) const B: Number = Residue::constant(B_WORDS);

const B_WORDS: Words =
    [0x3bce_3c3e_27d2_604b, 0x651d_06b0_cc53_b0f6, 0xb3eb_bd55_7698_86bc, 0x5ac6_35d8_aa3a_93e7];

/// G.
#[cfg(test)]
pub(crate) const BASE_POINT: Affine<Number> = Affine {
    x: Residue::constant([
        0xf4a1_3945_d898_c296,
        0x7703_7d81_2deb_33a0,
        0xf8bc_e6e5_63a4_40f2,
        0x6b17_d1f2_e12c_4247,
    ]),
    y: Residue::constant([
        0xcbb6_4068_37bf_51f5,
        0x2bce_3357_6b31_5ece,
        0x8ee7_eb4a_7c0f_9e16,
        0x4fe3_42e2_fe1a_7f9b,
    ]),
};

/// Multiples of 32^w G for each window w: x and y of the odd multiples 1 to 31, in Montgomery form.
pub(crate) static BASE: Windows<8, BASE_WINDOWS, 16> = Windows::new(include_bytes!("p256.bin"));

const BASE_WINDOWS: usize = 52;
type BaseWindow = Window<8, 16>;

/// A scalar below n in digits e_i of that many bits, the lowest first; and all ones if the opposite point is to be taken at the
/// end. In constant time.
fn digits<const BITS: usize, const COUNT: usize>(k: Words) -> ([u8; COUNT], u64) {
    let even = ones_if(k[0] & 1 == 0);
    let [a, b, c, d] = choose(even, minus(N::WORDS, k).0, k);
    let mut half = [a >> 1 | b << 63, b >> 1 | c << 63, c >> 1 | d << 63, d >> 1, 0];
    let last = BITS * COUNT - 1;
    half[last / 64] |= 1 << (last % 64);
    let mut digits = [0; COUNT];
    for (i, digit) in digits.iter_mut().enumerate() {
        let (word, bit) = (BITS * i / 64, BITS * i % 64);
        let next = if bit + BITS > 64 { half[word + 1] << (64 - bit) } else { 0 };
        *digit = (half[word] >> bit | next) as u8 & ((1 << BITS) - 1);
    }
    (digits, even)
}

/// The place of a digit's multiple in its window, and all ones if it is of the opposite point: of four bits, 2 e - 15 is positive
/// from 8 on.
#[inline(always)]
fn place<const BITS: usize>(digit: u8) -> (u64, u64) {
    let digit = u64::from(digit);
    let negative = (digit >> (BITS - 1)).wrapping_sub(1);
    ((digit ^ negative) & ((1 << (BITS - 1)) - 1), negative)
}

/// k G, for k below n. In constant time.
pub(crate) fn base_multiple(k: Words) -> Point<Number> {
    let (digits, negative) = digits::<5, BASE_WINDOWS>(k);
    let digits = Wiped::new(digits);
    const LAST: usize = BASE_WINDOWS - 1;
    let mut sum = entry(&BASE.0[0], digits[0]).point();
    for (window, &digit) in BASE.0[1..LAST].iter().zip(&digits[1..]) {
        sum = add_affine(&sum, &entry(window, digit));
    }
    let last = entry(&BASE.0[LAST], digits[LAST]).point();
    add(&sum, &last).negated_where(negative)
}

fn entry(window: &BaseWindow, digit: u8) -> Affine<Number> {
    let (place, negative) = place::<5>(digit);
    of_table(look_up(window, place + 1)).negated_where(negative)
}

#[inline(always)]
fn of_table([a, b, c, d, e, f, g, h]: [u64; 8]) -> Affine<Number> {
    Affine { x: Number::raw([a, b, c, d]), y: Number::raw([e, f, g, h]) }
}

/// The sum of any two points. In constant time.
pub(crate) fn add(p: &Point<Number>, q: &Point<Number>) -> Point<Number> {
    sum(p, q).settled(p, q, &double(p))
}

// Formulas are out of line, as each is long.

#[inline(never)]
fn double(p: &Point<Number>) -> Point<Number> {
    p.double()
}

#[inline(never)]
fn sum(p: &Point<Number>, q: &Point<Number>) -> Sum<Number> {
    p.add(q)
}

#[inline(never)]
fn add_affine(p: &Point<Number>, q: &Affine<Number>) -> Point<Number> {
    p.add_affine(q)
}

/// k P, for k below n and a P that is not infinite. In constant time.
pub(crate) fn multiple(p: &Affine<Number>, k: Words) -> Point<Number> {
    let (digits, negative) = digits::<4, 64>(k);
    let digits = Wiped::new(digits);
    let table = odd_multiples(p);
    let of = |digit: u8| {
        let (place, negative) = place::<4>(digit);
        let mut point = table[0];
        for i in 1..8 {
            point = point.or_where(zeros(place ^ i as u64), &table[i]);
        }
        point.negated_where(negative)
    };
    let (first, rest) = digits.split_first().expect("64 digits");
    let (last, rest) = rest.split_last().expect("64 digits");
    let mut acc = of(*last);
    for &digit in rest.iter().rev() {
        acc = sum(&times_16(&acc), &of(digit)).point;
    }
    add(&times_16(&acc), &of(*first)).negated_where(negative)
}

/// P, 3 P, to 15 P.
pub(crate) fn odd_multiples(p: &Affine<Number>) -> [Point<Number>; 8] {
    let mut table = [p.point(); 8];
    let twice = double(&table[0]);
    for i in 1..8 {
        table[i] = sum(&table[i - 1], &twice).point;
    }
    table
}

fn times_16(p: &Point<Number>) -> Point<Number> {
    let mut p = *p;
    for _ in 0..4 {
        p = double(&p);
    }
    p
}

/// x and y of a point. Of the infinite one both are 0.
pub(crate) fn affine(p: &Point<Number>) -> Affine<Number> {
    let z = inverse(p.z);
    let zz = z.square();
    Affine { x: p.x.times(zz), y: p.y.times(zz.times(z)) }
}

/// Whether y^2 = x^3 - 3 x + b, as a mask.
pub(crate) fn is_on_curve(Affine { x, y }: &Affine<Number>) -> u64 {
    y.square().is(right_side(*x))
}

/// x^3 - 3 x + b.
pub(crate) fn right_side(x: Number) -> Number {
    (x.square() - Number::ONE - Number::ONE - Number::ONE).times(x) + B
}

/// u G + v P for verification, with v below n: it takes a time that depends on all of them.
pub(crate) fn double_multiple_vartime(u: Words, p: &Affine<Number>, v: Words) -> Point<Number> {
    let (u, v) = (sparse_digits_vartime(u), sparse_digits_vartime(v));
    let table = odd_multiples(p);
    let mut acc = Point { x: Number::ONE, y: Number::ONE, z: Number::ZERO };
    for (&u, &v) in u.iter().zip(&v).rev() {
        acc = double(&acc);
        if v != 0 {
            let q = table[usize::from(v.unsigned_abs() / 2)].negated_where(ones_if(v < 0));
            let next = sum(&acc, &q).point;
            acc = if next.z.is_zero() != 0 { add(&acc, &q) } else { next };
        }
        if u != 0 {
            let q = of_table(BASE.0[0].map(|row| row[usize::from(u.unsigned_abs() / 2)]));
            let q = q.negated_where(ones_if(u < 0));
            let next = add_affine(&acc, &q);
            acc = if next.z.is_zero() != 0 { add(&acc, &q.point()) } else { next };
        }
    }
    acc
}

/// Digits that are 0 or odd, from -15 to 15, the lowest first. Four zeros or more follow each that is not 0.
fn sparse_digits_vartime(k: Words) -> [i8; 257] {
    let bit = |i: usize| if i < 256 { k[i / 64] >> (i % 64) & 1 } else { 0 };
    let (mut digits, mut carry, mut i) = ([0; 257], 0, 0);
    while i < 257 {
        if bit(i) == carry {
            i += 1;
            continue;
        }
        let window = carry + (0..5).map(|more| bit(i + more) << more).sum::<u64>();
        carry = window >> 4 & 1;
        digits[i] = window as i8 - (carry << 5) as i8;
        i += 5;
    }
    digits
}

#[cfg(test)]
mod tests;
