//! AES-ECB with vector permutes, for vectors of any width.

use core::array::from_mut;

use crate::{
    aes::{
        RoundKeys,
        vperm::{Alone, Apart, MANY},
    },
    core::text::{Piece, Text},
};

/// Encrypts or decrypts each block. A single last block uses a vector of its own width.
#[inline(always)]
pub(super) fn apply<V: Apart<L>, One: Alone<Cpu = V::Cpu>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    encrypt: bool,
    mut text: Text<'_>,
) {
    let nothing = [V::splat(cpu, &[0; 16]); MANY];
    while text.len() > 16 {
        V::blocks(cpu, keys, encrypt, &mut text.take(16 * L * MANY), [&nothing; 2]);
    }
    if let Some(piece) = text.next() {
        one::<One>(cpu, keys, encrypt, One::splat(cpu, &[0; 16]), piece);
    }
}

/// A block, with `around` added before and after.
#[inline(always)]
pub(crate) fn one<V: Alone>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    encrypt: bool,
    around: V,
    mut text: Piece<'_, 16>,
) {
    let x = V::splat(cpu, text.input()) ^ around;
    let x = if encrypt { V::encrypt_one(cpu, keys, x) } else { V::decrypt_one(cpu, keys, x) };
    (x ^ around).store(from_mut(text.output()));
}
