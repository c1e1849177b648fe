//! Division by a public word, and the inverse of one.

use super::{Limbs, Number, number::mask};
use crate::core::{ct, secret::Wiped};

impl Number {
    /// The quotient and the remainder of a secret number by a public divisor, bit by bit.
    pub(crate) fn divided_by(&self, divisor: u64) -> (Self, u64) {
        let mut quotient = self.clone();
        let mut rest = 0_u64;
        for limb in quotient.as_mut_slice().iter_mut().rev() {
            for _ in 0..64 {
                let (top, next) = (rest >> 63, rest << 1 | *limb >> 63);
                let (less, borrow) = next.overflowing_sub(divisor);
                // With the bit above, it is below 2^65.
                let fits = top | (u64::from(borrow) ^ 1);
                let here = mask(fits);
                rest = (less & here) | (next & !here);
                *limb = *limb << 1 | fits;
            }
        }
        (quotient, rest)
    }
}

/// e^−1 mod m of a public, odd e and a secret m, which has at least two bits. `None` where there is none.
///
/// With k = −1/m mod e it is (km + 1) / e. Since km may be longer than the longest number, it is computed as kq + (kr + 1) / e, of
/// m = qe + r.
pub(crate) fn inverse_of_small(e: u64, m: &Number) -> Option<Wiped<Number>> {
    let (quotient, rest) = m.divided_by(e);
    let quotient = Wiped::new(quotient);
    let word = |word| Wiped::new(Number::word(word, Limbs::new(1)));
    let k = word(e - inverse(rest, e)?);
    let two = Limbs::new(2);
    let mut part = Wiped::new(Number::product(&word(rest), &k, two));
    part.add(&Number::word(1, two));
    let part = Wiped::new(part.divided_by(e).0);
    let mut inverse = Wiped::new(Number::product(&quotient, &k, m.len()));
    inverse.add(&part.resized(m.len()));
    Some(inverse)
}

/// a^−1 mod m, from 1 on, of an odd m that is public and a secret a below it: by the binary algorithm with a fixed number of steps.
fn inverse(a: u64, m: u64) -> Option<u64> {
    // ax = u and ay = v modulo m, and v is odd.
    let (mut u, mut v, mut x, mut y) = (a, m, 1, 0);
    for _ in 0..128 {
        let odd = mask(u & 1);
        let less = mask(u64::from(u.overflowing_sub(v).1)) & odd;
        let (swap_uv, swap_xy) = ((u ^ v) & less, (x ^ y) & less);
        (u, v, x, y) = (u ^ swap_uv, v ^ swap_uv, x ^ swap_xy, y ^ swap_xy);
        u -= v & odd;
        let (difference, borrow) = x.overflowing_sub(y & odd);
        x = difference.wrapping_add(m & mask(borrow.into()));
        // Halves: u is even now.
        u >>= 1;
        let (sum, carry) = x.overflowing_add(m & mask(x & 1));
        x = sum >> 1 | u64::from(carry) << 63;
    }
    // The caller learns from the error that there is none.
    ct::same(v ^ 1).then_some(y)
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn inverses_of_words() {
        for m in [3, 5, 17, 65537, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_fffb, 1_u64 << 63 | 1] {
            for a in [1, 2, 3, 7, 1 << 20, m / 3, m - 2, m - 1] {
                let a = a % m;
                let found = inverse(a, m);
                let gcd = (0..).try_fold(
                    (a, m),
                    |(a, b), _: u32| if a == 0 { Err(b) } else { Ok((b % a, a)) },
                );
                match found {
                    Some(x) => {
                        assert_eq!((u128::from(a) * u128::from(x)) % u128::from(m), 1, "{a} {m}")
                    }
                    None => assert_ne!(gcd.unwrap_err(), 1, "{a} {m}"),
                }
            }
        }
    }
}
