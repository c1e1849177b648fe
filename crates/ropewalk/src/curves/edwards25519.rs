//! edwards25519 (RFC 8032, section 5.1), and multiples of its base point.

use super::{
    digits,
    edwards::{Affine, Point},
    tables::{Window, Windows, look_up},
};
use crate::fields::{p25519::number::Number, zeros};

/// d of the curve.
pub(crate) const D: Number = Number::from_bytes(
    b"\xa3\x78\x59\x13\xca\x4d\xeb\x75\xab\xd8\x41\x41\x4d\x0a\x70\x00\x98\xe8\x79\x77\x79\x40\xc7\x8c\x73\xfe\x6f\x2b\xee\x6c\x03\x52",
);

/// Multiples of 16^w B for each window w: y + x, y - x and 2 d x y of the multiples 1 to 8.
pub(crate) static BASE: Windows<12, 64> = Windows::new(include_bytes!("edwards25519.bin"));

/// k B, for a little-endian k below 2^255. In constant time.
pub(crate) fn base_multiple(k: &[u8; 32]) -> Point<Number> {
    let mut sum = Point::neutral(Number::ONE);
    let mut digits = digits::signed_16(k);
    for (window, &digit) in BASE.0.iter().zip(&digits) {
        sum = sum.add_affine(&multiple(window, digit));
    }
    zeroize::Zeroize::zeroize(&mut digits);
    sum
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
    use crate::{
        curves::tables::tests::hold,
        fields::{Field as _, Product as _, p25519::inverse},
    };

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

    /// Every entry of the table is the multiple that additions give. `ROPEWALK_TABLES` names a folder to write it to.
    #[test]
    fn table_has_the_multiples() {
        let (twice_d, mut first) = (D + D, base_point());
        let mut windows = Vec::new();
        for _ in 0..64 {
            let (mut point, mut rows) = (first, [[0; 8]; 12]);
            for entry in 0..8 {
                let z = inverse(point.z);
                let (x, y) = (point.x.times(z), point.y.times(z));
                let numbers = [y + x, y - x, twice_d.times(x.times(y))].map(Number::to_bytes);
                for (row, word) in rows.iter_mut().zip(numbers.as_flattened().as_chunks().0) {
                    row[entry] = u64::from_le_bytes(*word);
                }
                point = point.add(&first, twice_d);
            }
            windows.push(rows);
            for _ in 0..4 {
                first = first.double();
            }
        }
        hold("edwards25519.bin", &windows, &BASE.0);
    }
}
