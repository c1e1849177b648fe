//! Inverses by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion"), in constant time.
//!
//! A division step takes (delta, f, g), with an odd f, to (1 - delta, g, (g - f) / 2) if delta > 0 and g is odd, and otherwise to
//! (1 + delta, f, (g + (g mod 2) f) / 2). From delta = 1/2, 590 steps take any f and g of 256 bits to g = 0 and f = ±gcd
//! (Wuille's variant, in libsecp256k1's doc/safegcd_implementation.md). Here it is 10 rounds of 62 steps: those of a round depend
//! on 62 bits of f and g only.

use super::{
    Field as _, ones_if,
    words::{Modulus, Residue, Words, choose, minus, row, times_power_of_two},
};
use crate::core::opaque::unknown;

/// The inverse of x, or 0 of 0.
pub(crate) fn inverse<M: Modulus>(x: Residue<M>) -> Residue<M> {
    // The Montgomery form of x is 2^256 x, and that of its inverse has to be 2^256 / x.
    let power = const { times_power_of_two(M::WORDS, [1, 0, 0, 0], 3 * 256 + SCALED) };
    quotient::<M>(x.to_raw()).times(Residue::raw(power))
}

/// The rounds, and the steps of each.
const ROUNDS: u32 = 10;
const STEPS: u32 = 62;

/// A round divides f and g by 2^62, but d and e by 2^64.
const SCALED: u32 = ROUNDS * (64 - STEPS);

/// A number in two's complement.
type Signed = [u64; 5];

/// 1 / (2^20 x) modulo M.
fn quotient<M: Modulus>(x: Words) -> Residue<M> {
    let signed = |[a, b, c, d]: Words| [a, b, c, d, 0];
    let (mut f, mut g) = (signed(M::WORDS), signed(x));
    // d x = f and e x = g modulo M, but for powers of 2.
    let (mut d, mut e) = (Residue::<M>::ZERO, Residue::<M>::raw([1, 0, 0, 0]));
    // Twice delta.
    let mut delta = 1;
    for _ in 0..ROUNDS {
        let matrix;
        (delta, matrix) = steps(delta, f[0], g[0]);
        let [f_row, g_row] = matrix;
        (f, g) = (combined(f_row, f, g), combined(g_row, f, g));
        (d, e) = (combined_modulo(f_row, d, e), combined_modulo(g_row, d, e));
    }
    let negative = ones_if(f[4] >> 63 != 0);
    d.or_where(negative, d.negated())
}

/// 62 division steps. Returns twice delta, and rows (u, v) and (q, r): u f + v g and q f + r g are 2^62 times the new f and g.
#[inline(always)]
fn steps(mut delta: i64, mut f: u64, mut g: u64) -> (i64, [[i64; 2]; 2]) {
    let (mut u, mut v, mut q, mut r) = (1_u64, 0_u64, 0_u64, 1_u64);
    for _ in 0..STEPS {
        let odd = unknown(g & 1).wrapping_neg();
        let swap = unknown(odd & (delta.wrapping_neg() >> 63).cast_unsigned());
        // Where it swaps, f and g become g and -f, and delta its opposite.
        for (a, b) in [(&mut f, &mut g), (&mut u, &mut q), (&mut v, &mut r)] {
            let both = (*a ^ *b) & swap;
            (*a, *b) = (*a ^ both, ((*b ^ both) ^ swap).wrapping_sub(swap));
            *b = b.wrapping_add(*a & odd);
        }
        let swap = swap.cast_signed();
        delta = (delta ^ swap).wrapping_sub(swap).wrapping_add(2);
        g >>= 1;
        (u, v) = (u << 1, v << 1);
    }
    (delta, [[u, v], [q, r]].map(|row| row.map(u64::cast_signed)))
}

/// A sign as a mask, and a magnitude.
#[inline(always)]
fn parts(x: i64) -> (u64, u64) {
    let negative = unknown((x >> 63).cast_unsigned());
    (negative, (x.cast_unsigned() ^ negative).wrapping_sub(negative))
}

/// (u f + v g) / 2^62, which is exact and has at most 257 bits.
#[inline(always)]
fn combined([u, v]: [i64; 2], f: Signed, g: Signed) -> Signed {
    let sum = add_product([0; 5], u, f);
    let [a, b, c, d, e] = add_product(sum, v, g);
    let shifted = |low: u64, high: u64| low >> STEPS | high << (64 - STEPS);
    [
        shifted(a, b),
        shifted(b, c),
        shifted(c, d),
        shifted(d, e),
        (e.cast_signed() >> STEPS).cast_unsigned(),
    ]
}

/// sum + u f modulo 2^320.
#[inline(always)]
fn add_product(sum: Signed, u: i64, f: Signed) -> Signed {
    let (negative, u) = parts(u);
    // -f is its complement and 1.
    let [a, b, c, d, e] = f.map(|word| word ^ negative);
    let (s0, up) = u.carrying_mul_add(a, sum[0], u & negative);
    let (s1, up) = u.carrying_mul_add(b, sum[1], up);
    let (s2, up) = u.carrying_mul_add(c, sum[2], up);
    let (s3, up) = u.carrying_mul_add(d, sum[3], up);
    [s0, s1, s2, s3, u.wrapping_mul(e).wrapping_add(sum[4]).wrapping_add(up)]
}

/// (u d + v e) / 2^64 modulo M.
#[inline(always)]
fn combined_modulo<M: Modulus>([u, v]: [i64; 2], d: Residue<M>, e: Residue<M>) -> Residue<M> {
    let of = |x: i64, y: Residue<M>| {
        let (negative, x) = parts(x);
        (x, choose(negative, minus(M::WORDS, y.to_raw()).0, y.to_raw()))
    };
    let ((u, d), (v, e)) = (of(u, d), of(v, e));
    // |u| + |v| is at most 2^62, so that the sum is below 2^62 M, and the result below 5/4 M.
    let [a, b, c, d, up] = row(u, d, [0; 4]);
    let [a, b, c, d, more] = row(v, e, [a, b, c, d]);
    let (words, over) = M::cancel([a, b, c, d, up.wrapping_add(more)], false);
    Residue::below(words, over)
}
