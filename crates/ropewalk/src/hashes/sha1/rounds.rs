//! Rounds of SHA-1 on words (FIPS 180-4, section 6.1.2), with its notation.

use super::State;
use crate::core::opaque::unknown;

/// One round of the twenty that begin at 20 `F`, given K_t + W_t: the working variables after it.
///
/// The result of one round is rotated and added in the next, two cycles a round. So that f is ready in time, its two halves,
/// which have no bit in common, are added separately.
#[inline(always)]
pub(super) fn round<const F: usize>([a, b, c, d, e]: State, wk: u32) -> State {
    let sum = e.wrapping_add(wk);
    // Section 4.1.1: Ch, Parity, Maj, Parity.
    let sum = match F {
        0 => sum.wrapping_add(!b & d).wrapping_add(b & c),
        2 => sum.wrapping_add(c & d).wrapping_add(b & (c ^ d)),
        _ => sum.wrapping_add(b ^ (c ^ d)),
    };
    [sum.wrapping_add(a.rotate_left(5)), a, b.rotate_left(30), c, d]
}

/// The state after a block whose rounds have ended with those working variables. Word by word, or the compiler would assemble
/// vectors and take them apart again.
#[inline(always)]
pub(super) fn add(state: State, variables: State) -> State {
    let mut sum = state;
    for i in 0..5 {
        sum[i] = unknown(state[i].wrapping_add(variables[i]).into()) as u32;
    }
    sum
}
