//! AES-ECB from lookups in registers, for vectors of any width.

use super::{Block, Secret};
use crate::{
    aes::{
        RoundKeys,
        vperm::{decrypt, encrypt, for_decryption, for_encryption, schedule},
    },
    simd::Bytes,
    text::Text,
};

/// Vectors side by side: while one waits for a lookup, the others have theirs.
const MANY: usize = 4;

/// For encrypting and for decrypting.
#[inline(always)]
pub(crate) fn expand<V: Bytes<L>, const L: usize>(
    cpu: V::Cpu,
    secret: Secret<'_>,
) -> [RoundKeys; 2] {
    let keys = schedule::<V, L>(cpu, secret);
    let inverse = for_decryption::<V, L>(cpu, &keys);
    [for_encryption::<V, L>(cpu, keys), inverse]
}

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
    V: Bytes<L>,
    One: Bytes<1, Cpu = V::Cpu>,
{
    while text.len() >= 16 * L * MANY {
        part::<V, L, MANY, ENCRYPT>(cpu, keys, around, text.take(16 * L * MANY));
    }
    while text.len() > 16 * L {
        part::<V, L, { MANY / 2 }, ENCRYPT>(cpu, keys, around, text.take(16 * L * MANY / 2));
    }
    if text.len() > 16 {
        part::<V, L, 1, ENCRYPT>(cpu, keys, around, text);
    } else if text.len() > 0 {
        part::<One, 1, 1, ENCRYPT>(cpu, keys, around, text);
    }
}

/// Up to `N` vectors, in a buffer if they are not full.
#[inline(always)]
fn part<V: Bytes<L>, const L: usize, const N: usize, const ENCRYPT: bool>(
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
    if full {
        return step::<V, L, N, ENCRYPT>(cpu, keys, &sums, text);
    }
    bytes[..len].copy_from_slice(text.input());
    step::<V, L, N, ENCRYPT>(cpu, keys, &sums, Text::in_place(bytes));
    text.output().copy_from_slice(&bytes[..len]);
}

/// `N` vectors.
#[inline(always)]
fn step<V: Bytes<L>, const L: usize, const N: usize, const ENCRYPT: bool>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    sums: &[[Block; L]; N],
    mut text: Text<'_>,
) {
    let mut x = [V::splat(cpu, &[0; 16]); N];
    for (i, blocks) in text.input().as_chunks().0.as_chunks().0.iter().enumerate().take(N) {
        x[i] = V::load(cpu, blocks) ^ V::load(cpu, &sums[i]);
    }
    let x = if ENCRYPT { encrypt(cpu, keys, x) } else { decrypt(cpu, keys, x) };
    for (i, out) in text.output().as_chunks_mut().0.as_chunks_mut().0.iter_mut().enumerate().take(N)
    {
        (x[i] ^ V::load(cpu, &sums[i])).store(out);
    }
}
