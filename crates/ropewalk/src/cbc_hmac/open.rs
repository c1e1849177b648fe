//! Opening, in a time that does not depend on what is found.
//!
//! The last byte of a record says how much of it is padding, and so how long the text is and where its MAC
//! lies. That is secret until all of it is known to be right: as many blocks are hashed as the longest text
//! could have, of which the right one's hash value is kept, and every byte that could be of the MAC or the
//! padding is compared with what it should be in that case.

use subtle::ConstantTimeEq;

use super::{
    Header, LONGEST_TEXT, Opened, pseudo_header,
    seal::{DECRYPTED, FIRST, FIRST_ENCRYPTED, Parts},
};
use crate::{aes::Block, ct, hash::Function, secret::Wiped, text::Text};

/// Blocks of the inner hash, at most, that could be its last or follow that: 256 bytes may be padding, and the
/// shortest text may end anywhere in a block.
const MOST_ENDS: usize = 6;

/// Bytes, at most, that could be of the MAC or the padding.
const MOST_PROOF: usize = 256 + 32;

#[inline(always)]
pub(super) fn open<P: Parts<W>, const W: usize>(
    parts: &P,
    iv: &Block,
    header: &Header,
    mut record: Text<'_>,
) -> Opened {
    let (mac, mac_len) = (parts.mac(), 4 * W);
    // What is known to everybody.
    let longest = record.len() - mac_len - 1;
    let shortest = longest.saturating_sub(255);

    // The last byte, and what follows from it. One that asks for more than there is counts as zero, and is
    // wrong.
    let padding = last_byte(parts, &record);
    let fits = at_most(padding.into(), longest as u32);
    let padding = padding & fits as u8;
    let len = longest - usize::from(padding);

    // Blocks that are of the text and nothing else.
    let pseudo = pseudo_header(header, len as u16);
    let mut state = Wiped::new(mac.inner);
    let (mut chain, mut decrypted) = (*iv, 0);
    let sure = (13 + shortest) / 64;
    if sure > 0 {
        decrypted = FIRST_ENCRYPTED + DECRYPTED;
        parts.decrypt(&mut chain, record.reborrow().take(decrypted));
        let mut first = Wiped::new([[0; 64]; 1]);
        first[0][..13].copy_from_slice(&pseudo);
        first[0][13..].copy_from_slice(&record.output()[..FIRST]);
        mac.hash.absorb(&mut state, &*first);

        let mut text = record.reborrow();
        text.take(FIRST_ENCRYPTED);
        parts.open_blocks(&mut state, &mut chain, text, sure - 1);
        decrypted += 64 * (sure - 1);
    }
    let mut left = record.reborrow();
    left.take(decrypted);
    parts.decrypt(&mut chain, left);

    let text = record.output();
    let mut ends = Wiped::new([[0; 64]; MOST_ENDS]);
    let (bytes, from) = (ends.as_flattened_mut(), 64 * sure);
    if sure > 0 {
        let left = &text[from - 13..longest];
        bytes[..left.len()].copy_from_slice(left);
    } else {
        bytes[..13].copy_from_slice(&pseudo);
        bytes[13..13 + longest].copy_from_slice(&text[..longest]);
    }
    let ends = &mut ends[..(13 + longest + 9).div_ceil(64) - sure];
    let digest = Wiped::new(finish(&mac.hash, &state, ends, (13 + len - from) as u16, len));
    let tag = Wiped::new(mac.outer(&digest));

    let proof = &text[shortest..];
    let wrong = compare::<W>(proof, &tag, (len - shortest) as u8, padding);
    let right = fits & at_most(len as u32, LONGEST_TEXT as u32) & 1;
    Opened { right: (right as u8).ct_eq(&1).unwrap_u8() & wrong.ct_eq(&0).unwrap_u8(), padding }
}

/// The last byte of the plaintext.
#[inline(always)]
fn last_byte<P: Parts<W>, const W: usize>(parts: &P, record: &Text<'_>) -> u8 {
    let blocks: &[Block] = record.input().as_chunks().0;
    let [.., before, last] = blocks else { unreachable!("a record has two blocks, at least") };
    let (mut before, mut last) = (*before, Wiped::new(*last));
    parts.decrypt(&mut before, Text::in_place(&mut *last));
    last[15]
}

/// The inner hash of a text of `len` bytes (FIPS 180-4, section 5.1.1), of whose last blocks the first `end`
/// bytes count.
#[inline(always)]
fn finish<H: Function<W>, const W: usize>(
    hash: &H,
    state: &[u32; W],
    ends: &mut [[u8; 64]],
    end: u16,
    len: usize,
) -> [u32; W] {
    for (i, byte) in (0..).zip(ends.as_flattened_mut()) {
        let (before, up_to) = (below(i, end), below(i, end + 1));
        *byte = *byte & before | 0x80 & up_to & !before;
    }
    let bits = (8 * (64 + 13 + len as u64)).to_be_bytes();
    let last = (u32::from(end) + 8) >> 6;
    let (mut state, mut digest) = (Wiped::new(*state), [0; W]);
    for (i, block) in (0..).zip(ends) {
        let is_last = ct::mask(at_most(i, last) & at_most(last, i));
        for (byte, bits) in block[56..].iter_mut().zip(bits) {
            *byte |= bits & is_last as u8;
        }
        hash.absorb(&mut state, core::slice::from_ref(block));
        for (word, of) in digest.iter_mut().zip(&*state) {
            *word |= of & is_last;
        }
    }
    digest
}

/// Zero where the bytes from `offset` on are the MAC and the padding.
#[inline(always)]
fn compare<const W: usize>(proof: &[u8], tag: &[u8; 32], offset: u8, padding: u8) -> u8 {
    let mac_len = 4 * W;
    // The MAC moves to its place by each bit of the offset: no address depends on it.
    let mut right = Wiped::new([0; 128 + MOST_PROOF]);
    let mut before = Wiped::new(*right);
    right[128..][..32].copy_from_slice(tag);
    for bit in 0..8 {
        let (by, moves) = (1 << bit, ct::mask(0_u8.wrapping_sub(offset >> bit & 1)));
        // So far it has moved by less than that.
        let end = 128 + 32 + 2 * by;
        before[128 - by..end].copy_from_slice(&right[128 - by..end]);
        for i in 128..end {
            right[i] = before[i] ^ (before[i] ^ before[i - by]) & moves;
        }
    }
    let mut wrong = 0;
    for (i, (byte, right)) in (0..).zip(proof.iter().zip(&right[128..])) {
        let (proves, pads) =
            (!below(i, offset.into()), !below(i, u16::from(offset) + mac_len as u16));
        wrong |= (byte ^ (right | padding & pads)) & proves;
    }
    wrong
}

/// All ones where a number is below another; both are below 2^15.
#[inline(always)]
fn below(a: u16, b: u16) -> u8 {
    (a.wrapping_sub(b).cast_signed() >> 15) as u8
}

/// All ones where a number is at most another; both are below 2^31.
#[inline(always)]
fn at_most(a: u32, b: u32) -> u32 {
    !((b.wrapping_sub(a).cast_signed() >> 31).cast_unsigned())
}
