//! AES-ECB from lookups in registers, for vectors of any width.

use core::array::from_mut;

use super::Block;
use crate::{
    aes::{
        RoundKeys,
        vperm::{Apart, decrypt, decrypt_many, encrypt, encrypt_many},
    },
    text::{Piece, Text},
};

/// Vectors side by side: while one waits for a lookup, the others have theirs.
const MANY: usize = 4;

/// What is added to one block after the other, before and after.
pub(crate) trait Around {
    fn next(&mut self) -> Block;
}

/// Zeros.
pub(super) struct Nothing;

impl Around for Nothing {
    #[inline(always)]
    fn next(&mut self) -> Block {
        [0; 16]
    }
}

/// Encrypts each block, or decrypts it. One that is left alone goes through a vector of its own width.
#[inline(always)]
pub(crate) fn apply<V, One, const L: usize, const ENCRYPT: bool>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    around: &mut impl Around,
    mut text: Text<'_>,
) where
    V: Apart<L>,
    One: Apart<1, Cpu = V::Cpu>,
{
    while text.len() >= 16 * L * MANY {
        part::<V, L, MANY, ENCRYPT>(cpu, keys, around, text.take(16 * L * MANY));
    }
    while text.len() > 16 * L {
        part::<V, L, { MANY / 2 }, ENCRYPT>(cpu, keys, around, text.take(16 * L * MANY / 2));
    }
    if L > 1 && text.len() > 16 {
        part::<V, L, 1, ENCRYPT>(cpu, keys, around, text);
    } else if let Some(piece) = text.next() {
        one::<One, ENCRYPT>(cpu, keys, One::splat(cpu, &around.next()), piece);
    }
}

/// A block, with the same added before and after.
#[inline(always)]
pub(crate) fn one<V: Apart<1>, const ENCRYPT: bool>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    around: V,
    mut text: Piece<'_, 16>,
) {
    let x = [V::splat(cpu, text.input()) ^ around];
    let [x] = if ENCRYPT { encrypt(cpu, keys, x) } else { decrypt(cpu, keys, x) };
    (x ^ around).store(from_mut(text.output()));
}

/// Up to `N` vectors, in a buffer if they are not full.
#[inline(always)]
pub(crate) fn part<V: Apart<L>, const L: usize, const N: usize, const ENCRYPT: bool>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    around: &mut impl Around,
    mut text: Text<'_>,
) {
    let (len, full) = (text.len(), text.len() == 16 * L * N);
    let (mut blocks, mut sums) = ([[[0; 16]; L]; N], [[[0; 16]; L]; N]);
    for sum in &mut sums.as_flattened_mut()[..len / 16] {
        *sum = around.next();
    }
    let bytes = &mut blocks.as_flattened_mut().as_flattened_mut()[..];
    if !full {
        bytes[..len].copy_from_slice(text.input());
    }
    let whole = if full { text.reborrow() } else { Text::in_place(bytes) };
    step::<V, L, N, ENCRYPT>(cpu, keys, &sums, whole);
    if !full {
        text.output().copy_from_slice(&bytes[..len]);
    }
}

/// `N` vectors.
#[inline(always)]
fn step<V: Apart<L>, const L: usize, const N: usize, const ENCRYPT: bool>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    sums: &[[Block; L]; N],
    mut text: Text<'_>,
) {
    let mut x = [V::splat(cpu, &[0; 16]); N];
    for (i, blocks) in text.input().as_chunks().0.as_chunks().0.iter().enumerate().take(N) {
        x[i] = V::load(cpu, blocks) ^ V::load(cpu, &sums[i]);
    }
    let x = match (N, ENCRYPT) {
        (1, true) => encrypt(cpu, keys, x),
        (1, false) => decrypt(cpu, keys, x),
        (_, true) => encrypt_many(cpu, keys, x),
        (_, false) => decrypt_many(cpu, keys, x),
    };
    for (i, out) in text.output().as_chunks_mut().0.as_chunks_mut().0.iter_mut().enumerate().take(N)
    {
        (x[i] ^ V::load(cpu, &sums[i])).store(out);
    }
}
