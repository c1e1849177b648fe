//! Encryption where each block depends on the one before (NIST SP 800-38A, section 6.2).

use core::array::from_mut;

use super::{Alone, RoundKeys, convert, invert, mix_columns, sum};
use crate::aes::tables::*;
use crate::core::block::Block;
use crate::core::{simd::Bytes, text::Text};

/// The input of a chain: its last result, in the basis of the rounds, and the addend, in the basis of the standard. Only the
/// first is on the critical path.
pub(crate) type Taken<V> = [V; 2];

/// The input for a block that includes the last result.
#[inline(always)]
pub(crate) fn enter<V: Bytes<L>, const L: usize>(cpu: V::Cpu, block: V) -> Taken<V> {
    [V::splat(cpu, &[0; 16]), block]
}

/// The result of a chain before the last round key: in the basis of the tower, and in that of the standard.
#[derive(Clone, Copy)]
pub(crate) struct Given<V>([V; 2]);

impl<V: Bytes<1>> Given<V> {
    /// The conversion is needed at the end of a chain only, off the critical path.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn of_tower(cpu: V::Cpu, x: V) -> Self {
        Self([x, convert(cpu, x, &OUT_OF_TOWER)])
    }

    /// The same for the inverse cipher.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn of_inverse(cpu: V::Cpu, x: V) -> Self {
        Self([x, convert(cpu, x, &OUT_OF_INVERSE)])
    }

    /// All rounds for an input.
    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    pub(super) fn of(cpu: V::Cpu, keys: &RoundKeys, [given, block]: Taken<V>) -> Self {
        let x = given ^ into_tower(cpu, block ^ V::splat(cpu, &keys.keys[0]));
        let (inverse, shift) = all_but_last(cpu, keys, x);
        Self([&SUB_BYTES_1, &SUB_BYTES].map(|of| sum(cpu, inverse, of).look_up(shift)))
    }
}

/// Encrypts an input. Within a chain the result stays in the basis of the tower, without the last round key.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn one<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    [given, block]: Taken<V>,
    of_chain: bool,
) -> V {
    let x = given ^ into_tower(cpu, block ^ V::splat(cpu, &keys.keys[0]));
    let (inverse, shift) = all_but_last(cpu, keys, x);
    if of_chain {
        return sum(cpu, inverse, &SUB_BYTES_1).look_up(shift);
    }
    sum(cpu, inverse, &SUB_BYTES).look_up(shift) ^ V::splat(cpu, &keys.keys[keys.rounds()])
}

/// All rounds up to the inversion in the last one, and the permutation of the ShiftRows that are still to be done.
#[inline(always)]
fn all_but_last<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    mut x: V,
) -> ([V; 2], V) {
    let (keys, rounds) = (&keys.keys, keys.rounds());
    #[cfg(target_arch = "aarch64")]
    crate::aes::middle_rounds!(rounds; r => x = round(cpu, r, x, V::splat(cpu, &keys[r])));
    // Permutes take longer than the loop.
    #[cfg(not(target_arch = "aarch64"))]
    for r in 1..rounds {
        x = round(cpu, r, x, V::splat(cpu, &keys[r]));
    }
    (invert(cpu, x), V::splat(cpu, &SHIFT[rounds % 4]))
}

/// Adds the next block together with the last round key, off the critical path.
#[inline(always)]
pub(crate) fn take<V: Bytes<1>>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    Given([given, _]): Given<V>,
    block: V,
) -> Taken<V> {
    [given, block ^ V::splat(cpu, &keys.keys[keys.rounds()])]
}

/// The same with only the first half of the result.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn take_half<V: Bytes<1>>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    given: Given<V>,
    block: V,
) -> Taken<V> {
    let half = V::splat(cpu, &table!(i => if i < 8 { i } else { 0x80 }));
    let [given, last] = take(cpu, keys, given, V::splat(cpu, &[0; 16]));
    [given.look_up(half), block ^ last.look_up(half)]
}

/// The result before the first block: zeros, which stand for the last round key.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn nothing<V: Bytes<1>>(cpu: V::Cpu) -> Given<V> {
    Given([V::splat(cpu, &[0; 16]); 2])
}

/// The encrypted state.
#[inline(always)]
pub(crate) fn leave<V: Bytes<1>>(cpu: V::Cpu, keys: &RoundKeys, Given([_, given]): Given<V>) -> V {
    given ^ V::splat(cpu, &keys.keys[keys.rounds()])
}

#[inline(always)]
fn into_tower<V: Bytes<L>, const L: usize>(cpu: V::Cpu, x: V) -> V {
    convert(cpu, x, &INTO_TOWER)
}

/// Adds each block to the ciphertext before it, and encrypts it.
#[inline(always)]
pub(crate) fn encrypt_chain<V: Alone>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    iv: &Block,
    mut text: Text<'_>,
) {
    let Some(mut piece) = text.next::<16>() else { return };
    let mut x = enter(cpu, V::splat(cpu, piece.input()) ^ V::splat(cpu, iv));
    loop {
        let given = V::chain(cpu, keys, x);
        leave(cpu, keys, given).store(from_mut(piece.output()));
        let Some(next) = text.next() else { return };
        piece = next;
        x = take(cpu, keys, given, V::splat(cpu, piece.input()));
    }
}

/// Round r, with permutes in pairs, as in [`super::invert_by`].
#[inline(always)]
fn round<V: Bytes<L>, const L: usize>(cpu: V::Cpu, r: usize, x: V, key: V) -> V {
    let [io, jo] = invert(cpu, x);
    let ([a_io, a_jo], [b_io, b_jo]) = (&SUB_BYTES_1, &SUB_BYTES_3);
    let look_up = |of: [&Block; 2], x| of.map(|of| V::splat(cpu, of).look_up(x).at_once());
    let (of_io, of_jo) = (look_up([a_io, b_io], io), look_up([a_jo, b_jo], jo));
    mix_columns(cpu, r, [of_io[0] ^ of_jo[0], of_io[1] ^ of_jo[1]], key)
}
