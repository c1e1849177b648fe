//! Independent blocks, several vectors of them interleaved: the latency of one permute is filled by the others.

use super::{Apart, RoundKeys};
use crate::core::text::Text;

/// Vectors that are interleaved.
pub(crate) const MANY: usize = 4;

/// Encrypts or decrypts whole blocks, at most [`MANY`] vectors, in a buffer if they do not fill vectors. `sums` are added before
/// and after.
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
    let whole = if full { text.reborrow() } else { Text::in_place(&mut bytes[..16 * L * vectors]) };
    step::<V, L>(cpu, keys, encrypt, whole, sums);
    if !full {
        text.output().copy_from_slice(&buffer.as_flattened().as_flattened()[..len]);
    }
}

/// The number of vectors for that many bytes.
#[inline(always)]
pub(super) fn vectors<const L: usize>(len: usize) -> usize {
    len.div_ceil(16 * L).min(MANY)
}

/// Whole vectors.
#[inline(always)]
fn step<V: Apart<L>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    encrypt: bool,
    mut text: Text<'_>,
    [before, after]: [&[V; MANY]; 2],
) {
    let mut x = [V::splat(cpu, &[0; 16]); MANY];
    let (input, _) = text.input().as_chunks().0.as_chunks();
    for (i, input) in input.iter().enumerate().take(MANY) {
        x[i] = V::load(cpu, input) ^ before[i];
    }
    let vectors = input.len().min(MANY);
    if encrypt {
        V::encrypt_from(cpu, keys, 0, &mut x[..vectors]);
    } else {
        V::decrypt(cpu, keys, &mut x[..vectors]);
    }
    let (output, _) = text.output().as_chunks_mut().0.as_chunks_mut();
    for (i, output) in output.iter_mut().enumerate().take(MANY) {
        (x[i] ^ after[i]).store(output);
    }
}
