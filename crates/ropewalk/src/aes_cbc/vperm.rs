//! AES-CBC from lookups in registers, for vectors of any width.

use super::{Block, Secret};
use crate::{
    aes::{
        RoundKeys,
        vperm::{decrypt, for_chain, for_decryption, for_encryption, schedule},
    },
    simd::{Bytes, each},
    text::Text,
};

/// Vectors side by side: while one waits for a lookup, the others have theirs.
const MANY: usize = 4;

/// For encrypting and for decrypting.
#[inline(always)]
pub(super) fn expand<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    secret: Secret<'_>,
) -> (RoundKeys, RoundKeys) {
    let keys = schedule::<V, L>(cpu, secret);
    let inverse = for_decryption::<V, L>(cpu, &keys);
    (for_chain::<V, L>(cpu, for_encryption::<V, L>(cpu, keys)), inverse)
}

/// Decrypts each block, and adds it to the ciphertext before it.
#[inline(always)]
pub(super) fn decrypt_text<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    inverse: &RoundKeys,
    iv: &Block,
    mut text: Text<'_>,
) {
    let mut before = *iv;
    while text.len() >= 16 * L * MANY {
        before = step::<V, L, MANY>(cpu, inverse, &before, text.take(16 * L * MANY));
    }
    while text.len() > 16 * L {
        before = part::<V, L, { MANY / 2 }>(cpu, inverse, &before, text.take(16 * L * MANY / 2));
    }
    if text.len() > 0 {
        part::<V, L, 1>(cpu, inverse, &before, text);
    }
}

/// Decrypts up to `N` vectors, which need not be full; returns the last of the ciphertext.
#[inline(always)]
fn part<V: Bytes<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    inverse: &RoundKeys,
    before: &Block,
    mut text: Text<'_>,
) -> Block {
    let mut blocks = [[[0; 16]; L]; N];
    let bytes = &mut blocks.as_flattened_mut().as_flattened_mut()[..];
    bytes[..text.len()].copy_from_slice(text.input());
    let after = *text.input().last_chunk().expect("whole blocks");
    step::<V, L, N>(cpu, inverse, before, Text::in_place(bytes));
    let len = text.len();
    text.output().copy_from_slice(&bytes[..len]);
    after
}

/// Decrypts `N` vectors; returns the last of the ciphertext.
#[inline(always)]
fn step<V: Bytes<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    inverse: &RoundKeys,
    before: &Block,
    mut text: Text<'_>,
) -> Block {
    let vectors = |bytes: &[u8]| V::load(cpu, bytes.as_chunks().0.first_chunk().expect("L blocks"));
    let ciphertext: [V; N] = each(|i| vectors(&text.input()[16 * L * i..]));
    let x: [V; N] = decrypt(cpu, inverse, ciphertext);
    let last = *text.input().last_chunk().expect("L blocks");
    // From the end on: what is written is not read any more.
    for i in (0..N).rev() {
        let before = if i == 0 {
            let mut blocks = [*before; L];
            blocks[1..].copy_from_slice(&text.input().as_chunks().0[..L - 1]);
            V::load(cpu, &blocks)
        } else {
            vectors(&text.input()[16 * (L * i - 1)..])
        };
        let out = &mut text.output()[16 * L * i..];
        (x[i] ^ before).store(out.as_chunks_mut().0.first_chunk_mut().expect("L blocks"));
    }
    last
}
