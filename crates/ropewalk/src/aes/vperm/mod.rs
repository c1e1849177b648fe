//! AES from lookups in registers: in constant time, without AES instructions.
//!
//! An instruction that looks up sixteen indices at once in a register of sixteen bytes does
//! SubBytes, if it is put together from functions of four bits: M. Hamburg, "Accelerating AES with
//! Vector Permute Instructions", CHES 2009, section 3, whose letters these are.
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
//! so the inverse is a sum of a function of io and one of jo. What follows the inverse is linear
//! and goes into both: the affine map, the products of MixColumns, the basis of the next round. A
//! division by zero gives [`INFINITY`], which is still one when something finite is added to it,
//! and of which each lookup gives zero.
//!
//! Bytes stay where they are in ShiftRows: MixColumns looks for them where s rounds have left them,
//! and s modulo 4 is all there is to know.

use super::{Block, RoundKeys};
use crate::simd::Bytes;
use tables::*;

mod apart;
mod blocks;
pub(crate) mod chain;
mod ctr;
mod inverse;
mod schedule;
mod tables;

pub(crate) use apart::{Alone, Apart, encrypt_many};
pub(crate) use blocks::MANY;
pub(crate) use chain::encrypt_chain;
pub(crate) use ctr::{apply, apply_one, apply_runs};
use inverse::{decrypt, for_decryption};
use schedule::schedule;

/// As [`encrypt`] takes them: where ShiftRows has not been done, in the basis of the tower, and with
/// what SubBytes adds to every byte, which passes MixColumns unchanged.
#[inline(always)]
fn for_encryption<V: Bytes<L>, const L: usize>(cpu: V::Cpu, keys: &mut RoundKeys) {
    let RoundKeys { keys: k, rounds } = keys;
    for r in 1..=*rounds {
        let mut key = V::splat(cpu, &k[r]) ^ V::splat(cpu, &[AFFINE; 16]);
        if r < *rounds {
            key = convert(cpu, key, &INTO_TOWER).look_up(V::splat(cpu, &SHIFT[(4 - r % 4) % 4]));
        }
        k[r] = block(key);
    }
}

/// The first of the blocks.
#[inline(always)]
pub(crate) fn block<V: Bytes<L>, const L: usize>(x: V) -> Block {
    let mut blocks = [[0; 16]; L];
    x.store(&mut blocks);
    blocks[0]
}

/// Encrypts `N` vectors side by side (FIPS 197, section 5.1).
#[inline(always)]
pub(crate) fn encrypt<V: Bytes<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    x: [V; N],
) -> [V; N] {
    encrypt_from(cpu, keys, 0, x)
}

/// As `encrypt`, from that round on; that is all of it from 0 on.
#[inline(always)]
fn encrypt_from<V: Bytes<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    first: usize,
    mut x: [V; N],
) -> [V; N] {
    let (keys, rounds) = (&keys.keys, keys.rounds());
    if first == 0 {
        for i in 0..N {
            x[i] = convert(cpu, x[i] ^ V::splat(cpu, &keys[0]), &INTO_TOWER);
        }
    }
    for r in first.max(1)..rounds {
        let key = V::splat(cpu, &keys[r]);
        for i in 0..N {
            x[i] = mix_columns(cpu, r, sub_bytes(cpu, x[i]), key);
        }
    }
    let (key, shift) = (V::splat(cpu, &keys[rounds]), V::splat(cpu, &SHIFT[rounds % 4]));
    for i in 0..N {
        x[i] = sum(cpu, invert(cpu, x[i]), &SUB_BYTES).look_up(shift) ^ key;
    }
    x
}

/// SubBytes, and its products by 1 and 2.
#[inline(always)]
fn sub_bytes<V: Bytes<L>, const L: usize>(cpu: V::Cpu, x: V) -> [V; 2] {
    let inverse = invert(cpu, x);
    [sum(cpu, inverse, &SUB_BYTES_1), sum(cpu, inverse, &SUB_BYTES_2)]
}

/// MixColumns after s times ShiftRows, and AddRoundKey: 2a + 3b + c + d of each byte a and those
/// below it in its column.
#[inline(always)]
fn mix_columns<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    s: usize,
    [once, twice]: [V; 2],
    key: V,
) -> V {
    let (by_1, by_2) = (V::splat(cpu, &BELOW_1[s % 4]), V::splat(cpu, &BELOW_2[s % 4]));
    let even = twice ^ once.look_up(by_2);
    (even ^ key) ^ (even ^ once).look_up(by_1)
}

/// io and jo of each byte. (The order is the one in which a chain of rounds waits for them.)
#[inline(always)]
fn invert<V: Bytes<L>, const L: usize>(cpu: V::Cpu, x: V) -> [V; 2] {
    let inverse = |x| V::splat(cpu, &INVERSE).look_up(x);
    let i = x.high_nibbles();
    let k = x.low_nibbles();
    let ak = V::splat(cpu, &A_OVER).look_up(k);
    let j = i ^ k;
    let (of_j, of_i) = (inverse(j) ^ ak, inverse(i) ^ ak);
    [inverse(of_i) ^ j, inverse(of_j) ^ i]
}

/// A function of io and one of jo, added.
#[inline(always)]
fn sum<V: Bytes<L>, const L: usize>(cpu: V::Cpu, [io, jo]: [V; 2], [of_io, of_jo]: &Pair) -> V {
    V::splat(cpu, of_io).look_up(io) ^ V::splat(cpu, of_jo).look_up(jo)
}

/// A linear function of bytes, given what it is of their low and of their high halves.
#[inline(always)]
pub(crate) fn convert<V: Bytes<L>, const L: usize>(cpu: V::Cpu, x: V, [low, high]: &Pair) -> V {
    V::splat(cpu, low).look_up(x.low_nibbles()) ^ V::splat(cpu, high).look_up(x.high_nibbles())
}
