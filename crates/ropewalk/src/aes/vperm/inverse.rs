//! The inverse cipher (FIPS 197, section 5.3), as its equivalent of section 5.3.5.
//!
//! Between rounds a byte is kept as the value that InvSubBytes inverts in the field.

#[cfg(target_arch = "x86_64")]
use super::chain::Taken;
use super::{IN_ALL, MANY, RoundKeys, block, convert, invert, invert_by, sum};
use crate::aes::tables::*;
use crate::core::{block::Block, simd::Bytes};

/// The round keys in the layout of [`decrypt`], last one first, from those of the [`super::schedule`].
#[inline(always)]
pub(super) fn for_decryption<V: Bytes<1>>(cpu: V::Cpu, of: &RoundKeys, inverse: &mut RoundKeys) {
    let (k, rounds) = (&of.keys, of.rounds());
    inverse.rounds = rounds;
    let inverse = &mut inverse.keys;
    let affine = V::splat(cpu, &IN_ALL);
    let zero = V::splat(cpu, &[0; 16]);
    inverse[0] = k[rounds];
    for r in 1..rounds {
        let key = (V::splat(cpu, &k[rounds - r]) ^ affine).look_up(V::splat(cpu, &SHIFT[r % 4]));
        let products = OF_TOWER_TIMES.each_ref().map(|times| convert(cpu, key, times));
        inverse[r] = block(inv_mix_columns(cpu, r, products, zero));
    }
    inverse[rounds] = k[0];
}

/// Decrypts vectors in parallel, or a single one. A number that the compiler knows keeps them in registers.
#[inline(always)]
pub(super) fn decrypt<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    x: &mut [V],
    alone: bool,
) {
    let (keys, rounds) = (&keys.keys, keys.rounds());
    let first = V::splat(cpu, &keys[0]);
    for x in &mut *x {
        *x = convert(cpu, *x ^ first, &INTO_INVERSE);
    }
    in_registers!(x => middle(cpu, keys, rounds, x, alone));
    let shift = V::splat(cpu, &SHIFT[(4 - rounds % 4) % 4]);
    let last = V::splat(cpu, &keys[rounds]);
    for x in x {
        *x = sum(cpu, invert(cpu, *x), &INV_SUB_BYTES).look_up(shift) ^ last;
    }
}

/// Decrypts an input. Within a chain the result stays the value that InvSubBytes inverts, without the last round key.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn one<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    [given, block]: Taken<V>,
    of_chain: bool,
) -> V {
    let (keys, rounds) = (&keys.keys, keys.rounds());
    let x = given ^ convert(cpu, block ^ V::splat(cpu, &keys[0]), &INTO_INVERSE);
    let mut one = [x];
    middle(cpu, keys, rounds, &mut one, true);
    let [x] = one;
    let inverse = invert(cpu, x);
    let shift = V::splat(cpu, &SHIFT[(4 - rounds % 4) % 4]);
    if of_chain {
        return sum(cpu, inverse, &INV_SUB_BYTES_1).look_up(shift);
    }
    sum(cpu, inverse, &INV_SUB_BYTES).look_up(shift) ^ V::splat(cpu, &keys[rounds])
}

/// Rounds between the first and the last.
#[inline(always)]
fn middle<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &[Block; 15],
    rounds: usize,
    x: &mut [V],
    alone: bool,
) {
    for r in 1..rounds {
        let key = V::splat(cpu, &keys[r]);
        for x in &mut *x {
            if alone {
                *x = products_alone(cpu, r, invert_by(cpu, *x, V::at_once), key);
                continue;
            }
            let inverse = invert(cpu, *x);
            let [by_14, by_11, by_13, by_9] = &INV_SUB_BYTES_TIMES;
            let (by_9, by_13) = (sum(cpu, inverse, by_9), sum(cpu, inverse, by_13));
            let (by_11, by_14) = (sum(cpu, inverse, by_11), sum(cpu, inverse, by_14));
            *x = inv_mix_columns(cpu, r, [by_14, by_11, by_13, by_9], key);
        }
    }
}

/// The products and `inv_mix_columns` of them, for a single vector: in the order of the critical path, io being there first, with
/// one shift of each.
#[inline(always)]
fn products_alone<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    r: usize,
    [io, jo]: [V; 2],
    key: V,
) -> V {
    let [[io_14, jo_14], [io_11, jo_11], [io_13, jo_13], [io_9, jo_9]] = &INV_SUB_BYTES_TIMES;
    let (by_9, by_11) = (V::splat(cpu, io_9).look_up(io), V::splat(cpu, io_11).look_up(io));
    let (by_13, by_14) = (V::splat(cpu, io_13).look_up(io), V::splat(cpu, io_14).look_up(io) ^ key);
    let by_9 = by_9 ^ V::splat(cpu, jo_9).look_up(jo);
    let by_11 = by_11 ^ V::splat(cpu, jo_11).look_up(jo);
    let by_13 = by_13 ^ V::splat(cpu, jo_13).look_up(jo);
    let by_14 = by_14 ^ V::splat(cpu, jo_14).look_up(jo);
    let s = (4 - r % 4) % 4;
    let d = by_9.look_up(V::splat(cpu, &BELOW_3[s]));
    let b = by_11.look_up(V::splat(cpu, &BELOW_1[s]));
    let c = by_13.look_up(V::splat(cpu, &BELOW_2[s]));
    ((by_14 ^ d) ^ b) ^ c
}

/// InvMixColumns after r times InvShiftRows, and AddRoundKey: the products by 14, 11, 13 and 9 of each byte and those below it in
/// its column.
#[inline(always)]
fn inv_mix_columns<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    r: usize,
    [by_14, by_11, by_13, by_9]: [V; 4],
    key: V,
) -> V {
    let s = (4 - r % 4) % 4;
    let (by_1, by_2) = (V::splat(cpu, &BELOW_1[s]), V::splat(cpu, &BELOW_2[s]));
    (by_14 ^ key) ^ by_13.look_up(by_2) ^ (by_11 ^ by_9.look_up(by_2)).look_up(by_1)
}
