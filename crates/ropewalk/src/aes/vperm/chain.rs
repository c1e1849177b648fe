//! Encryption where each block waits for the one before (NIST SP 800-38A, section 6.2).

use core::array::from_mut;

use super::{Alone, Block, RoundKeys, block, convert, invert, sum, tables::*};
use crate::{simd::Bytes, text::Text};

/// The round keys as a chain takes them, from those that [`super::encrypt`] takes: to be
/// added before MixColumns, and not to what it doubles. There nobody waits for them.
#[inline(always)]
pub(crate) fn for_chain<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    RoundKeys { keys, rounds }: &mut RoundKeys,
) {
    for (r, key) in keys[..*rounds].iter_mut().enumerate().skip(1) {
        // A byte comes to the three others of its column; done twice, to itself alone.
        let x = V::splat(cpu, key);
        let below = |of: &[Block; 4]| x.look_up(V::splat(cpu, &of[r % 4]));
        *key = block(below(&BELOW_1) ^ below(&BELOW_2) ^ below(&BELOW_3));
    }
}

/// What a chain has taken, from a block that is added to what was encrypted before, in the basis of the tower.
#[inline(always)]
pub(crate) fn enter<V: Bytes<1>>(cpu: V::Cpu, RoundKeys { keys, .. }: &RoundKeys, block: V) -> V {
    into_tower(cpu, block ^ V::splat(cpu, &keys[0]))
}

/// What a chain gives, but for the last round key: in the basis of the tower, and as the standard has it.
#[derive(Clone, Copy)]
pub(crate) struct Given<V>([V; 2]);

#[cfg(target_arch = "x86_64")]
impl<V: Bytes<1>> Given<V> {
    #[inline(always)]
    pub(super) fn in_tower(self) -> V {
        self.0[0]
    }

    /// Nobody waits for the other but who ends.
    #[inline(always)]
    pub(super) fn of_tower(cpu: V::Cpu, x: V) -> Self {
        Self([x, convert(cpu, x, &OUT_OF_TOWER)])
    }
}

/// All rounds of what a chain has taken.
#[inline(always)]
pub(super) fn rounds<V: Bytes<1>>(cpu: V::Cpu, keys: &RoundKeys, mut x: V) -> Given<V> {
    let (keys, rounds) = (&keys.keys, keys.rounds());
    #[cfg(target_arch = "aarch64")]
    crate::aes::middle_rounds!(rounds; r => x = round(cpu, r, x, V::splat(cpu, &keys[r])));
    // Lookups take longer than a loop.
    #[cfg(not(target_arch = "aarch64"))]
    for r in 1..rounds {
        x = round(cpu, r, x, V::splat(cpu, &keys[r]));
    }
    let (inverse, shift) = (invert(cpu, x), V::splat(cpu, &SHIFT[rounds % 4]));
    Given([&SUB_BYTES_1, &SUB_BYTES].map(|of| sum(cpu, inverse, of).look_up(shift)))
}

/// Takes the next block. It comes with both round keys that stand beside it: nobody waits for either.
#[inline(always)]
pub(crate) fn take<V: Bytes<1>>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    Given([given, _]): Given<V>,
    block: V,
) -> V {
    let [first, last] = [0, keys.rounds()].map(|r| V::splat(cpu, &keys.keys[r]));
    given ^ into_tower(cpu, block ^ (first ^ last))
}

/// What was encrypted last.
#[inline(always)]
pub(crate) fn leave<V: Bytes<1>>(cpu: V::Cpu, keys: &RoundKeys, Given([_, given]): Given<V>) -> V {
    given ^ V::splat(cpu, &keys.keys[keys.rounds()])
}

#[inline(always)]
fn into_tower<V: Bytes<1>>(cpu: V::Cpu, x: V) -> V {
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
    let mut x = enter(cpu, keys, V::splat(cpu, piece.input()) ^ V::splat(cpu, iv));
    loop {
        let given = V::chain(cpu, keys, x);
        leave(cpu, keys, given).store(from_mut(piece.output()));
        let Some(next) = text.next() else { return };
        piece = next;
        x = take(cpu, keys, given, V::splat(cpu, piece.input()));
    }
}

/// Round r with the shortest way through: thirteen instructions of twenty-six, in the order in which
/// they are waited for. MixColumns is (2a + b) + (2b + c) + d of each byte a and those below it.
#[inline(always)]
fn round<V: Bytes<L>, const L: usize>(cpu: V::Cpu, r: usize, x: V, key: V) -> V {
    let [io, jo] = invert(cpu, x);
    let look_up = |[of_io, of_jo]: &Pair| {
        [V::splat(cpu, of_io).look_up(io), V::splat(cpu, of_jo).look_up(jo)]
    };
    let below = |x: V, of: &[Block; 4]| x.look_up(V::splat(cpu, &of[r % 4]));
    let ([a_io, a_jo], [twice_io, twice_jo]) = (look_up(&SUB_BYTES_1), look_up(&SUB_BYTES_2));
    let a = (a_io ^ key).at_once() ^ a_jo;
    let b = below(a, &BELOW_1).at_once();
    let d = below(a, &BELOW_3);
    let sum = (twice_io ^ twice_jo).at_once() ^ b;
    let c = below(sum, &BELOW_1).at_once();
    (sum ^ d).at_once() ^ c
}
