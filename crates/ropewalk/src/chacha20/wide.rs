//! ChaCha20 on vectors of any width, written once.
//!
//! For long texts, a lane is a block: vectors are words of the state. For short ones, four lanes are a
//! row of a block, so that a few blocks fill a vector; a round on diagonals turns rows before and after.

use super::{KeyWords, Nonce, State, nonce_words};
use crate::{
    secret::Wiped,
    simd::{Rows, each},
    text::Text,
};

/// Adds the key stream, from the block of that counter on, to the text.
#[inline(always)]
pub(crate) fn apply<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    counter: u32,
    nonce: &Nonce,
    mut text: Text<'_>,
) {
    let mut state = Wiped::new([0; 16]);
    state[..12].copy_from_slice(key);
    state[12..].copy_from_slice(&nonce_words(counter, nonce));
    while text.len() >= 64 * L {
        V::add_blocks(blocks_in_lanes::<V, L>(cpu, &state), &mut text);
        state[12] = state[12].wrapping_add(L as u32);
    }
    match text.len() {
        0 => {}
        len if len <= 16 * L => add_rows::<V, L, 1>(cpu, &state, text),
        len if len <= 32 * L => add_rows::<V, L, 2>(cpu, &state, text),
        _ => add_rows::<V, L, 4>(cpu, &state, text),
    }
}

/// `L` blocks, from the state's counter on.
#[inline(always)]
fn blocks_in_lanes<V: Rows<L>, const L: usize>(cpu: V::Cpu, state: &State) -> [V; 16] {
    const COUNT: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let lanes = V::load(cpu, COUNT.first_chunk().expect("16 lanes at most"));
    let counters = V::splat(cpu, state[12]) + lanes;
    let mut x: [V; 16] = each(|i| V::splat(cpu, state[i]));
    x[12] = counters;
    for _ in 0..10 {
        quarter_rounds(&mut x, |i| [i, 4 + i, 8 + i, 12 + i]);
        quarter_rounds(&mut x, |i| [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
    }
    for i in 0..16 {
        x[i] = x[i] + if i == 12 { counters } else { V::splat(cpu, state[i]) };
    }
    V::words_to_blocks(x)
}

/// Four quarter rounds (section 2.1), step by step side by side: each waits for itself only.
#[inline(always)]
fn quarter_rounds<V: Rows<L>, const L: usize>(x: &mut [V; 16], of: impl Fn(usize) -> [usize; 4]) {
    macro_rules! step {
        ($a:literal $b:literal $d:literal $R:literal) => {
            unroll!(i in 0 1 2 3 => {
                let (a, b, d) = (of(i)[$a], of(i)[$b], of(i)[$d]);
                x[a] = x[a] + x[b];
                x[d] = (x[d] ^ x[a]).rotr::<$R>();
            });
        };
    }
    step!(0 1 3 16);
    step!(2 3 1 20);
    step!(0 1 3 24);
    step!(2 3 1 25);
}

/// Adds the key stream of so many vectors of rows to a text that is not longer.
#[inline(always)]
fn add_rows<V: Rows<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    state: &State,
    mut text: Text<'_>,
) {
    for blocks in blocks_in_rows::<V, L, N>(cpu, state) {
        for v in blocks {
            if text.len() > 0 {
                v.add_to(&mut text);
            }
        }
    }
}

/// `N L / 4` blocks, from the state's counter on.
#[inline(always)]
pub(crate) fn blocks_in_rows<V: Rows<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    state: &State,
) -> [[V; 4]; N] {
    const COUNT: [u32; 16] = [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0];
    let lanes = V::load(cpu, COUNT.first_chunk().expect("16 lanes at most"));
    let [a, b, c, d] = each(|row| V::repeat(cpu, &state.as_chunks().0[row]));
    let start: [[V; 4]; N] = each(|n| {
        let counter = V::repeat(cpu, &[(n * L / 4) as u32, 0, 0, 0]);
        [a, b, c, d + lanes + counter]
    });
    let mut x = start;
    for _ in 0..10 {
        quarter_rounds_in_rows(&mut x);
        for n in 0..N {
            let [a, b, c, d] = x[n];
            x[n] = [a, b.turn::<1>(), c.turn::<2>(), d.turn::<3>()];
        }
        quarter_rounds_in_rows(&mut x);
        for n in 0..N {
            let [a, b, c, d] = x[n];
            x[n] = [a, b.turn::<3>(), c.turn::<2>(), d.turn::<1>()];
        }
    }
    each(|n| V::rows_to_blocks(each(|row| x[n][row] + start[n][row])))
}

/// The quarter rounds of all columns.
#[inline(always)]
fn quarter_rounds_in_rows<V: Rows<L>, const L: usize, const N: usize>(x: &mut [[V; 4]; N]) {
    macro_rules! step {
        ($a:literal $b:literal $d:literal $R:literal) => {
            for x in x.iter_mut() {
                x[$a] = x[$a] + x[$b];
                x[$d] = (x[$d] ^ x[$a]).rotr::<$R>();
            }
        };
    }
    step!(0 1 3 16);
    step!(2 3 1 20);
    step!(0 1 3 24);
    step!(2 3 1 25);
}
