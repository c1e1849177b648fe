//! The key schedule (FIPS 197, section 5.2): one round key at a time, in the basis of the tower, where SubBytes is shortest.
//!
//! Each word is the sum of the words before it in the previous round key, of the same word there, and of a result of SubWord. The
//! sums are computed in parallel with SubWord, which is the critical path.

use super::{IN_ALL, RoundKeys, convert, invert, sum};
use crate::aes::tables::*;
use crate::{
    aes::schedule::RCON,
    core::{block::Block, opaque::unknown, simd::Bytes},
};

/// The round keys of a key of 16, 24 or 32 bytes, in the basis of the tower; but the first is in that of the standard, and so is
/// the last, with the constant of SubBytes.
#[inline(always)]
pub(super) fn schedule<V: Bytes<1>>(
    cpu: V::Cpu,
    secret: &[u8],
    RoundKeys { keys, rounds }: &mut RoundKeys,
) {
    let len = secret.len();
    *rounds = len / 4 + 6;
    let end = 16 * (*rounds + 1);
    let keys = keys.as_flattened_mut();
    let (Some(first), Some(last)) = (secret.first_chunk(), secret.last_chunk()) else { return };
    let [mut before, mut last] =
        [first, last].map(|words| convert(cpu, V::splat(cpu, words), &INTO_TOWER));
    put(keys, len - 16, last);
    put(keys, 0, V::splat(cpu, first));
    let (mut at, mut n, mut plain) = (len, 1, false);
    while at < end {
        let (word, added) = if plain { (&LAST_WORD, &ADDED[0]) } else { (&ROT_WORD, &ADDED[n]) };
        let words = next(cpu, before, last, word, added);
        // Opaque in each iteration, so that there is one loop for all lengths.
        let len = unknown(len as u64);
        (before, last) = match len {
            16 => (words, words),
            24 => {
                // Six words: four, and two at the end of a vector, whose first half is overwritten.
                let two = next_two(cpu, last, words);
                put(keys, at + 8, two);
                (words, two)
            }
            _ => (last, words),
        };
        put(keys, at, words);
        at += if len == 24 { 24 } else { 16 };
        // Every second group of four words of a long key has neither RotWord nor a constant.
        plain = len == 32 && !plain;
        n += usize::from(!plain);
    }
    let last = end - 16;
    if let Some(words) = keys[last..].first_chunk() {
        let words = V::splat(cpu, words) ^ V::splat(cpu, &IN_ALL);
        put(keys, last, convert(cpu, words, &OUT_OF_TOWER));
    }
}

/// Writes four words at byte `at`, if there is room.
#[inline(always)]
fn put<V: Bytes<1>>(keys: &mut [u8], at: usize, words: V) {
    if let Some(place) = keys.get_mut(at..).and_then(|keys| keys.first_chunk_mut()) {
        words.store(core::array::from_mut(place));
    }
}

/// The words after `key`, given a vector with the word for SubWord.
#[inline(always)]
fn next<V: Bytes<1>>(cpu: V::Cpu, key: V, from: V, word: &Block, added: &Block) -> V {
    let word = from.look_up(V::splat(cpu, word));
    let given = sum(cpu, invert(cpu, word), &SUB_BYTES_1);
    (sums(cpu, key) ^ V::splat(cpu, added)).at_once() ^ given
}

/// The two words after `two`, without SubWord, given the four before them.
#[inline(always)]
fn next_two<V: Bytes<1>>(cpu: V::Cpu, two: V, four: V) -> V {
    let [two, before, last] = [(two, &LAST_TWO), (two, &LAST_BUT_ONE), (four, &LAST_TWICE)]
        .map(|(x, of)| x.look_up(V::splat(cpu, of)));
    two ^ before ^ last
}

/// The prefix sums of the words.
#[inline(always)]
fn sums<V: Bytes<1>>(cpu: V::Cpu, x: V) -> V {
    let two = x ^ x.look_up(V::splat(cpu, &LATER));
    two ^ two.look_up(V::splat(cpu, &TWO_LATER))
}

/// Words of a vector, or [`NONE`], each with RotWord applied `times` times.
const fn words(words: [u8; 4], times: u8) -> Block {
    table!(to => match words[to as usize / 4] {
        NONE => 0x80,
        word => 4 * word + (to + times) % 4,
    })
}
const NONE: u8 = 4;

const ROT_WORD: Block = words([3; 4], 1);
const LAST_WORD: Block = words([3; 4], 0);
const LATER: Block = words([NONE, 0, 1, 2], 0);
const TWO_LATER: Block = words([NONE, NONE, 0, 1], 0);
const LAST_TWO: Block = words([NONE, NONE, 2, 3], 0);
const LAST_BUT_ONE: Block = words([NONE, NONE, NONE, 2], 0);
const LAST_TWICE: Block = words([NONE, NONE, 3, 3], 0);

/// The constant of SubBytes and that of each group, of which group 0 has none: for each word.
const ADDED: [Block; 11] = {
    let (mut all, mut n) = ([[0; 16]; 11], 0);
    while n < all.len() {
        let constant = RCON[n];
        all[n] = table!(to => in_tower(AFFINE ^ if to % 4 == 0 { constant } else { 0 }));
        n += 1;
    }
    all
};
