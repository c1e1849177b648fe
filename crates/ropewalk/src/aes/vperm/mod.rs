//! AES with vector permutes: in constant time, without AES instructions.
//!
//! A vector permute looks sixteen indices up at once in a register of sixteen bytes. It computes SubBytes if that is composed of
//! functions of four bits: M. Hamburg, "Accelerating AES with Vector Permute Instructions", CHES 2009, section 3, whose notation
//! this is.
//!
//! Between rounds a byte is kept as k + i ω, k in its low and i in its high half, where k and i are
//! of GF(2^4) and ω² + a ω + a = 0. With N = k² + a i k + a i², and j = i + k,
//!
//! ```text
//! io = j + 1 / (1/i + a/k) = N / (k + a i)
//! jo = i + 1 / (1/j + a/k) = N / (k + a i + a k)
//! 1 / (k + i ω) = (k + a i + i ω) / N = (1 + ω/a + ω/a²) / io + (ω/a²) / jo
//! ```
//!
//! so the inverse is the sum of a function of io and one of jo. The steps after the inverse are linear and are merged into both:
//! the affine map, the products of MixColumns, the basis of the next round. A division by zero gives [`INFINITY`], which stays
//! infinite when a finite value is added, and for which each permute gives zero.
//!
//! ShiftRows does not move bytes: MixColumns takes them from where s rounds have left them, which depends on s modulo 4 only.

use core::ops::Range;

use super::{RoundKeys, tables::*};
use crate::core::block::Block;
use crate::core::simd::Bytes;

/// Rounds of vectors in memory; [`MANY`] of them stay in registers between rounds.
macro_rules! in_registers {
    ($x:ident => $rounds:expr) => {
        if let Ok(many) = <&mut [V; MANY]>::try_from(&mut *$x) {
            let mut all = *many;
            let $x = &mut all;
            $rounds;
            *many = all;
        } else {
            $rounds
        }
    };
}

mod apart;
mod blocks;
pub(crate) mod chain;
mod ctr;
mod inverse;
mod schedule;

pub(crate) use apart::{Alone, Apart};
pub(crate) use blocks::MANY;
pub(crate) use chain::encrypt_chain;
pub(crate) use ctr::{apply, apply_one, apply_runs};
use inverse::{decrypt, for_decryption};
use schedule::schedule;

/// Makes the round keys of a key of 16, 24 or 32 bytes, in the layout of [`encrypt_from`], and those for [`decrypt`].
#[inline(always)]
fn expand<V: Bytes<1>>(
    cpu: V::Cpu,
    secret: &[u8],
    keys: &mut RoundKeys,
    inverse: Option<&mut RoundKeys>,
) {
    schedule::<V>(cpu, secret, keys);
    if let Some(inverse) = inverse {
        for_decryption::<V>(cpu, keys, inverse);
    }
    for_encryption::<V>(cpu, keys);
}

/// Converts the keys of the [`schedule`] to the layout of [`encrypt_from`]: for bytes that ShiftRows has not moved, and with the
/// constant of SubBytes, which passes through MixColumns unchanged.
#[inline(always)]
fn for_encryption<V: Bytes<1>>(cpu: V::Cpu, keys: &mut RoundKeys) {
    let rounds = keys.rounds();
    let RoundKeys { keys: k, .. } = keys;
    let affine = V::splat(cpu, &IN_ALL);
    for r in 1..rounds {
        let shift = V::splat(cpu, &SHIFT[(4 - r % 4) % 4]);
        k[r] = block((V::splat(cpu, &k[r]) ^ affine).look_up(shift));
    }
}

/// The constant of SubBytes, in the basis of the tower.
const IN_ALL: Block = [in_tower(AFFINE); 16];

/// The first of the blocks.
#[inline(always)]
pub(crate) fn block<V: Bytes<L>, const L: usize>(x: V) -> Block {
    let mut blocks = [[0; 16]; L];
    x.store(&mut blocks);
    blocks[0]
}

/// Encrypts vectors in parallel (FIPS 197, section 5.1), from round `first` on; 0 is all of it. A number that the compiler knows
/// keeps them in registers.
#[inline(always)]
pub(crate) fn encrypt_from<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    first: usize,
    x: &mut [V],
) {
    let (keys, rounds) = (&keys.keys, keys.rounds());
    if first == 0 {
        let key = V::splat(cpu, &keys[0]);
        for x in &mut *x {
            *x = convert(cpu, *x ^ key, &INTO_TOWER);
        }
    }
    in_registers!(x => middle(cpu, keys, first.max(1)..rounds, x));
    let (key, shift) = (V::splat(cpu, &keys[rounds]), V::splat(cpu, &SHIFT[rounds % 4]));
    for x in x {
        *x = sum(cpu, invert(cpu, *x), &SUB_BYTES).look_up(shift) ^ key;
    }
}

/// Rounds between the first and the last.
#[inline(always)]
fn middle<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &[Block; 15],
    rounds: Range<usize>,
    x: &mut [V],
) {
    for r in rounds {
        let key = V::splat(cpu, &keys[r]);
        for x in &mut *x {
            *x = mix_columns(cpu, r, sub_bytes(cpu, *x), key);
        }
    }
}

/// SubBytes, and its products by 1 and 3.
#[inline(always)]
fn sub_bytes<V: Bytes<L>, const L: usize>(cpu: V::Cpu, x: V) -> [V; 2] {
    let inverse = invert(cpu, x);
    [sum(cpu, inverse, &SUB_BYTES_1), sum(cpu, inverse, &SUB_BYTES_3)]
}

/// MixColumns after s times ShiftRows, and AddRoundKey: 2a + 3b + c + d of each byte a and those
/// below it in its column, which is a and 3a + c of it, and 3a + c of the one below.
#[inline(always)]
fn mix_columns<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    s: usize,
    [once, thrice]: [V; 2],
    key: V,
) -> V {
    let (by_1, by_2) = (V::splat(cpu, &BELOW_1[s % 4]), V::splat(cpu, &BELOW_2[s % 4]));
    let two = (thrice ^ once.look_up(by_2)).at_once();
    let below = two.look_up(by_1).at_once();
    (two ^ (once ^ key)) ^ below
}

/// io and jo of each byte. (The order is that of the critical path of a chain of rounds.)
#[inline(always)]
fn invert<V: Bytes<L>, const L: usize>(cpu: V::Cpu, x: V) -> [V; 2] {
    invert_by(cpu, x, |x| x)
}

/// The same, with `hold` applied to each inverse. With [`Bytes::at_once`], independent permutes are adjacent pairs: a core
/// assigns ports to groups of instructions, and hardly ever the same port to both of a pair.
#[inline(always)]
fn invert_by<V: Bytes<L>, const L: usize>(cpu: V::Cpu, x: V, hold: impl Fn(V) -> V) -> [V; 2] {
    let inverse = |x| V::splat(cpu, &INVERSE).look_up(x);
    let i = x.high_nibbles();
    let k = x.low_nibbles();
    let ak = V::splat(cpu, &A_OVER).look_up(k);
    let j = i ^ k;
    let (of_j, of_i) = (inverse(j), inverse(i));
    let (of_i, of_j) = (hold(of_i), hold(of_j));
    let (of_j, of_i) = (of_j ^ ak, of_i ^ ak);
    [hold(inverse(of_i)) ^ j, hold(inverse(of_j)) ^ i]
}

/// The sum of a function of io and one of jo.
#[inline(always)]
fn sum<V: Bytes<L>, const L: usize>(cpu: V::Cpu, [io, jo]: [V; 2], [of_io, of_jo]: &Pair) -> V {
    V::splat(cpu, of_io).look_up(io) ^ V::splat(cpu, of_jo).look_up(jo)
}

/// A linear function of bytes, given its values for their low and their high halves.
#[inline(always)]
pub(crate) fn convert<V: Bytes<L>, const L: usize>(cpu: V::Cpu, x: V, [low, high]: &Pair) -> V {
    V::splat(cpu, low).look_up(x.low_nibbles()) ^ V::splat(cpu, high).look_up(x.high_nibbles())
}
