//! What every backend does alike with data units: tweaks as numbers, and ciphertext stealing.

use super::Block;
use crate::core::text::Text;

/// Units whose tweaks are encrypted together.
pub(super) const MANY: usize = 4;

/// The numbers of as many units, from the first on.
#[inline(always)]
pub(super) fn numbers(first: u128) -> [Block; MANY] {
    [0, 1, 2, 3].map(|i| first.wrapping_add(i).to_le_bytes())
}

/// Times α (section 5.2): the tweak of the next block.
#[inline(always)]
pub(super) fn next(tweak: u128) -> u128 {
    // What goes beyond x^127 comes back as x^7 + x^2 + x + 1.
    let beyond = (tweak.cast_signed() >> 127).cast_unsigned();
    tweak << 1 ^ beyond & 0x87
}

/// Takes off the blocks that go by themselves: all, or all but the last whole one and what is behind it.
#[inline(always)]
pub(super) fn take_whole<'a>(text: &mut Text<'a>) -> Text<'a> {
    let len = text.len();
    text.take(if len.is_multiple_of(16) { len } else { (len / 16 - 1) * 16 })
}

/// The tweaks of a block and of less than one behind it, in the order in which they are needed, from the
/// first of them: decrypting undoes what was done last.
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

/// What is less than a block behind the first one, from its first byte on.
#[inline(always)]
pub(super) fn behind(text: &Text<'_>) -> u128 {
    let Some(end) = text.input().last_chunk() else { unreachable!("a block") };
    u128::from_le_bytes(*end) >> (128 - 8 * (text.len() - 16))
}

/// The steps in which a block and less than one behind it change places (sections 5.3.2 and 5.4.2), given
/// what has become of the block under the first of the `last_two` tweaks: writes its head behind it, and
/// returns what the second makes the block of.
#[inline(always)]
pub(super) fn steal(text: &mut Text<'_>, block: u128) -> u128 {
    let behind = behind(text);
    steal_from(text, block, behind)
}

/// The same, given what is `behind`, by whoever has written the block already: to load what lies across both would wait.
#[inline(always)]
pub(super) fn steal_from(text: &mut Text<'_>, block: u128, behind: u128) -> u128 {
    let bits = 8 * (text.len() - 16);
    let Some(end) = text.output().last_chunk_mut() else { unreachable!("a block") };
    // What this writes before the end, `finish` writes again.
    *end = (block << (128 - bits)).to_le_bytes();
    behind | block >> bits << bits
}

/// Writes the first block, after `steal`.
#[inline(always)]
pub(super) fn finish(text: &mut Text<'_>, block: u128) {
    let Some(first) = text.output().first_chunk_mut() else { unreachable!("a block") };
    *first = block.to_le_bytes();
}
