//! The field of p = 2^255 - 19 (RFC 7748, section 4.1), in five limbs of 51 bits.

#[cfg(any(target_arch = "x86_64", test))]
pub(crate) mod lanes;
pub(crate) mod number;

use super::Field;

/// The 51 bits of a limb.
const LIMB: u64 = (1 << 51) - 1;

/// p in limbs, times 2^`by`.
const fn p_times(by: u32) -> [u64; 5] {
    [(LIMB - 18) << by, LIMB << by, LIMB << by, LIMB << by, LIMB << by]
}

/// x^(p - 2) = x^(2^255 - 21): the inverse of x, or 0 of 0. For lanes: of one number, [`Number::inverse`](number::Number::inverse) is
/// faster.
#[cfg(any(target_arch = "x86_64", test))]
#[inline(always)]
pub(crate) fn inverse<F: Field>(x: F) -> F {
    power(x, [5, X_11])
}

/// x^((p - 5) / 8) = x^(2^252 - 3), for square roots.
#[inline(always)]
pub(crate) fn root_power<F: Field>(x: F) -> F {
    power(x, [2, X])
}

/// The places of x, x^11 and x^(2^250 - 1) in a chain.
const X: u8 = 0;
const X_11: u8 = 3;
const LAST: u8 = 9;

/// x^(2^250 - 1), squared so many times and multiplied by another power. A step squares a power so many times, and
/// multiplies it by another: `[from, squares, by, to]`.
#[inline(always)]
fn power<F: Field>(x: F, [squares, by]: [u8; 2]) -> F {
    const STEPS: [[u8; 4]; 10] = [
        [1, 2, X, 2],        // x^9
        [2, 0, 1, X_11],     // x^11
        [X_11, 1, 2, 4],     // x^(2^5 - 1)
        [4, 5, 4, 5],        // x^(2^10 - 1)
        [5, 10, 5, 6],       // x^(2^20 - 1)
        [6, 20, 6, 7],       // x^(2^40 - 1)
        [7, 10, 5, 7],       // x^(2^50 - 1)
        [7, 50, 7, 8],       // x^(2^100 - 1)
        [8, 100, 8, LAST],   // x^(2^200 - 1)
        [LAST, 50, 7, LAST], // x^(2^250 - 1)
    ];
    let mut powers = [x; 10];
    powers[1] = x.square();
    for [from, squares, by, to] in STEPS.into_iter().chain([[LAST, squares, by, LAST]]) {
        let mut y = powers[usize::from(from)];
        for _ in 0..squares {
            y = y.square();
        }
        powers[usize::from(to)] = y.times(powers[usize::from(by)]);
    }
    powers[usize::from(LAST)]
}

#[cfg(test)]
mod tests;
