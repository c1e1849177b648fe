//! Encryption where each block waits for the one before: with more instructions a round than
//! [`encrypt`](super::encrypt), and less time from its first to its last.

use super::{Block, RoundKeys, block, convert, invert, sum, tables::*};
use crate::{simd::Bytes, text::Text};

/// Adds each block to the ciphertext before it, and encrypts it (NIST SP 800-38A, section 6.2).
#[inline(always)]
pub(crate) fn encrypt_chain<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    RoundKeys { keys, rounds }: &RoundKeys,
    iv: &Block,
    mut text: Text<'_>,
) {
    let (first, last) = (V::splat(cpu, &keys[0]), V::splat(cpu, &keys[*rounds]));
    let shift = V::splat(cpu, &SHIFT[rounds % 4]);
    // What comes before is kept in the basis of the tower, and without the last round key, which
    // the text brings along: so neither is waited for.
    let mut before = convert(cpu, V::splat(cpu, iv) ^ last, &INTO_TOWER);
    let keys_around = convert(cpu, first ^ last, &INTO_TOWER);
    while let Some(mut piece) = text.next::<16>() {
        let text = convert(cpu, V::splat(cpu, piece.input()), &INTO_TOWER);
        let mut x = (text ^ keys_around) ^ before;
        for r in 1..*rounds {
            x = round(cpu, r, x, V::splat(cpu, &keys[r]));
        }
        let inverse = invert(cpu, x);
        before = sum(cpu, inverse, &SUB_BYTES_1).look_up(shift);
        *piece.output() = block(sum(cpu, inverse, &SUB_BYTES).look_up(shift) ^ last);
    }
}

#[inline(always)]
fn round<V: Bytes<L>, const L: usize>(cpu: V::Cpu, s: usize, x: V, key: V) -> V {
    let below = |by: &[Block; 4]| V::splat(cpu, &by[s % 4]);
    let inverse = invert(cpu, x);
    let once = sum(cpu, inverse, &SUB_BYTES_1);
    let twice = sum(cpu, inverse, &SUB_BYTES_2) ^ key;
    let thrice = sum(cpu, inverse, &SUB_BYTES_3).look_up(below(&BELOW_1));
    (twice ^ thrice) ^ (once.look_up(below(&BELOW_2)) ^ once.look_up(below(&BELOW_3)))
}
