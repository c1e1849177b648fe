//! Encryption, which is one chain of rounds for any width of vectors.

use core::arch::x86_64::*;

use super::super::Block;
use crate::{
    aes::{Rounds, middle_rounds, x86_64 as aes},
    core::{
        simd::x86_64 as simd,
        text::{Piece, Text},
    },
};

/// Encrypts one block. A separate path has fewer jumps, and is inlined into the table entry of an engine, which gets the buffer
/// in registers.
#[inline]
#[target_feature(enable = "aes,sse4.1")]
pub(super) fn single(keys: Rounds<'_>, iv: &Block, mut text: Text<'_>) {
    let Some(mut piece) = text.next::<16>() else { return };
    let x = [_mm_xor_si128(simd::load_128(piece.input()), simd::load_128(iv))];
    let [x] = aes::encrypt(keys, x);
    simd::store_128(piece.output(), x);
}

/// Encrypts one block, to the output and into `iv`.
#[inline]
#[target_feature(enable = "aes,sse4.1")]
pub(super) fn block(keys: Rounds<'_>, iv: &mut Block, mut block: Piece<'_, 16>) {
    let x = [_mm_xor_si128(simd::load_128(block.input()), simd::load_128(iv))];
    let [x] = aes::encrypt(keys, x);
    simd::store_128(iv, x);
    simd::store_128(block.output(), x);
}

/// Encrypts block by block: each depends on the one before. There is an instance for each backend, which is inlined there and
/// takes its encodings.
///
/// Only rounds are on the critical path. A block of plaintext, already added to the first round key, is added together with the
/// last round key of the block before; that block's ciphertext is then the state without this addend. Keys stay in registers, as
/// far as these suffice: the fewer loads, the more short messages overlap.
#[inline]
#[target_feature(enable = "aes,sse4.1")]
#[allow(clippy::extra_unused_type_parameters, reason = "it makes the instances")]
pub(super) fn encrypt<Backend>(keys: Rounds<'_>, iv: &Block, mut text: Text<'_>) {
    let Some(mut piece) = text.next::<16>() else { return };
    let (first, last) = (simd::load_128(keys.key(0)), simd::load_128(keys.last()));
    let mut added = _mm_xor_si128(simd::load_128(piece.input()), first);
    let mut x = _mm_xor_si128(added, simd::load_128(iv));
    loop {
        middle_rounds!(keys.rounds; r => x = _mm_aesenc_si128(x, simd::load_128(keys.key(r))));
        let Some(next) = text.next::<16>() else { break };
        added = _mm_xor_si128(simd::load_128(next.input()), first);
        // LLVM would add both keys first, with one more instruction.
        simd::keep_order_128(&mut added);
        x = _mm_aesenclast_si128(x, _mm_xor_si128(added, last));
        simd::store_128(piece.output(), _mm_xor_si128(x, added));
        piece = next;
    }
    simd::store_128(piece.output(), _mm_aesenclast_si128(x, last));
}
