//! edwards25519 (RFC 8032, section 5.1), and multiples of its base point.

#[cfg(all(feature = "ed25519", feature = "many"))]
use alloc::vec::Vec;

#[cfg(feature = "ed25519")]
use super::edwards::{Addend, Sum};
use super::{
    digits,
    edwards::{Affine, Point},
    tables::{Window, Windows, look_up},
};
#[cfg(feature = "ed25519")]
use crate::fields::{Field as _, p25519::root_power};
use crate::fields::{p25519::number::Number, zeros};

/// d of the curve.
pub(crate) const D: Number = Number::from_bytes(
    b"\xa3\x78\x59\x13\xca\x4d\xeb\x75\xab\xd8\x41\x41\x4d\x0a\x70\x00\x98\xe8\x79\x77\x79\x40\xc7\x8c\x73\xfe\x6f\x2b\xee\x6c\x03\x52",
);

/// 2 d.
pub(crate) const TWICE_D: Number = Number::from_bytes(
    b"\x59\xf1\xb2\x26\x94\x9b\xd6\xeb\x56\xb1\x83\x82\x9a\x14\xe0\x00\x30\xd1\xf3\xee\xf2\x80\x8e\x19\xe7\xfc\xdf\x56\xdc\xd9\x06\x24",
);

/// 2^((p - 1) / 4).
#[cfg(feature = "ed25519")]
pub(crate) const ROOT_OF_MINUS_1: Number = Number::from_bytes(
    b"\xb0\xa0\x0e\x4a\x27\x1b\xee\xc4\x78\xe4\x2f\xad\x06\x18\x43\x2f\xa7\xd7\xfb\x3d\x99\x00\x4d\x2b\x0b\xdf\xc1\x4f\x80\x24\x83\x2b",
);

/// The multiples B, 3 B to 127 B, as of [`BASE`].
#[cfg(feature = "ed25519")]
static ODD: Windows<12, 8> = Windows::new(include_bytes!("edwards25519_odd.bin"));

/// Multiples of 16^w B for each window w: y + x, y - x and 2 d x y of the multiples 1 to 8.
pub(crate) static BASE: Windows<12, 64> = Windows::new(include_bytes!("edwards25519.bin"));

/// k B, for a little-endian k below 2^255. In constant time.
pub(crate) fn base_multiple(k: &[u8; 32]) -> Point<Number> {
    let mut sum = Point::neutral(Number::ONE);
    let mut digits = digits::signed_16(k);
    for (window, &digit) in BASE.0.iter().zip(&digits) {
        sum = sum.add_affine(&multiple(window, digit)).point();
    }
    zeroize::Zeroize::zeroize(&mut digits);
    sum
}

/// s B + k P, for little-endian s and k below 2^255, all of which are public.
#[cfg(feature = "ed25519")]
pub(crate) fn public_sum(s: &[u8; 32], k: &[u8; 32], p: &Point<Number>) -> Point<Number> {
    const OF_B: u32 = 8;
    const OF_P: u32 = 5;
    let (s, k) = (digits::sparse::<OF_B>(s), digits::sparse::<OF_P>(k));
    let multiples = odd_multiples(p);
    let mut sum = Point::neutral(Number::ONE);
    let Some(first) = (0..256).rev().find(|&i| s[i] != 0 || k[i] != 0) else { return sum };
    for i in (0..=first).rev() {
        let mut doubled = sum.double();
        if k[i] != 0 {
            doubled = added(&whole(&doubled), &multiple_of(&multiples, k[i]));
        }
        if s[i] != 0 {
            let index = usize::from(s[i].unsigned_abs() / 2);
            let words = ODD.0[index / 8].map(|row| row[index % 8]);
            let [sum, difference, product] = numbers(words);
            let multiple = Affine { sum, difference, product }
                .negated_where((i64::from(s[i]) >> 63).cast_unsigned());
            doubled = added_affine(&whole(&doubled), &multiple);
        }
        sum = doubled.without_t();
    }
    sum
}

/// A signature in the equation of a batch: z times R, and z k times A.
#[cfg(all(feature = "ed25519", feature = "many"))]
#[derive(Clone, Copy)]
pub(crate) struct Term<'a> {
    /// z, below 2^128.
    pub(crate) z: [u8; 32],
    /// The bytes of R.
    pub(crate) r: &'a [u8; 32],
    /// z k modulo L.
    pub(crate) zk: [u8; 32],
    pub(crate) minus_a: &'a Point<Number>,
}

/// The sum of -z R - z k A of all terms, all of which are public. None if some R is no point.
#[cfg(all(feature = "ed25519", feature = "many"))]
pub(crate) fn sum_of_terms(terms: &[Term<'_>]) -> Option<Point<Number>> {
    const WIDTH: u32 = 5;
    let mut all = Vec::with_capacity(2 * terms.len());
    for term in terms {
        let minus_r = decode(term.r)?.negated();
        all.push((digits::sparse::<WIDTH>(&term.z), odd_multiples(&minus_r)));
        all.push((digits::sparse::<WIDTH>(&term.zk), odd_multiples(term.minus_a)));
    }
    let mut sum = Point::neutral(Number::ONE);
    for i in (0..256).rev() {
        let mut doubled = sum.double();
        for (digits, multiples) in &all {
            if digits[i] != 0 {
                doubled = added(&whole(&doubled), &multiple_of(multiples, digits[i]));
            }
        }
        sum = whole(&doubled);
    }
    Some(sum)
}

// Sums are out of line, for the size of those functions that have several.

#[cfg(feature = "ed25519")]
#[inline(never)]
fn whole(sum: &Sum<Number>) -> Point<Number> {
    sum.point()
}

#[cfg(feature = "ed25519")]
#[inline(never)]
fn added(p: &Point<Number>, q: &Addend<Number>) -> Sum<Number> {
    p.add(q)
}

#[cfg(feature = "ed25519")]
#[inline(never)]
fn added_affine(p: &Point<Number>, q: &Affine<Number>) -> Sum<Number> {
    p.add_affine(q)
}

/// P, 3 P to 15 P.
#[cfg(feature = "ed25519")]
fn odd_multiples(p: &Point<Number>) -> [Addend<Number>; 8] {
    let twice = p.double().point().addend(TWICE_D);
    let (mut odd, mut multiples) = (*p, [p.addend(TWICE_D); 8]);
    for multiple in &mut multiples[1..] {
        odd = added(&odd, &twice).point();
        *multiple = odd.addend(TWICE_D);
    }
    multiples
}

/// An odd digit times the point of these multiples. The digit is public.
#[cfg(feature = "ed25519")]
fn multiple_of(multiples: &[Addend<Number>; 8], digit: i8) -> Addend<Number> {
    let negative = (i64::from(digit) >> 63).cast_unsigned();
    multiples[usize::from(digit.unsigned_abs() / 2)].negated_where(negative)
}

/// Whether 8 P is the neutral point. T is not used.
#[cfg(all(feature = "ed25519", feature = "many"))]
pub(crate) fn has_small_order(p: &Point<Number>) -> bool {
    let p = p.double().without_t().double().without_t().double().point();
    p.x.is_zero() != 0 && p.y.is(p.z) != 0
}

/// The bytes of a point (section 5.1.2).
#[cfg(feature = "ed25519")]
pub(crate) fn encode(point: &Point<Number>) -> [u8; 32] {
    let z = point.z.inverse();
    let mut bytes = point.y.times(z).to_bytes();
    bytes[31] |= (point.x.times(z).parity() as u8) << 7;
    bytes
}

/// The point of these bytes, which are public (section 5.1.3). None where y is p or more, where no x has such a square, and where
/// x is 0 and should be odd.
#[cfg(feature = "ed25519")]
pub(crate) fn decode(bytes: &[u8; 32]) -> Option<Point<Number>> {
    let (y, x_0) = (Number::from_bytes(bytes), u64::from(bytes[31] >> 7));
    let mut without_sign = *bytes;
    without_sign[31] &= 127;
    if y.to_bytes() != without_sign {
        return None;
    }
    // x^2 = u / v.
    let yy = y.square();
    let (u, v) = ((yy - Number::ONE).carried(), Number::ONE + D.times(yy));
    let vvv = v.square().times(v);
    let mut x = u.times(vvv).times(root_power(u.times(vvv.square()).times(v)));
    let vxx = v.times(x.square());
    if vxx.is(u) == 0 {
        if vxx.is(u.negated()) == 0 {
            return None;
        }
        x = x.times(ROOT_OF_MINUS_1);
    }
    if x.parity() != x_0 {
        if x.is_zero() != 0 {
            return None;
        }
        x = x.negated().carried();
    }
    Some(Point { x, y, z: Number::ONE, t: x.times(y) })
}

/// `digit` times the point of a window, for -8 to 8.
fn multiple(window: &Window<12>, digit: i8) -> Affine<Number> {
    let negative = (i64::from(digit) >> 63).cast_unsigned();
    let magnitude = (i64::from(digit).cast_unsigned() ^ negative).wrapping_sub(negative);
    let [mut sum, mut difference, product] = numbers(look_up(window, magnitude));
    // 0 times is the point (0, 1).
    let one = zeros(magnitude) & 1;
    sum.0[0] |= one;
    difference.0[0] |= one;
    Affine { sum, difference, product }.negated_where(negative)
}

fn numbers([a, b, c, d, e, f, g, h, i, j, k, l]: [u64; 12]) -> [Number; 3] {
    [
        Number::from_words([a, b, c, d]),
        Number::from_words([e, f, g, h]),
        Number::from_words([i, j, k, l]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{curves::tables::tests::hold, fields::p25519::inverse};

    /// B (section 5.1).
    const B_X: &[u8; 32] = b"\x1a\xd5\x25\x8f\x60\x2d\x56\xc9\xb2\xa7\x25\x95\x60\xc7\x2c\x69\x5c\xdc\xd6\xfd\x31\xe2\xa4\xc0\xfe\x53\x6e\xcd\xd3\x36\x69\x21";
    const B_Y: &[u8; 32] = b"\x58\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66";

    fn base_point() -> Point<Number> {
        let (x, y) = (Number::from_bytes(B_X), Number::from_bytes(B_Y));
        Point { x, y, z: Number::ONE, t: x.times(y) }
    }

    /// -x^2 + y^2 = 1 + d x^2 y^2.
    #[test]
    fn base_point_is_on_the_curve() {
        let Point { x, y, t, .. } = base_point();
        assert_eq!((y.square() - x.square()).is(Number::ONE + D.times(t.square())), !0);
    }

    #[test]
    fn constants() {
        assert_eq!((D + D).is(TWICE_D), !0);
        assert_eq!(ROOT_OF_MINUS_1.square().is(Number::ONE.negated()), !0);
    }

    /// Every entry of the tables is the multiple that additions give. `ROPEWALK_TABLES` names a folder to write them to.
    #[test]
    fn tables_have_the_multiples() {
        let mut first = base_point();
        let mut windows = Vec::new();
        for _ in 0..64 {
            windows.push(window(first, first));
            for _ in 0..4 {
                first = first.double().point();
            }
        }
        hold("edwards25519.bin", &windows, &BASE.0);

        let (base, mut odd) = (base_point(), Vec::new());
        let twice = base.double().point();
        let mut first = base;
        for _ in 0..8 {
            odd.push(window(first, twice));
            for _ in 0..8 {
                first = first.add(&twice.addend(TWICE_D)).point();
            }
        }
        hold("edwards25519_odd.bin", &odd, &ODD.0);
    }

    /// Eight points, each the one before and a step.
    fn window(mut point: Point<Number>, step: Point<Number>) -> Window<12> {
        let mut rows = [[0; 8]; 12];
        for entry in 0..8 {
            let z = inverse(point.z);
            let (x, y) = (point.x.times(z), point.y.times(z));
            let numbers = [y + x, y - x, TWICE_D.times(x.times(y))].map(Number::to_bytes);
            for (row, word) in rows.iter_mut().zip(numbers.as_flattened().as_chunks().0) {
                row[entry] = u64::from_le_bytes(*word);
            }
            point = point.add(&step.addend(TWICE_D)).point();
        }
        rows
    }
}
