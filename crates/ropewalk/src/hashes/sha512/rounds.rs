//! The rounds of one message in general registers (FIPS 180-4, section 6.4.2), with its notation.

use super::State;

/// One round, given W_t + K_t; returns the working variables a … h after it. Unrolled eight times or more, the moves are
/// renamings only.
#[inline(always)]
pub(super) fn round([a, b, c, d, e, f, g, h]: State, wk: u64) -> State {
    let s1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
    let ch = (e & f) ^ (!e & g);
    let t1 = h.wrapping_add(wk).wrapping_add(ch).wrapping_add(s1);
    let s0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
    // a ^ b is b ^ c of the next round.
    let maj = ((a ^ b) & (b ^ c)) ^ b;
    [t1.wrapping_add(s0).wrapping_add(maj), a, b, c, d.wrapping_add(t1), e, f, g]
}

/// The hash value after a block, given that before it and the working variables (step 4).
#[inline(always)]
pub(super) fn add(state: &mut State, variables: State) {
    for i in 0..8 {
        state[i] = state[i].wrapping_add(variables[i]);
    }
}
