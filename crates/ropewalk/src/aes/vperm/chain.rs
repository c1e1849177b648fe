//! Encryption where each block waits for the one before (NIST SP 800-38A, section 6.2).

use core::hint::black_box;

use super::{Block, RoundKeys, block, convert, invert, sum, tables::*};
use crate::{aes::middle_rounds, simd::Bytes, text::Text};

/// The round keys as [`encrypt_chain`] takes them, from those that [`super::encrypt`] takes: to be
/// added before MixColumns, and not to what it doubles. There nobody waits for them.
#[inline(always)]
pub(crate) fn for_chain<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    RoundKeys { mut keys, rounds }: RoundKeys,
) -> RoundKeys {
    for (r, key) in keys[..rounds].iter_mut().enumerate().skip(1) {
        // A byte comes to the three others of its column; done twice, to itself alone.
        let x = V::splat(cpu, key);
        let below = |of: &[Block; 4]| x.look_up(V::splat(cpu, &of[r % 4]));
        *key = block(below(&BELOW_1) ^ below(&BELOW_2) ^ below(&BELOW_3));
    }
    RoundKeys { keys, rounds }
}

/// Adds each block to the ciphertext before it, and encrypts it.
#[inline(always)]
pub(crate) fn encrypt_chain<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    &RoundKeys { ref keys, rounds }: &RoundKeys,
    iv: &Block,
    mut text: Text<'_>,
) {
    let (first, last) = (V::splat(cpu, &keys[0]), V::splat(cpu, &keys[rounds]));
    let shift = V::splat(cpu, &SHIFT[rounds % 4]);
    let into_tower = |x| convert(cpu, x, &INTO_TOWER);

    // The ciphertext goes on from its last SubBytes, in the basis of the tower. The last round key
    // comes with the text, a block ahead: nobody waits for either.
    let (around, mut next) = (first ^ last, text.next::<16>());
    let Some(piece) = &next else { return };
    let mut x = into_tower(V::splat(cpu, piece.input()) ^ V::splat(cpu, iv) ^ first);
    while let Some(mut piece) = next {
        next = text.next();
        let ahead = match &next {
            Some(piece) => into_tower(V::splat(cpu, piece.input()) ^ around),
            None => around,
        };
        let keys = black_box(keys);
        middle_rounds!(rounds; r => x = round(cpu, r, x, V::splat(cpu, &keys[r])));
        let inverse = invert(cpu, x);
        *piece.output() = block(sum(cpu, inverse, &SUB_BYTES).look_up(shift) ^ last);
        x = sum(cpu, inverse, &SUB_BYTES_1).look_up(shift) ^ ahead;
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
    let a = (a_io ^ key) ^ a_jo;
    let (d, b) = (below(a, &BELOW_3), below(a, &BELOW_1));
    let sum = (twice_io ^ twice_jo) ^ b;
    (sum ^ d) ^ below(sum, &BELOW_1)
}
