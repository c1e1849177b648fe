//! The key schedule (FIPS 197, section 5.2): a round key at once, in the basis of the tower, where SubBytes is shortest.
//!
//! Each word is the sum of those before it in the round key above, of its own there, and of one word that SubWord gave. The sums
//! are made beside SubWord, for which everybody waits.

use super::{AFFINE, RoundKeys, block, convert, invert, sum, tables::*};
use crate::{
    aes::{Block, schedule::RCON},
    simd::Bytes,
};

/// The round keys as the standard has them.
#[inline(always)]
pub(super) fn schedule<V: Bytes<1>>(cpu: V::Cpu, secret: &[u8]) -> RoundKeys {
    let rounds = secret.len() / 4 + 6;
    let mut keys = [[0; 16]; 15];
    keys.as_flattened_mut()[..secret.len()].copy_from_slice(secret);
    match rounds {
        10 => {
            let mut key = enter::<V>(cpu, secret, 0);
            for n in 1..=10 {
                key = next(cpu, key, key, &ROT_WORD, n);
                keys[n] = leave(cpu, key);
            }
        }
        12 => {
            // Six words: four, and two at the end of a vector.
            let (mut four, mut two) = (enter::<V>(cpu, secret, 0), enter::<V>(cpu, secret, 8));
            for n in 1..=8 {
                four = next(cpu, four, two, &ROT_WORD, n);
                let words = &mut keys.as_flattened_mut()[24 * n..];
                words[..16].copy_from_slice(&leave(cpu, four));
                if n < 8 {
                    two = next_two(cpu, two, four);
                    words[16..24].copy_from_slice(&leave(cpu, two)[8..]);
                }
            }
        }
        _ => {
            let (mut even, mut odd) = (enter::<V>(cpu, secret, 0), enter::<V>(cpu, secret, 16));
            for n in 1..=7 {
                even = next(cpu, even, odd, &ROT_WORD, n);
                keys[2 * n] = leave(cpu, even);
                if n < 7 {
                    odd = next(cpu, odd, even, &LAST_WORD, 0);
                    keys[2 * n + 1] = leave(cpu, odd);
                }
            }
        }
    }
    RoundKeys { keys, rounds }
}

/// Four words of a key.
#[inline(always)]
fn enter<V: Bytes<1>>(cpu: V::Cpu, secret: &[u8], at: usize) -> V {
    let words = secret[at..].first_chunk().unwrap_or_else(|| unreachable!("16 bytes or more"));
    convert(cpu, V::splat(cpu, words), &INTO_TOWER)
}

#[inline(always)]
fn leave<V: Bytes<1>>(cpu: V::Cpu, key: V) -> Block {
    block(convert(cpu, key, &OUT_OF_TOWER))
}

/// The words after `key`, given a vector with the one that goes to SubWord.
#[inline(always)]
fn next<V: Bytes<1>>(cpu: V::Cpu, key: V, from: V, word: &Block, n: usize) -> V {
    let word = from.look_up(V::splat(cpu, word));
    let given = sum(cpu, invert(cpu, word), &SUB_BYTES_1);
    (sums(cpu, key) ^ V::splat(cpu, &ADDED[n])).at_once() ^ given
}

/// The two words after `two`, which SubWord has no part in, given the four before them.
#[inline(always)]
fn next_two<V: Bytes<1>>(cpu: V::Cpu, two: V, four: V) -> V {
    let [two, before, last] = [(two, &LAST_TWO), (two, &LAST_BUT_ONE), (four, &LAST_TWICE)]
        .map(|(x, of)| x.look_up(V::splat(cpu, of)));
    two ^ before ^ last
}

/// Of each word, the sum of it and those before.
#[inline(always)]
fn sums<V: Bytes<1>>(cpu: V::Cpu, x: V) -> V {
    let two = x ^ x.look_up(V::splat(cpu, &LATER));
    two ^ two.look_up(V::splat(cpu, &TWO_LATER))
}

/// Words of a vector, or [`NONE`], each with RotWord done to it so many times.
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

/// What SubBytes adds, and the constant of each group, of which number 0 has none: to each word.
const ADDED: [Block; 11] = {
    let (mut all, mut n) = ([[0; 16]; 11], 0);
    while n < all.len() {
        let constant = RCON[n];
        all[n] = table!(to => in_tower(AFFINE ^ if to % 4 == 0 { constant } else { 0 }));
        n += 1;
    }
    all
};
