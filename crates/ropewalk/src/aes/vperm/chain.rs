//! Encryption where each block waits for the one before (NIST SP 800-38A, section 6.2).

use super::{Block, RoundKeys, block, convert, invert, mix_columns, sub_bytes, sum, tables::*};
use crate::{simd::Bytes, text::Text};

/// Adds each block to the ciphertext before it, and encrypts it.
#[inline(always)]
pub(crate) fn encrypt_chain<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    RoundKeys { keys, rounds }: &RoundKeys,
    iv: &Block,
    mut text: Text<'_>,
) {
    let (first, last) = (V::splat(cpu, &keys[0]), V::splat(cpu, &keys[*rounds]));
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
        for r in 1..*rounds {
            x = mix_columns(cpu, r, sub_bytes(cpu, x), V::splat(cpu, &keys[r]));
        }
        let inverse = invert(cpu, x);
        *piece.output() = block(sum(cpu, inverse, &SUB_BYTES).look_up(shift) ^ last);
        x = sum(cpu, inverse, &SUB_BYTES_1).look_up(shift) ^ ahead;
    }
}
