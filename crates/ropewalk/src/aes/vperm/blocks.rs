//! Blocks that wait for nobody, some vectors of them side by side: while one waits for a lookup, the others have theirs.

use super::{Apart, RoundKeys};
use crate::{simd::each, text::Text};

/// Vectors side by side.
pub(crate) const MANY: usize = 4;

/// Encrypts or decrypts whole blocks, [`MANY`] vectors at most, in a buffer if they do not fill vectors. To each something is
/// added before, and something after.
#[inline(always)]
pub(super) fn apply<V: Apart<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    encrypt: bool,
    text: &mut Text<'_>,
    sums: [&[V; MANY]; 2],
) {
    let (len, vectors) = (text.len(), vectors::<L>(text.len()));
    let mut buffer = [[[0; 16]; L]; MANY];
    let bytes = buffer.as_flattened_mut().as_flattened_mut();
    let full = len == 16 * L * vectors;
    if !full {
        bytes[..len].copy_from_slice(text.input());
    }
    let whole = if full { text.reborrow() } else { Text::in_place(bytes) };
    match vectors {
        1 => step::<V, L, 1>(cpu, keys, encrypt, whole, sums),
        2 => step::<V, L, 2>(cpu, keys, encrypt, whole, sums),
        _ => step::<V, L, MANY>(cpu, keys, encrypt, whole, sums),
    }
    if !full {
        text.output().copy_from_slice(&buffer.as_flattened().as_flattened()[..len]);
    }
}

/// As many as so many bytes need, and there are functions for. One vector of one block goes another way.
#[inline(always)]
pub(super) fn vectors<const L: usize>(len: usize) -> usize {
    match len.div_ceil(16 * L) {
        1 if L > 1 => 1,
        1 | 2 => 2,
        _ => MANY,
    }
}

/// `N` vectors, which the text has or more.
#[inline(always)]
fn step<V: Apart<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    encrypt: bool,
    mut text: Text<'_>,
    [before, after]: [&[V; MANY]; 2],
) {
    let (input, _) = text.input().as_chunks().0.as_chunks();
    let Some(input) = input.first_chunk::<N>() else { unreachable!("so many vectors") };
    let mut x: [V; N] = each(|i| V::load(cpu, &input[i]) ^ before[i]);
    if encrypt {
        V::encrypt_from(cpu, keys, 0, &mut x);
    } else {
        V::decrypt(cpu, keys, &mut x);
    }
    let (output, _) = text.output().as_chunks_mut().0.as_chunks_mut();
    let Some(output) = output.first_chunk_mut::<N>() else { unreachable!("as many") };
    for i in 0..N {
        (x[i] ^ after[i]).store(&mut output[i]);
    }
}

/// Encrypts the first of the vectors, as many as [`vectors`] says.
#[inline(always)]
pub(super) fn encrypt_some<V: Apart<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    x: &mut [V; MANY],
    vectors: usize,
) {
    match vectors {
        1 => V::encrypt_from::<1>(cpu, keys, 0, first(x)),
        2 => V::encrypt_from::<2>(cpu, keys, 0, first(x)),
        _ => V::encrypt_from(cpu, keys, 0, x),
    }
}

#[inline(always)]
fn first<V, const N: usize>(x: &mut [V; MANY]) -> &mut [V; N] {
    x.first_chunk_mut().unwrap_or_else(|| unreachable!("no more than there are"))
}
