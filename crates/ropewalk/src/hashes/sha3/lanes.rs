//! Keccak-f[1600] on 64-bit lanes: shared by all processors with registers of that width.

use super::{RC, RHO, State};
use crate::core::simd::each;

/// The permutation (section 3.3): two rounds a step, so that the second reads what the first has written.
#[inline(always)]
pub(super) fn permute(state: &mut State) {
    let mut a = each(|i| u64::from_le_bytes(state[i]));
    for [first, second] in RC.as_chunks().0 {
        a = round(&a, *first);
        a = round(&a, *second);
    }
    *state = each(|i| a[i].to_le_bytes());
}

/// One round (section 3.3), row by row of its result.
#[inline(always)]
fn round(a: &[u64; 25], constant: u64) -> [u64; 25] {
    let c: [u64; 5] = each(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let d: [u64; 5] = each(|x| c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1));
    let mut out = [0; 25];
    unroll!(y in 0 1 2 3 4 => {
        // Lane (x, y) after π comes from lane (x + 3 y, x).
        let b: [u64; 5] = each(|x| {
            let (from, i) = ((x + 3 * y) % 5, (x + 3 * y) % 5 + 5 * x);
            (a[i] ^ d[from]).rotate_left(RHO[i])
        });
        unroll!(x in 0 1 2 3 4 => out[x + 5 * y] = b[x] ^ (!b[(x + 1) % 5] & b[(x + 2) % 5]));
    });
    out[0] ^= constant;
    out
}

/// XORs a block into the state.
#[inline(always)]
pub(super) fn add(state: &mut State, block: &[u8]) {
    for (lane, word) in state.iter_mut().zip(block.as_chunks::<8>().0) {
        *lane = (u64::from_le_bytes(*lane) ^ u64::from_le_bytes(*word)).to_le_bytes();
    }
}

/// The first bytes of the state.
#[inline(always)]
pub(super) fn copy(state: &State, block: &mut [u8]) {
    block.copy_from_slice(&state.as_flattened()[..block.len()]);
}
