//! The field of P-256 and the numbers modulo the order of its group (SP 800-186, section 3.2.1.3).

#[cfg(any(target_arch = "x86_64", test))]
pub(crate) mod lanes;
pub(crate) mod number;
pub(crate) mod order;

use super::Field;

/// x^((p + 1) / 4), of (p + 1) / 4 = 2^254 - 2^222 + 2^190 + 2^94: a square root of x, if there is one.
#[inline(always)]
pub(crate) fn root<F: Field>(x: F) -> F {
    let mut y = power(x, [[X_32, 32, X, Y], [Y, 96, X, Y]]);
    for _ in 0..94 {
        y = y.square();
    }
    y
}

/// The places of x^(2^i - 1) in a chain, and of the result.
const X: u8 = 0;
const X_30: u8 = 5;
const X_32: u8 = 6;
const Y: u8 = 7;

/// A power by a chain. A step squares a power so many times, and multiplies it by another: `[from, squares, by, to]`.
#[inline(always)]
fn power<F: Field>(x: F, last: [[u8; 4]; 2]) -> F {
    const STEPS: [[u8; 4]; 7] = [
        [X, 1, X, 1],       // x^(2^2 - 1)
        [1, 1, X, 2],       // x^(2^3 - 1)
        [2, 3, 2, 3],       // x^(2^6 - 1)
        [3, 6, 3, 4],       // x^(2^12 - 1)
        [4, 3, 2, 4],       // x^(2^15 - 1)
        [4, 15, 4, X_30],   // x^(2^30 - 1)
        [X_30, 2, 1, X_32], // x^(2^32 - 1)
    ];
    let mut powers = [x; 8];
    for [from, squares, by, to] in STEPS.into_iter().chain(last) {
        let mut y = powers[usize::from(from)];
        for _ in 0..squares {
            y = y.square();
        }
        powers[usize::from(to)] = y.times(powers[usize::from(by)]);
    }
    powers[usize::from(Y)]
}

#[cfg(test)]
mod tests;
