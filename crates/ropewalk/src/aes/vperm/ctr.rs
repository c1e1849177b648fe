//! Counter mode (NIST SP 800-38A, section 6.5), where the last four bytes of the block count.

use super::{Block, RoundKeys, encrypt};
use crate::{
    simd::{Bytes, each},
    text::Text,
};

/// Vectors side by side: while one waits for a lookup, the others have theirs.
const MANY: usize = 4;

/// Adds the encrypted counter blocks, from `counter` on, to the text.
#[inline(always)]
pub(crate) fn apply<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    counter: &Block,
    mut text: Text<'_>,
) {
    let mut counters = Counters::new(cpu, counter);
    while text.len() >= 16 * L * MANY {
        add(cpu, text.take(16 * L * MANY), encrypt::<V, L, MANY>(cpu, keys, counters.next()));
    }
    if text.len() > 16 * L * MANY / 2 {
        tail(text, encrypt::<V, L, MANY>(cpu, keys, counters.next()));
    } else if text.len() > 16 * L {
        tail(text, encrypt::<V, L, { MANY / 2 }>(cpu, keys, counters.next()));
    } else if text.len() > 0 {
        tail(text, encrypt::<V, L, 1>(cpu, keys, counters.next()));
    }
}

/// Adds key stream to as much text.
#[inline(always)]
fn add<V: Bytes<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    mut text: Text<'_>,
    key_stream: [V; N],
) {
    let input: [V; N] = each(|i| V::load(cpu, &text.input().as_chunks().0.as_chunks().0[i]));
    for (i, out) in text.output().as_chunks_mut().0.as_chunks_mut().0.iter_mut().enumerate() {
        (input[i] ^ key_stream[i]).store(out);
    }
}

/// Adds key stream to the rest of the text, which is shorter or as long.
#[inline(always)]
fn tail<V: Bytes<L>, const L: usize, const N: usize>(mut text: Text<'_>, key_stream: [V; N]) {
    let mut blocks = [[[0; 16]; L]; N];
    for i in 0..N {
        key_stream[i].store(&mut blocks[i]);
    }
    for (i, key_stream) in blocks.as_flattened().as_flattened()[..text.len()].iter().enumerate() {
        let byte = text.input()[i] ^ key_stream;
        text.output()[i] = byte;
    }
}

/// Counter blocks with their last words little-endian, and the `L` blocks to come.
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

    /// The next `N` vectors, as AES takes them.
    #[inline(always)]
    fn next<const N: usize>(&mut self) -> [V; N] {
        let mut x = [self.next; N];
        for i in 0..N {
            x[i] = self.next.look_up(self.swap);
            self.next = self.next.add_words(self.step);
        }
        x
    }
}

const fn last_word(value: u8) -> Block {
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, value, 0, 0, 0]
}
