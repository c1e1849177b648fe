//! Messages of which only the longest possible length is public: their last blocks are made, and the right one is chosen, in
//! a time that says nothing of where they end.

use super::{Hash, Pieces};
use crate::core::{ct, secret::Wiped};

/// The digest of a message that goes on with `prefix` and the first `len` bytes of `text`: `least` of them or more.
///
/// Blocks that are of the message whatever its length go together. Each one that may be the last is then made and absorbed
/// by itself, and the digest after the one that is the last is kept.
pub(crate) fn digest<H: Hash>(
    message: &mut Pieces<H>,
    prefix: &[u8],
    text: &[u8],
    least: usize,
    len: usize,
) -> H::Digest {
    let sure = (prefix.len() + least) / H::BLOCK_LEN * H::BLOCK_LEN;
    let (whole, mut prefix_left) = prefix.split_at(prefix.len().min(sure));
    message.update(whole);
    let (whole, mut text_left) = text.split_at(sure - whole.len());
    message.update(whole);

    let longest = prefix_left.len() + text_left.len();
    let end = longest - (text.len() - len);
    let Pieces { engine, state, part, len: before } = message;
    let len = before.wrapping_add(end as u64);
    let mut digest = H::nothing();
    for i in 0..=(longest + H::AFTER_MARKER) / H::BLOCK_LEN {
        let mut room = part.as_mut();
        for left in [&mut prefix_left, &mut text_left] {
            let count = room.len().min(left.len());
            room.split_off_mut(..count).unwrap_or_default().copy_from_slice(&left[..count]);
            *left = &left[count..];
        }
        cut(part.as_mut(), within::<H>(end, i), H::MARKER);
        let is_last = is_last(H::BLOCK_LEN, i, end + H::AFTER_MARKER) as u8;
        H::end_last(part, len, is_last);
        H::compress(engine, state, core::slice::from_ref(part));
        let after = Wiped::new(H::output(state));
        for (byte, of) in digest.as_mut().iter_mut().zip((*after).as_ref()) {
            *byte |= of & is_last;
        }
    }
    digest
}

/// Ends a message after so many of these bytes: what marks its end follows, and zeros. The end may be past all of them, or
/// before, which is [`u16::MAX`]; no other number is 2^15 or more.
#[inline(always)]
pub(crate) fn cut(bytes: &mut [u8], end: u16, marker: u8) {
    for (i, byte) in (0..).zip(bytes) {
        let (before, up_to) = (below(i, end), below(i, end.wrapping_add(1)));
        *byte = *byte & before | marker & up_to & !before;
    }
}

/// All ones if that one of blocks of so many bytes has a byte, by its number in all of them.
#[inline(always)]
pub(crate) fn is_last(block: usize, i: usize, byte: usize) -> usize {
    let at = byte.wrapping_sub(i * block);
    ct::mask(negative(!at & at.wrapping_sub(block)))
}

/// All ones where a number is below another; both are below 2^15.
#[inline(always)]
pub(crate) fn below(a: u16, b: u16) -> u8 {
    (a.wrapping_sub(b).cast_signed() >> 15) as u8
}

/// Where an end is in one block, as [`cut`] takes it.
#[inline(always)]
fn within<H: Hash>(end: usize, i: usize) -> u16 {
    let at = end.wrapping_sub(i * H::BLOCK_LEN);
    let before = ct::mask(negative(at));
    let past = ct::mask(negative(H::BLOCK_LEN.wrapping_sub(at)));
    (at & !past | H::BLOCK_LEN & past | before) as u16
}

/// All ones where a number has wrapped below zero.
#[inline(always)]
fn negative(number: usize) -> usize {
    (number.cast_signed() >> (usize::BITS - 1)).cast_unsigned()
}
