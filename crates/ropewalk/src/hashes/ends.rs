//! Messages of which only the longest possible length is public: all possible last blocks are computed and the right one is
//! selected, in a time that does not depend on where the message ends.

use super::{
    Buffered,
    function::{ByteArray, FixedHash, LastBlocks},
};
use crate::core::{ct, secret::Wiped};

/// The digest of a message that continues with `prefix` and the first `len` bytes of `text`; `len` is at least `least`.
///
/// Blocks that belong to the message for every possible length are absorbed together. Each possible last block is then built and
/// absorbed separately, and the digest after the real last block is selected.
pub(crate) fn digest<F: FixedHash>(
    message: &mut Buffered<F>,
    prefix: &[u8],
    text: &[u8],
    least: usize,
    len: usize,
) -> F::Digest {
    let sure = (prefix.len() + least) / F::Block::LEN * F::Block::LEN;
    let (whole, mut prefix_left) = prefix.split_at(prefix.len().min(sure));
    message.update(whole);
    let (whole, mut text_left) = text.split_at(sure - whole.len());
    message.update(whole);

    let longest = prefix_left.len() + text_left.len();
    let end = longest - (text.len() - len);
    let Buffered { engine, state, part, len: before } = message;
    let len = before.wrapping_add(end as u64);
    let mut digest = F::Digest::ZERO;
    for i in 0..=(longest + F::AFTER_MARKER) / F::Block::LEN {
        let mut room = part.as_mut();
        for left in [&mut prefix_left, &mut text_left] {
            let count = room.len().min(left.len());
            room.split_off_mut(..count).unwrap_or_default().copy_from_slice(&left[..count]);
            *left = &left[count..];
        }
        cut(part.as_mut(), within::<F>(end, i), F::MARKER);
        let is_last = is_last(F::Block::LEN, i, end + F::AFTER_MARKER) as u8;
        F::Tail::end(part, len, is_last);
        F::compress(engine, state, core::slice::from_ref(part));
        let after = Wiped::new(F::output(engine, state));
        for (byte, of) in digest.as_mut().iter_mut().zip((*after).as_ref()) {
            *byte |= of & is_last;
        }
    }
    digest
}

/// Ends a message after `end` of these bytes: the marker follows, and zeros. The end may be after all of them, or before all of
/// them, which is [`u16::MAX`]; no other value is 2^15 or more.
#[inline(always)]
pub(crate) fn cut(bytes: &mut [u8], end: u16, marker: u8) {
    for (i, byte) in (0..).zip(bytes) {
        let (before, up_to) = (below(i, end), below(i, end.wrapping_add(1)));
        *byte = *byte & before | marker & up_to & !before;
    }
}

/// All ones if block `i` of `block` bytes contains byte `byte` of the message.
#[inline(always)]
pub(crate) fn is_last(block: usize, i: usize, byte: usize) -> usize {
    let at = byte.wrapping_sub(i * block);
    ct::mask(negative(!at & at.wrapping_sub(block)))
}

/// All ones where `a` is below `b`; both are below 2^15.
#[inline(always)]
pub(crate) fn below(a: u16, b: u16) -> u8 {
    (a.wrapping_sub(b).cast_signed() >> 15) as u8
}

/// The position of an end in block `i`, for [`cut`].
#[inline(always)]
fn within<F: FixedHash>(end: usize, i: usize) -> u16 {
    let at = end.wrapping_sub(i * F::Block::LEN);
    let before = ct::mask(negative(at));
    let past = ct::mask(negative(F::Block::LEN.wrapping_sub(at)));
    (at & !past | F::Block::LEN & past | before) as u16
}

/// All ones where a subtraction has wrapped below zero.
#[inline(always)]
fn negative(number: usize) -> usize {
    (number.cast_signed() >> (usize::BITS - 1)).cast_unsigned()
}
