//! AES-CBC from lookups in registers, for vectors of any width.

use super::{Block, Secret};
use crate::{
    aes::{
        RoundKeys,
        vperm::{Apart, decrypt, decrypt_many, for_chain},
    },
    simd::Bytes,
    text::Text,
};

/// Vectors side by side: while one waits for a lookup, the others have theirs.
const MANY: usize = 4;

/// For encrypting and for decrypting.
#[inline(always)]
pub(super) fn expand<V: Apart<L>, const L: usize>(
    cpu: V::Cpu,
    secret: Secret<'_>,
) -> (RoundKeys, RoundKeys) {
    let [keys, inverse] = V::expand_both(cpu, secret);
    (for_chain::<V, L>(cpu, keys), inverse)
}

/// Decrypts each block, and adds it to the ciphertext before it. A block that is left alone goes
/// through a vector of its own width, and through no buffer.
#[inline(always)]
pub(super) fn decrypt_text<V: Apart<L>, One: Apart<1, Cpu = V::Cpu>, const L: usize>(
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
    if L > 1 && text.len() > 16 {
        part::<V, L, 1>(cpu, inverse, &before, text);
    } else if let Some(mut piece) = text.next::<16>() {
        let [x] = decrypt(cpu, inverse, [One::splat(cpu, piece.input())]);
        let x = x ^ One::splat(cpu, &before);
        x.store(core::array::from_mut(piece.output()));
    }
}

/// Decrypts up to `N` vectors, in a buffer if they are not full; returns the last of the ciphertext.
#[inline(always)]
fn part<V: Apart<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    inverse: &RoundKeys,
    before: &Block,
    mut text: Text<'_>,
) -> Block {
    let (len, full) = (text.len(), text.len() == 16 * L * N);
    let mut blocks = [[[0; 16]; L]; N];
    let bytes = &mut blocks.as_flattened_mut().as_flattened_mut()[..];
    let after = *text.input().last_chunk().expect("whole blocks");
    let vectors = if full {
        text.reborrow()
    } else {
        bytes[..len].copy_from_slice(text.input());
        Text::in_place(bytes)
    };
    step::<V, L, N>(cpu, inverse, before, vectors);
    if !full {
        text.output().copy_from_slice(&blocks.as_flattened().as_flattened()[..len]);
    }
    after
}

/// Decrypts `N` vectors; returns the last of the ciphertext.
#[inline(always)]
fn step<V: Apart<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    inverse: &RoundKeys,
    before: &Block,
    mut text: Text<'_>,
) -> Block {
    let mut x = [V::splat(cpu, before); N];
    for i in 0..N {
        x[i] = load(cpu, &text.input()[16 * L * i..]);
    }
    let x = if N == 1 { decrypt(cpu, inverse, x) } else { decrypt_many(cpu, inverse, x) };
    let last = *text.input().last_chunk().expect("L blocks");
    // From the end on: what is written is not read any more.
    for i in (0..N).rev() {
        let before = if i == 0 {
            let mut blocks = [*before; L];
            blocks[1..].copy_from_slice(&text.input().as_chunks().0[..L - 1]);
            V::load(cpu, &blocks)
        } else {
            load(cpu, &text.input()[16 * (L * i - 1)..])
        };
        let out = &mut text.output()[16 * L * i..];
        (x[i] ^ before).store(out.as_chunks_mut().0.first_chunk_mut().expect("L blocks"));
    }
    last
}

/// The first `L` blocks.
#[inline(always)]
fn load<V: Bytes<L>, const L: usize>(cpu: V::Cpu, bytes: &[u8]) -> V {
    V::load(cpu, bytes.as_chunks().0.first_chunk().expect("L blocks"))
}
