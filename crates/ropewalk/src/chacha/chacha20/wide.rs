//! ChaCha20, generic over the width of vectors.
//!
//! For long texts, a lane is a block: vectors are words of the state. For short ones, four lanes are a row of a block, so that a
//! few blocks fill a vector; rows are rotated before and after the diagonal rounds.

mod key_stream;
mod rows;

use core::hint::black_box;

use super::{KeyWords, Nonce, nonce_words};
use crate::core::{
    beside::Beside,
    opaque::{touched, unseen},
    secret::Wiped,
    simd::{Rows, each},
    text::Text,
    tuning,
};
pub(crate) use key_stream::KeyStream;
pub(crate) use rows::*;

/// XORs the key stream, from the block of that counter on, into the text.
#[inline(always)]
pub(crate) fn apply<V: KeyStream<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    counter: u32,
    nonce: &Nonce,
    mut text: Text<'_>,
) {
    // A local copy stays in registers; an argument of three words is passed and updated in memory.
    let mut text = text.reborrow();
    let mut place = nonce_words(counter, nonce);
    // Texts longer than this are as fast in lanes, whether they fill them or not.
    let in_rows = 16 * L * most_in_rows::<V, L>();
    if V::MANY && text.len() > in_rows {
        let mut behind = Behind { words: Wiped::new([V::splat(cpu, 0); 16]), text: text.take(0) };
        while text.len() > in_rows {
            *behind.words = words_in_lanes::<V, L>(cpu, key, place, &mut behind);
            behind.text = text.take(64 * L);
            place[0] = place[0].wrapping_add(L as u32);
        }
        V::add_some_words(&mut behind.words, 0, &mut behind.text);
    }
    while !V::MANY && text.len() > in_rows {
        let words = words_in_lanes::<V, L>(cpu, key, place, &mut ());
        let mut group = text.take(64 * L);
        if group.len() == 64 * L {
            add_words(words, group);
        } else {
            V::add_some_words(&mut Wiped::new(words), 0, &mut group);
        }
        place[0] = place[0].wrapping_add(L as u32);
    }
    if text.len() > 0 {
        add_rows::<V, L>(cpu, key, place, text);
    }
}

/// The part of a text to process two groups of `L` blocks at a time: none, or all but an end of less than `L` blocks.
#[inline(always)]
pub(crate) fn part_by_two<'a, const L: usize>(text: &mut Text<'a>) -> Text<'a> {
    if L < 16 || text.len() < 64 * L || tuning::row().chacha_groups < 2 {
        return text.take(0);
    }
    let end = text.len() % (128 * L);
    text.take(if end < 64 * L { text.len() - end } else { text.len() })
}

/// XORs the key stream into that part.
#[inline(always)]
pub(crate) fn apply_by_two<V: KeyStream<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    counter: u32,
    nonce: &Nonce,
    mut text: Text<'_>,
) {
    // A local copy stays in registers, as above.
    let mut text = text.reborrow();
    let mut place = nonce_words(counter, nonce);
    // Registers do not suffice for two groups that are transposed. What LLVM would spill, nothing would wipe.
    let mut second = Wiped::new([V::splat(cpu, 0); 16]);
    while text.len() > 64 * L {
        // Loaded again each time: the stack would hold a vector for each word.
        let first = two_in_lanes::<V, L>(cpu, unseen(key), place, &mut second);
        add_words(first, text.take(64 * L));
        let mut group = text.take(64 * L);
        if group.len() == 64 * L {
            add_words(*second, group);
        } else {
            V::add_some_words(&mut second, 0, &mut group);
        }
        place[0] = place[0].wrapping_add(2 * L as u32);
    }
    if text.len() == 64 * L {
        add_words(words_in_lanes::<V, L>(cpu, key, place, &mut ()), text);
    }
}

/// The key stream of `L` blocks, from its words.
#[inline(always)]
pub(crate) fn lanes_to_blocks<V: Rows<L>, const L: usize>(words: [V; 16]) -> [V; 16] {
    let quarters: [[V; 4]; 4] = each(|q| V::quarter(each(|i| words[4 * q + i])));
    let mut key_stream = words;
    unroll!(j in 0 1 2 3 => {
        let blocks = V::rows_to_blocks(each(|q| quarters[q][j]));
        unroll!(k in 0 1 2 3 => { key_stream[place_of::<L>(j, k)] = blocks[k]; });
    });
    key_stream
}

/// XORs them into a text of that many blocks.
#[inline(always)]
pub(crate) fn add_words<V: Rows<L>, const L: usize>(words: [V; 16], mut text: Text<'_>) {
    if text.len() < 64 * L {
        return;
    }
    let key_stream = lanes_to_blocks(words);
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => key_stream[i].add_at(&mut text, i));
}

/// The index of that vector of key stream among the `j`th vectors of quarters.
#[inline(always)]
fn place_of<const L: usize>(j: usize, k: usize) -> usize {
    let of_block = 16 / L;
    of_block * (4 * (k / of_block) + j) + k % of_block
}

/// XORs key stream into a text that is no longer.
#[inline(always)]
pub(crate) fn add_some<V: Rows<L>, const L: usize>(key_stream: &[V], text: &mut Text<'_>) {
    // A local copy stays in registers, as above.
    let mut text = text.reborrow();
    for v in key_stream {
        if text.len() > 0 {
            v.add_to(&mut text);
        }
    }
}

/// The same for key stream in word order, from vector `from` on. In loops, as it runs once per text.
#[inline(always)]
pub(crate) fn add_some_words<V: Rows<L>, const L: usize>(
    words: &mut [V; 16],
    from: usize,
    text: &mut Text<'_>,
) {
    let mut text = text.reborrow();
    let (quarters, _) = words.as_chunks_mut();
    for q in 0..black_box(4) {
        quarters[q & 3] = V::quarter(quarters[q & 3]);
    }
    let whole = text.len() / (4 * L);
    let mut rest = words[0];
    for j in 0..black_box(4) {
        let blocks = V::rows_to_blocks(each(|q| words[(4 * q + j) & 15]));
        unroll!(k in 0 1 2 3 => {
            let i = place_of::<L>(j, k).wrapping_sub(from);
            blocks[k].add_at(&mut text, i);
            if i == whole {
                rest = blocks[k];
            }
        });
    }
    text.take(4 * L * whole);
    if text.len() > 0 {
        rest.add_to(&mut text);
    }
}

/// The key stream of `L` blocks, with other work interleaved with the rounds, for [`add_lanes`].
#[inline(always)]
pub(crate) fn lanes_beside<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    beside: &mut impl Beside,
) -> [V; 16] {
    words_in_lanes::<V, L>(cpu, key, place, beside)
}

/// The first blocks in a vector of rows, and `L` blocks from that counter on, interleaved.
#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn row_and_lanes<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    counter: u32,
    nonce: &Nonce,
) -> ([V; 4], [V; 16]) {
    let start = rows::<V, L, 1>(cpu, key, nonce_words(0, nonce));
    let mut beside = InRows::<V, L>(start[0]);
    let place = nonce_words(counter, nonce);
    let mut x = lanes::<V, L>(cpu, key, place);
    let mut last = x[LAST];
    for i in 0..black_box(10) {
        two_rounds(&mut x, &mut last, i, &mut beside);
    }
    x[LAST] = last;
    let [rows] = sums([beside.0], start);
    (rows, sums_in_lanes(cpu, key, place, x))
}

/// Blocks in rows, whose rounds are interleaved with those of others.
#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
struct InRows<V, const L: usize>([V; 4]);

#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64"))]
impl<V: Rows<L>, const L: usize> Beside for InRows<V, L> {
    #[inline(always)]
    fn part(&mut self, i: usize, _: usize) {
        quarter_of_two_rounds_in_rows(&mut self.0, i % PARTS);
    }
}

/// XORs them into a text of that many blocks.
#[inline(always)]
pub(crate) fn add_lanes<V: Rows<L>, const L: usize>(words: [V; 16], text: Text<'_>) {
    Behind { words: Wiped::new(words), text }.all();
}

/// `L` blocks after their rounds, and the text that they are XORed into. The remaining work goes through one port, and most of it
/// is interleaved with the rounds of the next blocks.
struct Behind<'a, V: Rows<L>, const L: usize> {
    words: Wiped<[V; 16]>,
    text: Text<'a>,
}

impl<V: Rows<L>, const L: usize> Behind<'_, V, L> {
    #[inline(always)]
    fn all(&mut self) {
        unroll!(q in 0 1 2 3 => self.transpose(q));
        unroll!(j in 0 1 2 3 => self.add(j));
    }

    /// Transposes a quarter of each of four blocks: adjacent words come into one vector.
    #[inline(always)]
    fn transpose(&mut self, q: usize) {
        let (quarters, _) = self.words.as_chunks_mut();
        if let (1.., Some(words)) = (self.text.len(), quarters.get_mut(q)) {
            *words = V::quarter(*words);
        }
    }

    /// Then XORs the blocks that have their quarters in the `j`th vectors.
    #[inline(always)]
    fn add(&mut self, j: usize) {
        if self.text.len() == 0 || j >= 4 {
            return;
        }
        let blocks = V::rows_to_blocks(each(|q| self.words[4 * q + j]));
        for (k, v) in blocks.into_iter().enumerate() {
            v.add_at(&mut self.text, place_of::<L>(j, k));
        }
    }
}

/// For processors with enough registers.
impl<V: Rows<L>, const L: usize> Beside for Behind<'_, V, L> {
    #[inline(always)]
    fn part(&mut self, i: usize, _: usize) {
        match (i / PARTS, i % PARTS) {
            (i @ 0..5, 3) => self.transpose(i),
            (i, 3) => self.add(i - 5),
            _ => {}
        }
    }
}

/// `L` blocks, word by word. `place` is the last row of the first initial state: a counter, and the nonce.
#[inline(always)]
fn words_in_lanes<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    beside: &mut impl Beside,
) -> [V; 16] {
    let mut x = lanes::<V, L>(cpu, key, place);
    // Separate from the others: its address may be taken.
    let mut last = x[LAST];
    // LLVM would keep more values in registers than there are.
    if V::MANY {
        for i in 0..black_box(5_usize) {
            two_rounds(&mut x, &mut last, i.min(4), beside);
        }
        for i in 0..black_box(5_usize) {
            two_rounds(&mut x, &mut last, 5 + i.min(4), beside);
        }
    } else {
        for i in 0..black_box(10) {
            two_rounds(&mut x, &mut last, i, beside);
        }
    }
    x[LAST] = last;
    sums_in_lanes(cpu, key, place, x)
}

/// Two groups of `L` blocks, word by word, with interleaved rounds. All words together fill 32 registers. Returns the first group.
#[inline(always)]
fn two_in_lanes<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    second: &mut [V; 16],
) -> [V; 16] {
    let later = [place[0].wrapping_add(L as u32), place[1], place[2], place[3]];
    let (mut x, mut y) = (lanes::<V, L>(cpu, key, place), lanes::<V, L>(cpu, key, later));
    // Separate from the others, as above.
    let (mut last_x, mut last_y) = (x[LAST], y[LAST]);
    for _ in 0..black_box(10) {
        half_quarter_rounds::<V, L, 16>(&mut x, &mut last_x, columns);
        half_quarter_rounds::<V, L, 16>(&mut y, &mut last_y, columns);
        half_quarter_rounds::<V, L, 24>(&mut x, &mut last_x, columns);
        half_quarter_rounds::<V, L, 24>(&mut y, &mut last_y, columns);
        half_quarter_rounds::<V, L, 16>(&mut x, &mut last_x, diagonals);
        half_quarter_rounds::<V, L, 16>(&mut y, &mut last_y, diagonals);
        half_quarter_rounds::<V, L, 24>(&mut x, &mut last_x, diagonals);
        half_quarter_rounds::<V, L, 24>(&mut y, &mut last_y, diagonals);
    }
    (x[LAST], y[LAST]) = (last_x, last_y);
    *second = sums_in_lanes(cpu, key, later, y);
    // LLVM would keep some of it in registers, and spill words of the first group.
    touched(second);
    sums_in_lanes(cpu, key, place, x)
}

/// The sums of the results of the rounds and the initial state.
#[inline(always)]
fn sums_in_lanes<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    x: [V; 16],
) -> [V; 16] {
    let counters = counters::<V, L>(cpu, place);
    let word = |i: usize| V::splat(cpu, if i < 12 { key[i] } else { place[i - 12] });
    each(|i| x[i] + if i == 12 { counters } else { word(i) })
}

/// The same from an initial state.
#[cfg(feature = "chacha20-poly1305")]
#[inline(always)]
pub(crate) fn rounds<V: Rows<L>, const L: usize>(
    start: &[V; 16],
    beside: &mut impl Beside,
) -> [V; 16] {
    let (mut x, mut last) = (*start, start[LAST]);
    for i in 0..black_box(10_usize) {
        two_rounds(&mut x, &mut last, i.min(9), beside);
    }
    x[LAST] = last;
    each(|i| x[i] + start[i])
}

/// The initial state of `L` blocks, word by word.
#[inline(always)]
pub(crate) fn lanes<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
) -> [V; 16] {
    let mut x = each(|i| V::splat(cpu, if i < 12 { key[i] } else { place[i - 12] }));
    x[12] = counters::<V, L>(cpu, place);
    x
}

#[inline(always)]
fn counters<V: Rows<L>, const L: usize>(cpu: V::Cpu, place: [u32; 4]) -> V {
    const COUNT: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let lanes = V::load(cpu, COUNT.first_chunk().expect("16 lanes at most"));
    V::splat(cpu, place[0]) + lanes
}

/// Parts of interleaved work in two rounds: the out-of-order window is limited.
const PARTS: usize = 4;

/// The word that is kept separately during the rounds.
const LAST: usize = 11;

/// Columns, then diagonals (section 2.3), the `i`th time.
#[inline(always)]
fn two_rounds<V: Rows<L>, const L: usize>(
    x: &mut [V; 16],
    last: &mut V,
    i: usize,
    beside: &mut impl Beside,
) {
    let mut part = |part| beside.part(PARTS * i + part, 10 * PARTS);
    half_quarter_rounds::<V, L, 16>(x, last, columns);
    part(0);
    half_quarter_rounds::<V, L, 24>(x, last, columns);
    part(1);
    half_quarter_rounds::<V, L, 16>(x, last, diagonals);
    part(2);
    half_quarter_rounds::<V, L, 24>(x, last, diagonals);
    part(3);
}

/// The words of quarter round `i` on columns: they are numbered by their word c.
#[inline(always)]
fn columns(i: usize) -> [usize; 4] {
    [i, 4 + i, 8 + i, 12 + i]
}

/// The same on diagonals.
#[inline(always)]
fn diagonals(i: usize) -> [usize; 4] {
    [(i + 2) % 4, 4 + (i + 3) % 4, 8 + i, 12 + (i + 1) % 4]
}

/// The first or the second half of four quarter rounds, given the indices of their words.
#[inline(always)]
fn half_quarter_rounds<V: Rows<L>, const L: usize, const R: i32>(
    x: &mut [V; 16],
    last: &mut V,
    of: impl Fn(usize) -> [usize; 4],
) {
    let (a, b) = (each(|i| x[of(i)[0]]), each(|i| x[of(i)[1]]));
    let (c, d) = (each(|i| x[of(i)[2]]), each(|i| x[of(i)[3]]));
    let ([a, b, d], c) = V::half_quarter_rounds::<R>([a, b, d], c, last);
    unroll!(i in 0 1 2 3 => {
        (x[of(i)[0]], x[of(i)[1]], x[of(i)[3]]) = (a[i], b[i], d[i]);
    });
    unroll!(i in 0 1 2 => { x[of(i)[2]] = c[i]; });
}
