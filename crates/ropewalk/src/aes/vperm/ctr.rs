//! Counter mode (NIST SP 800-38A, section 6.5), where the counter is the last four bytes of the block.
//!
//! Sixteen consecutive blocks mostly differ in the last byte only. One vector then holds the result of round 1 for that byte in
//! all of them, which affects four bytes of each block, and one vector the result of round 2 for those in four of the blocks.
//! Everything else in the first two rounds is computed once per sixteen blocks (D. J. Bernstein and P. Schwabe, "New AES software
//! speed records", INDOCRYPT 2008).

use core::array::from_mut;

use super::{
    Alone, Apart, Block, INTO_TOWER, RoundKeys, block,
    blocks::{MANY, vectors},
    convert, mix_columns, sub_bytes,
};
use crate::{
    aes::{
        split,
        tables::{below, table},
    },
    core::{
        opaque::unknown,
        simd::{Bytes, each},
        text::{Piece, Text},
    },
};

/// Blocks whose last byte goes through round 1 together.
const RUN: usize = 16;

/// XORs the encrypted counter blocks, from `counter` on, into as many runs as the text has. The text then starts behind them;
/// returns the next counter.
#[inline(always)]
pub(crate) fn apply_runs<V: Apart<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    counter: &Block,
    text: &mut Text<'_>,
) -> Block {
    if text.len() < 16 * RUN {
        return *counter;
    }
    let mut counters = Counters::new(cpu, counter);
    let (_, mut count) = split(counter);
    let mut common: Option<Common<V, L>> = None;
    while text.len() >= 16 * RUN {
        let last = count as u8;
        count = count.wrapping_add(RUN as u32);
        // The last byte may carry within the run.
        let run = if usize::from(last) + RUN > 256 {
            common = None;
            None
        } else {
            let known = match common {
                Some(known) if last >= RUN as u8 => known,
                _ => Common::new(cpu, keys, counters.block()),
            };
            common = Some(known);
            Some((known, known.first_round(cpu, keys, last)))
        };
        for group in 0..unknown((RUN / (L * MANY)) as u64) as usize {
            let group = group % (RUN / (L * MANY));
            let counted = counters.next();
            let (from, mut x) = match &run {
                Some((known, first)) => (3, known.second_round(cpu, *first, group)),
                None => (0, counted),
            };
            V::encrypt_from(cpu, keys, from, &mut x);
            add_all(cpu, text.take(16 * L * MANY), x);
        }
    }
    block(counters.block())
}

/// The same for a text of any length; the time does not depend on where the last byte of the counter carries.
#[inline(always)]
pub(crate) fn apply<V: Apart<L>, One: Alone<Cpu = V::Cpu>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    counter: &Block,
    text: &mut Text<'_>,
) {
    let mut counters = Counters::<V, L>::new(cpu, counter);
    while text.len() > 16 {
        let text = text.take(16 * L * MANY);
        let mut x = counters.next();
        let vectors = vectors::<L>(text.len());
        let x = &mut x[..vectors];
        V::encrypt_from(cpu, keys, 0, x);
        add(cpu, text, x);
    }
    if text.len() > 0 {
        let x = One::encrypt_one(cpu, keys, One::splat(cpu, &block(counters.block())));
        add(cpu, text.reborrow(), &[x]);
    }
}

/// The same for one block.
#[inline(always)]
pub(crate) fn apply_one<V: Alone>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    counter: &Block,
    mut text: Piece<'_, 16>,
) {
    let x = V::encrypt_one(cpu, keys, V::splat(cpu, counter));
    (x ^ V::splat(cpu, text.input())).store(from_mut(text.output()));
}

/// The common part of blocks that differ in the last byte only.
#[derive(Clone, Copy)]
struct Common<V, const L: usize> {
    /// Round 1 of all other bytes, in the columns that the last byte affects: four bytes, [`MANY`] times.
    first: V,
    /// Round 2 of the bytes that do not depend on the last byte.
    second: V,
}

impl<V: Bytes<L>, const L: usize> Common<V, L> {
    #[inline(always)]
    fn new(cpu: V::Cpu, RoundKeys { keys, .. }: &RoundKeys, block: V) -> Self {
        let splat = |block| V::splat(cpu, block);
        let x = convert(cpu, block ^ splat(&keys[0]), &INTO_TOWER);
        let rest = sub_bytes(cpu, x).map(|x| x.look_up(splat(&WITHOUT_LAST)));
        let x = mix_columns(cpu, 1, rest, splat(&keys[1]));
        let rest = sub_bytes(cpu, x).map(|x| x.look_up(splat(&WITHOUT_REACHED)));
        let second = mix_columns(cpu, 2, rest, splat(&keys[2]));
        Self { first: x.look_up(splat(&table!(to => REACHED[to as usize % 4]))), second }
    }

    /// The products by 1 and 3 of SubBytes of the last bytes of sixteen blocks.
    #[inline(always)]
    fn first_round(&self, cpu: V::Cpu, RoundKeys { keys, .. }: &RoundKeys, last: u8) -> [V; 2] {
        let key = V::splat(cpu, &[keys[0][15]; 16]);
        // No byte carries into the next.
        let bytes = V::splat(cpu, &[last; 16]).add_words(V::splat(cpu, &table!(i => i)));
        sub_bytes(cpu, convert(cpu, bytes ^ key, &INTO_TOWER))
    }

    /// Group `group` of [`MANY`] vectors out of the sixteen blocks, after round 2.
    #[inline(always)]
    fn second_round(&self, cpu: V::Cpu, [once, thrice]: [V; 2], group: usize) -> [V; MANY] {
        let indices = |of: &[[Block; L]; 4]| V::load(cpu, &of[group]);
        let x = once.look_up(indices(&Spread::<L>::FIRST_ONCE))
            ^ thrice.look_up(indices(&Spread::<L>::FIRST_THRICE));
        let [once, thrice] = sub_bytes(cpu, self.first ^ x);
        each(|i| {
            let indices = |of: &[Block; MANY]| V::splat(cpu, &of[i]);
            self.second
                ^ once.look_up(indices(&SECOND_ONCE))
                ^ thrice.look_up(indices(&SECOND_THRICE))
        })
    }
}

/// Positions that round 1 moves the last byte to: entry n has it n rows below.
const REACHED: [u8; 4] = {
    let (mut reached, mut to) = ([0; 4], 0);
    while to < 64 {
        if below(to / 16, 1)[to as usize % 16] == 15 {
            reached[to as usize / 16] = to % 16;
        }
        to += 1;
    }
    reached
};

const WITHOUT_LAST: Block = table!(i => if i == 15 { ZERO } else { i });
const WITHOUT_REACHED: Block = table!(i => if place(i).is_some() { ZERO } else { i });

/// An index that gives zero.
const ZERO: u8 = 0x80;

/// The index of a byte position in [`REACHED`].
const fn place(byte: u8) -> Option<u8> {
    let mut n = 0;
    while n < 4 {
        if REACHED[n as usize] == byte {
            return Some(n);
        }
        n += 1;
    }
    None
}

/// `index`, where that product of the byte n rows below contributes to MixColumns: 2a is a + 3a.
const fn counts(product: u8, n: u8, index: u8) -> u8 {
    if [ONCE | THRICE, THRICE, ONCE, ONCE][n as usize] & product != 0 { index } else { ZERO }
}
const ONCE: u8 = 1;
const THRICE: u8 = 2;

struct Spread<const L: usize>;

impl<const L: usize> Spread<L> {
    /// Indices from the bytes of sixteen blocks to the four positions they reach, for each group of [`MANY`] vectors.
    const FIRST_ONCE: [[Block; L]; 4] = Self::first(ONCE);
    const FIRST_THRICE: [[Block; L]; 4] = Self::first(THRICE);

    const fn first(product: u8) -> [[Block; L]; 4] {
        let (mut indices, mut i) = ([[[0; 16]; L]; 4], 0);
        while i < 4 * L {
            let (group, lane) = (i / L, i % L);
            indices[group][lane] = table!(to => {
                let vector = MANY * group + to as usize / 4;
                counts(product, to % 4, (L * vector + lane) as u8)
            });
            i += 1;
        }
        indices
    }
}

/// Indices from four bytes of each of [`MANY`] vectors to all positions that round 2 moves them to.
const SECOND_ONCE: [Block; MANY] =
    [second(0, ONCE), second(1, ONCE), second(2, ONCE), second(3, ONCE)];
const SECOND_THRICE: [Block; MANY] =
    [second(0, THRICE), second(1, THRICE), second(2, THRICE), second(3, THRICE)];

const fn second(vector: u8, product: u8) -> Block {
    table!(to => {
        let (mut n, mut index) = (0, ZERO);
        while n < 4 {
            if let Some(place) = place(below(n, 2)[to as usize]) {
                index = counts(product, n, 4 * vector + place);
            }
            n += 1;
        }
        index
    })
}

/// XORs key stream into as much text.
#[inline(always)]
fn add_all<V: Bytes<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    mut text: Text<'_>,
    key_stream: [V; N],
) {
    let (input, _) = text.input().as_chunks().0.as_chunks();
    let Some(input) = input.first_chunk::<N>() else { unreachable!("as much") };
    let sum: [V; N] = each(|i| V::load(cpu, &input[i]) ^ key_stream[i]);
    for (x, out) in sum.into_iter().zip(text.output().as_chunks_mut().0.as_chunks_mut().0) {
        x.store(out);
    }
}

/// The same for text that may be shorter.
#[inline(always)]
fn add<V: Bytes<L>, const L: usize>(cpu: V::Cpu, mut text: Text<'_>, key_stream: &[V]) {
    for x in key_stream {
        let mut text = text.take(16 * L);
        let input = text.input().as_chunks().0.first_chunk().map(|input| V::load(cpu, input));
        match (input, text.output().as_chunks_mut().0.first_chunk_mut()) {
            (Some(input), Some(output)) => (*x ^ input).store(output),
            _ => {
                let mut blocks = [[0; 16]; L];
                x.store(&mut blocks);
                text.add(blocks.as_flattened());
                return;
            }
        }
    }
}

/// Counter blocks with little-endian last words: the next `L`.
struct Counters<V, const L: usize> {
    next: V,
    step: V,
    swap: V,
}

impl<V: Bytes<L>, const L: usize> Counters<V, L> {
    #[inline(always)]
    fn new(cpu: V::Cpu, counter: &Block) -> Self {
        let swap = V::splat(cpu, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12]);
        let first = V::splat(cpu, counter).look_up(swap);
        let places = V::load(cpu, &each(|place| last_word(place as u8)));
        Self { next: first.add_words(places), step: V::splat(cpu, &last_word(L as u8)), swap }
    }

    /// The next vectors, in the byte order of AES.
    #[inline(always)]
    fn next(&mut self) -> [V; MANY] {
        let mut all = [self.next; MANY];
        for x in &mut all {
            *x = self.next.look_up(self.swap);
            self.next = self.next.add_words(self.step);
        }
        all
    }

    /// The next block, and those after it in the other lanes.
    #[inline(always)]
    fn block(&self) -> V {
        self.next.look_up(self.swap)
    }
}

const fn last_word(value: u8) -> Block {
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, value, 0, 0, 0]
}
