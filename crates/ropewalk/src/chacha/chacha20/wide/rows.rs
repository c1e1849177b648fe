//! A few blocks of ChaCha20, row by row: four lanes are a row of a block, and rows are rotated before and after the diagonal
//! rounds.

use core::hint::black_box;

use super::KeyWords;
use crate::core::{
    beside::Beside,
    simd::{Rows, each},
    text::Text,
};

/// The largest number of vectors of rows for which rows are faster than lanes. Sixteen registers hold three of them, but not
/// four.
pub(super) const fn most_in_rows<V: Rows<L>, const L: usize>() -> usize {
    if V::MANY { 2 } else { 3 }
}

/// XORs the key stream of as many vectors of rows as needed into a text that is not empty.
#[inline(always)]
pub(super) fn add_rows<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    mut text: Text<'_>,
) {
    let mut rows = some_in_rows::<V, L>(cpu, key, place, text.len().div_ceil(16 * L));
    let mut rest = rows[0][0];
    'whole: while text.len() > 0 {
        let blocks = V::rows_to_blocks(rows[0]);
        unroll!(i in 0 1 2 3 => {
            rest = blocks[i];
            if text.len() < 4 * L {
                break 'whole;
            }
            rest.add_at(&mut text.take(4 * L), 0);
        });
        // Rotating the variables keeps them in registers.
        rows = [rows[1], rows[2], rows[0]];
    }
    // Once: repeated after each vector, the code for a partial one would be as long as all the rest.
    if text.len() > 0 {
        rest.add_to(&mut text);
    }
}

/// The blocks of up to [`most_in_rows`] vectors, row by row; those that are not requested are arbitrary.
#[inline(always)]
fn some_in_rows<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    vectors: usize,
) -> [[V; 4]; 3] {
    if vectors == 1 {
        let [first] = blocks_in_rows::<V, L, 1>(cpu, key, place);
        return [first; 3];
    }
    if V::MANY {
        let [first, second] = blocks_in_rows::<V, L, 2>(cpu, key, place);
        return [first, second, first];
    }
    let start = rows::<V, L, 3>(cpu, key, place);
    let mut x = start;
    for i in 0..black_box(10) {
        two_rounds_in_rows(&mut x[0], i, &mut ());
        two_rounds_in_rows(&mut x[1], i, &mut ());
        if vectors > 2 {
            two_rounds_in_rows(&mut x[2], i, &mut ());
        }
    }
    sums(x, start)
}

/// `N L / 4` blocks, row by row.
#[inline(always)]
pub(crate) fn blocks_in_rows<V: Rows<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
) -> [[V; 4]; N] {
    let start = rows::<V, L, N>(cpu, key, place);
    let mut x = start;
    // Opaque counts: LLVM would unroll each of these loops ten times, in each path of each caller.
    if N == 1 {
        for _ in 0..black_box(10) {
            two_rounds_in_rows(&mut x[0], 0, &mut ());
        }
        return sums(x, start);
    }
    // Vectors in lockstep compete for ports: rotations have one, shuffles another. So every other vector is some steps ahead, and
    // its steps after the end are wasted.
    unroll!(s in 0 1 2 3 4 5 6 => unroll!(n in 0 2 => if n < N { x[n] = step(x[n], s); }));
    let mut ended = x;
    for _ in 0..black_box(10) {
        unroll!(s in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 => {
            each_in_turn(&mut x, s + AHEAD, s);
        });
        ended = x;
        unroll!(s in 23 24 25 26 27 28 29 => each_in_turn(&mut x, s + AHEAD - STEPS, s));
    }
    unroll!(n in 0 2 => if n < N {
        x[n] = ended[n];
    });
    sums(x, start)
}

/// The blocks of two to four vectors; those that are not requested are arbitrary. Two vectors run in lockstep: where each
/// instruction has at least two ports, running ahead gains nothing.
#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn up_to_four_in_rows<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    vectors: usize,
) -> [[V; 4]; 4] {
    let start = rows::<V, L, 4>(cpu, key, place);
    let [mut x @ .., mut third, mut fourth] = start;
    for i in 0..black_box(10) {
        unroll!(s in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 => {
            each_in_turn(&mut x, s, s);
        });
        if vectors > 2 {
            two_rounds_in_rows(&mut third, i, &mut ());
            if vectors > 3 {
                two_rounds_in_rows(&mut fourth, i, &mut ());
            }
        }
    }
    let [first, second] = x;
    let rows = sums([first, second, third, fourth], start);
    each(|n| V::rows_to_blocks(rows[n]))
}

/// Steps by which vectors of rows are ahead of others.
const AHEAD: usize = 7;

/// Steps of two rounds.
const STEPS: usize = 30;

/// One step of those that are ahead, and one of the others.
#[inline(always)]
fn each_in_turn<V: Rows<L>, const L: usize, const N: usize>(
    x: &mut [[V; 4]; N],
    ahead: usize,
    others: usize,
) {
    unroll!(n in 0 1 2 3 => if n < N {
        x[n] = step(x[n], if n.is_multiple_of(2) { ahead } else { others });
    });
}

/// A step of two rounds.
#[inline(always)]
fn step<V: Rows<L>, const L: usize>([a, b, c, d]: [V; 4], s: usize) -> [V; 4] {
    let columns = s < STEPS / 2;
    match s % (STEPS / 2) {
        0 | 6 => [a + b, b, c, d],
        1 | 7 => [a, b, c, d ^ a],
        2 => [a, b, c, d.rotr::<16>()],
        3 | 9 => [a, b, c + d, d],
        4 | 10 => [a, b ^ c, c, d],
        5 => [a, b.rotr::<20>(), c, d],
        8 => [a, b, c, d.rotr::<24>()],
        11 => [a, b.rotr::<25>(), c, d],
        // From columns to diagonals, or back. b is on the critical path and therefore stays in place.
        12 => [if columns { a.turn::<3>() } else { a.turn::<1>() }, b, c, d],
        13 => [a, b, c, d.turn::<2>()],
        _ => [a, b, if columns { c.turn::<1>() } else { c.turn::<3>() }, d],
    }
}

/// The blocks of two vectors of rows, or of one, and then the second is arbitrary. If there are to be three, the third is
/// advanced by eight rounds, for [`others`].
#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn up_to_three_in_rows<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    vectors: usize,
) -> ([[V; 4]; 2], Others<V>) {
    let [start @ .., start_of_others] = rows::<V, L, 3>(cpu, key, place);
    let (mut x, mut others) = (start, start_of_others);
    let with_others = if vectors > 2 { 0b10_0101_0010 } else { 0 };
    for i in 0..black_box(10) {
        two_rounds_in_rows(&mut x[0], i, &mut ());
        if vectors > 1 {
            two_rounds_in_rows(&mut x[1], i, &mut ());
        }
        if with_others >> i & 1 == 1 {
            two_rounds_in_rows(&mut others, i, &mut ());
        }
    }
    (sums(x, start), Others { x: others, start: start_of_others })
}

/// Blocks in rows after some rounds.
#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
pub(crate) struct Others<V> {
    pub(crate) x: [V; 4],
    pub(crate) start: [V; 4],
}

/// The other twelve rounds, with 24 parts of other work interleaved.
#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn others<V: Rows<L>, const L: usize>(
    Others { mut x, start }: Others<V>,
    beside: &mut impl Beside,
) -> [V; 4] {
    for i in 0..black_box(6) {
        two_rounds_in_rows(&mut x, i, beside);
    }
    let [x] = sums([x], [start]);
    x
}

/// The blocks of one vector of rows, and those of another that is four rounds behind, if they are requested: on 512 bits two
/// vectors compete for ports, and the first block is a key, which is the most urgent.
#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn rows_ahead<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    others: bool,
) -> ([V; 4], Others<V>) {
    let start = rows::<V, L, 2>(cpu, key, place);
    let mut x = start;
    for _ in 0..black_box(if others { 2 } else { 10 }) {
        two_rounds_in_rows(&mut x[0], 0, &mut ());
    }
    let mut ended = x[0];
    if others {
        unroll!(s in 0 1 2 3 4 5 6 => { x[0] = step(x[0], s); });
        for _ in 0..black_box(8) {
            unroll!(s in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 => {
                each_in_turn(&mut x, s + AHEAD, s);
            });
            ended = x[0];
            unroll!(s in 23 24 25 26 27 28 29 => each_in_turn(&mut x, s + AHEAD - STEPS, s));
        }
    }
    let [first] = sums([ended], [start[0]]);
    (first, Others { x: x[1], start: start[1] })
}

#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
impl<V> Others<V> {
    /// A quarter of the next two rounds.
    #[inline(always)]
    pub(crate) fn part<const L: usize>(&mut self, q: usize)
    where
        V: Rows<L>,
    {
        quarter_of_two_rounds_in_rows(&mut self.x, q);
    }

    /// Ends after all quarters.
    #[inline(always)]
    pub(crate) fn end<const L: usize>(self) -> [V; 4]
    where
        V: Rows<L>,
    {
        let [x] = sums([self.x], [self.start]);
        x
    }
}

/// The initial state of so many blocks, row by row.
#[inline(always)]
pub(super) fn rows<V: Rows<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
) -> [[V; 4]; N] {
    const COUNT: [u32; 16] = [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0];
    let lanes = V::load(cpu, COUNT.first_chunk().expect("16 lanes at most"));
    let [a, b, c] = each(|row| V::repeat(cpu, &key.as_chunks().0[row]));
    let [w, x, y, z] = place.map(u64::from);
    let d = V::repeat_number(cpu, u128::from(w | x << 32) | u128::from(y | z << 32) << 64);
    each(|n| {
        let counter = V::repeat(cpu, &[(n * L / 4) as u32, 0, 0, 0]);
        [a, b, c, d + lanes + counter]
    })
}

#[inline(always)]
pub(super) fn sums<V: Rows<L>, const L: usize, const N: usize>(
    x: [[V; 4]; N],
    start: [[V; 4]; N],
) -> [[V; 4]; N] {
    each(|n| each(|row| x[n][row] + start[n][row]))
}

/// Columns, then diagonals, the `i`th time.
#[inline(always)]
fn two_rounds_in_rows<V: Rows<L>, const L: usize>(
    x: &mut [V; 4],
    i: usize,
    beside: &mut impl Beside,
) {
    unroll!(q in 0 1 2 3 => {
        quarter_of_two_rounds_in_rows(x, q);
        beside.part(4 * i + q, 24);
    });
}

#[inline(always)]
pub(super) fn quarter_of_two_rounds_in_rows<V: Rows<L>, const L: usize>(x: &mut [V; 4], q: usize) {
    let from = STEPS / 2 * (q / 2);
    if q.is_multiple_of(2) {
        unroll!(s in 0 1 2 3 4 5 => *x = step(*x, from + s));
    } else {
        unroll!(s in 6 7 8 9 10 11 12 13 14 => *x = step(*x, from + s));
    }
}
