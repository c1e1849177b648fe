//! Common to all backends: tweaks as numbers, and ciphertext stealing.

use super::Block;
use crate::core::text::Text;

/// Units whose tweaks are encrypted together.
pub(super) const MANY: usize = 4;

/// The numbers of `MANY` units, from `first` on.
#[inline(always)]
pub(super) fn numbers(first: u128) -> [Block; MANY] {
    [0, 1, 2, 3].map(|i| first.wrapping_add(i).to_le_bytes())
}

/// Multiplication by α (section 5.2): the tweak of the next block.
#[inline(always)]
pub(super) fn next(tweak: u128) -> u128 {
    // Bits beyond x^127 reduce to x^7 + x^2 + x + 1.
    let beyond = (tweak.cast_signed() >> 127).cast_unsigned();
    tweak << 1 ^ beyond & 0x87
}

/// Splits off the blocks that need no stealing: all, or all but the last whole one and the partial one behind it.
#[inline(always)]
pub(super) fn take_whole<'a>(text: &mut Text<'a>) -> Text<'a> {
    let len = text.len();
    text.take(if len.is_multiple_of(16) { len } else { (len / 16 - 1) * 16 })
}

/// The tweaks of the last whole block and the partial block, in the order of use, given the first of them: decryption uses them
/// in reverse.
#[inline(always)]
pub(super) fn last_two(tweak: u128, encrypt: bool) -> [u128; 2] {
    let next = next(tweak);
    if encrypt { [tweak, next] } else { [next, tweak] }
}

/// The first block.
#[inline(always)]
pub(super) fn first_block(text: &Text<'_>) -> u128 {
    u128::from_le_bytes(*text.input().first_chunk().unwrap_or_else(|| unreachable!("a block")))
}

/// The partial block after the first block, from its first byte on.
#[inline(always)]
pub(super) fn behind(text: &Text<'_>) -> u128 {
    let Some(end) = text.input().last_chunk() else { unreachable!("a block") };
    u128::from_le_bytes(*end) >> (128 - 8 * (text.len() - 16))
}

/// Ciphertext stealing (sections 5.3.2 and 5.4.2), given `block`, the first block processed with the first of the `last_two`
/// tweaks: writes its head behind it, and returns the block to be processed with the second.
#[inline(always)]
pub(super) fn steal(text: &mut Text<'_>, block: u128) -> u128 {
    let behind = behind(text);
    steal_from(text, block, behind)
}

/// The same, given the partial block, for a caller that has just written the block: a load across both would stall.
#[inline(always)]
pub(super) fn steal_from(text: &mut Text<'_>, block: u128, behind: u128) -> u128 {
    let bits = 8 * (text.len() - 16);
    let Some(end) = text.output().last_chunk_mut() else { unreachable!("a block") };
    // Bytes that this writes before the end are written again by `finish`.
    *end = (block << (128 - bits)).to_le_bytes();
    behind | block >> bits << bits
}

/// Writes the first block, after `steal`.
#[inline(always)]
pub(super) fn finish(text: &mut Text<'_>, block: u128) {
    let Some(first) = text.output().first_chunk_mut() else { unreachable!("a block") };
    *first = block.to_le_bytes();
}
