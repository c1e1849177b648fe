//! AES-GCM from its parts: GCTR and GHASH, one after the other. It serves nonces that are not
//! twelve bytes long, and backends that have nothing better.

use super::{Aead, Block, Nonce};
use crate::{
    aes::{join, split},
    text::Text,
};

/// Bytes that are encrypted before they are hashed: few enough to stay in the nearest cache.
const PIECE: usize = 1024;

/// Section 7.1 from step 2 on, where J₀ is `first`.
pub(super) fn seal(
    aead: &(impl Aead + ?Sized),
    first: &Block,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    let lengths = lengths(aad.len(), text.len());
    let mut hash = [0; 16];
    aead.absorb(&mut hash, aad);
    let mut counter = add(first, 1);
    while text.len() > 0 {
        let mut piece = text.take(PIECE);
        aead.ctr(&counter, piece.reborrow());
        aead.absorb(&mut hash, piece.output());
        counter = add(&counter, (PIECE / 16) as u32);
    }
    finish(aead, first, hash, &lengths, tag);
}

/// Section 7.2 from step 3 on, but for the comparison.
pub(super) fn open(
    aead: &(impl Aead + ?Sized),
    first: &Block,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    let lengths = lengths(aad.len(), text.len());
    let mut hash = [0; 16];
    aead.absorb(&mut hash, aad);
    let mut counter = add(first, 1);
    while text.len() > 0 {
        let piece = text.take(PIECE);
        aead.absorb(&mut hash, piece.input());
        aead.ctr(&counter, piece);
        counter = add(&counter, (PIECE / 16) as u32);
    }
    finish(aead, first, hash, &lengths, tag);
}

/// J₀ (section 7.1, step 2) of a nonce of twelve bytes.
pub(super) fn first_counter(nonce: &Nonce) -> Block {
    join(*nonce, 1)
}

/// J₀ of any other nonce.
pub(super) fn first_counter_of_any(aead: &(impl Aead + ?Sized), nonce: &[u8]) -> Block {
    let mut block = [0; 16];
    aead.absorb(&mut block, nonce);
    aead.absorb(&mut block, &lengths(0, nonce.len()));
    block
}

/// Section 7.1, steps 5 and 6.
fn finish(
    aead: &(impl Aead + ?Sized),
    first: &Block,
    mut hash: Block,
    lengths: &Block,
    tag: &mut Block,
) {
    aead.absorb(&mut hash, lengths);
    aead.ctr(first, Text::in_place(&mut hash));
    *tag = hash;
}

/// The last block of GHASH: both lengths in bits.
fn lengths(aad: usize, text: usize) -> Block {
    (((8 * aad as u128) << 64) | (8 * text as u128)).to_be_bytes()
}

/// inc₃₂ (section 6.2), `n` times.
fn add(counter: &Block, n: u32) -> Block {
    let (nonce, count) = split(counter);
    join(nonce, count.wrapping_add(n))
}
