//! AES-CBC with vector permutes, for vectors of any width.

use core::array::from_mut;

use super::Block;
use crate::{
    aes::{
        RoundKeys,
        vperm::{Alone, Apart, MANY, chain},
    },
    core::{
        simd::each,
        text::{Piece, Text},
    },
};

/// Encrypts one block, to the output and into `iv`.
#[inline(always)]
pub(super) fn encrypt_block<One: Alone>(
    cpu: One::Cpu,
    keys: &RoundKeys,
    iv: &mut Block,
    mut block: Piece<'_, 16>,
) {
    let x = One::splat(cpu, block.input()) ^ One::splat(cpu, iv);
    let x = chain::leave(cpu, keys, One::chain(cpu, keys, chain::enter(cpu, x)));
    x.store(from_mut(iv));
    x.store(from_mut(block.output()));
}

/// Decrypts each block, and adds it to the ciphertext before it. A single last block uses a vector of its own width, and no
/// buffer.
#[inline(always)]
pub(super) fn decrypt_text<V: Apart<L>, One: Alone<Cpu = V::Cpu>, const L: usize>(
    cpu: V::Cpu,
    inverse: &RoundKeys,
    iv: &Block,
    mut text: Text<'_>,
) {
    let mut before = *iv;
    while text.len() > 16 {
        let mut text = text.take(16 * L * MANY);
        let (blocks, _) = text.input().as_chunks();
        let [.., last] = *blocks else { unreachable!("more than a block") };
        let before_of = |i| if i == 0 { &before } else { blocks.get(i - 1).unwrap_or(&before) };
        let mut sums = [V::splat(cpu, &before); MANY];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = V::load(cpu, &each(|lane| *before_of(L * i + lane)));
        }
        before = last;
        V::blocks(cpu, inverse, false, &mut text, [&[V::splat(cpu, &[0; 16]); MANY], &sums]);
    }
    if let Some(mut piece) = text.next::<16>() {
        let x = One::decrypt_one(cpu, inverse, One::splat(cpu, piece.input()));
        (x ^ One::splat(cpu, &before)).store(from_mut(piece.output()));
    }
}
