//! Opening, in a time that does not depend on the contents.
//!
//! The last byte of a record gives the length of its padding, and with it the length of the text and the position of its MAC. All
//! of this is secret until the record is known to be right. As many blocks are hashed as the longest possible text has, and the
//! right hash value is selected. Every byte that could belong to the MAC or the padding is compared with the value that it should
//! then have.

use subtle::ConstantTimeEq;

use super::{
    Engine, Hash, Header, Key, LONGEST_TEXT, Opened, pseudo_header,
    seal::{DECRYPTED, FIRST, FIRST_ENCRYPTED, decrypt},
};
use crate::{
    core::{block::Block, ct, secret::Wiped, text::Text},
    hashes::{
        StateOf, Tail,
        ends::{below, cut, is_last},
    },
};

/// The largest number of blocks of the inner hash that could be its last or follow that: padding may have 256 bytes, and the
/// shortest text may end anywhere in a block.
pub(super) const MOST_ENDS: usize = 6;

#[inline(always)]
pub(super) fn open<H: Hash>(
    key: &Key<H>,
    iv: &Block,
    header: &Header,
    mut record: Text<'_>,
) -> Opened {
    let engine = &key.0.engine;
    let lens = Lens::of::<H>(record.len());
    let found = Found::of(last_byte(engine, &record), &lens);

    // Blocks that certainly belong to the text.
    let pseudo = pseudo_header(header, found.len as u16);
    let mut state = Wiped::new(key.0.mac.inner);
    let (mut chain, mut decrypted) = (*iv, 0);
    let sure = lens.sure;
    if sure > 0 {
        decrypted = FIRST_ENCRYPTED + DECRYPTED;
        decrypt(engine, &mut chain, record.reborrow().take(decrypted));
        let mut first = Wiped::new([[0; 64]; 1]);
        first[0][..13].copy_from_slice(&pseudo);
        first[0][13..].copy_from_slice(&record.output()[..FIRST]);
        H::absorb(engine, &mut state, &*first);

        if sure > 1 {
            let mut text = record.reborrow();
            text.take(FIRST_ENCRYPTED);
            H::open_blocks(engine, &mut state, &mut chain, sure - 1, text);
            decrypted += 64 * (sure - 1);
        }
    }
    let mut left = record.reborrow();
    left.take(decrypted);
    decrypt(engine, &mut chain, left);

    let text = record.output();
    let mut ends = Wiped::new([[0; 64]; MOST_ENDS]);
    let ends = lens.last_blocks(&found, &pseudo, text, &mut ends);
    let digest = Wiped::new(finish::<H>(engine, &state, ends, &lens, &found));
    let tag = Wiped::new(key.outer(&digest));
    found.judge::<H>(&lens, text, &tag)
}

/// The public facts about a record of that length.
#[derive(Clone, Copy)]
pub(super) struct Lens {
    /// Lengths of the longest text and of the shortest that it could have.
    longest: usize,
    shortest: usize,
    /// Blocks of the inner hash that certainly belong to the text, and those after them.
    pub(super) sure: usize,
    pub(super) ends: usize,
}

impl Lens {
    #[inline(always)]
    pub(super) fn of<H: Hash>(record: usize) -> Self {
        let longest = record - H::DIGEST_LEN - 1;
        let shortest = longest.saturating_sub(255);
        let sure = (13 + shortest) / 64;
        Self { longest, shortest, sure, ends: (13 + longest + 9).div_ceil(64) - sure }
    }

    /// The possible last blocks of the inner hash, padded where the text ends (FIPS 180-4, section 5.1.1), without the length.
    #[inline(never)]
    pub(super) fn last_blocks<'a>(
        &self,
        found: &Found,
        pseudo: &[u8; 13],
        text: &[u8],
        ends: &'a mut [[u8; 64]; MOST_ENDS],
    ) -> &'a mut [[u8; 64]] {
        let (bytes, from) = (ends.as_flattened_mut(), 64 * self.sure);
        if self.sure > 0 {
            let left = &text[from - 13..self.longest];
            bytes[..left.len()].copy_from_slice(left);
        } else {
            bytes[..13].copy_from_slice(pseudo);
            bytes[13..13 + self.longest].copy_from_slice(&text[..self.longest]);
        }
        let ends = &mut ends[..self.ends];
        cut(ends.as_flattened_mut(), found.end(self), 0x80);
        ends
    }
}

/// The contents of a record. They are secret.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// All ones if its padding fits.
    fits: u32,
    /// Bytes of padding but the last.
    padding: u8,
    /// Bytes of text.
    pub(super) len: usize,
}

impl Found {
    /// From the last byte of a record. A padding length that does not fit counts as zero, and the record as wrong.
    #[inline(always)]
    pub(super) fn of(last: u8, lens: &Lens) -> Self {
        let fits = at_most(last.into(), lens.longest as u32);
        let padding = last & fits as u8;
        Self { fits, padding, len: lens.longest - usize::from(padding) }
    }

    /// The end of the text within the last blocks.
    #[inline(always)]
    fn end(&self, lens: &Lens) -> u16 {
        (13 + self.len - 64 * lens.sure) as u16
    }

    /// All ones if block `i` of the last blocks is the last of the inner hash.
    #[inline(always)]
    pub(super) fn is_last(&self, lens: &Lens, i: usize) -> u32 {
        is_last(64, i, usize::from(self.end(lens)) + 8) as u32
    }

    /// Adds the length of the hashed message to one of the last blocks, if that is the last.
    #[inline(always)]
    pub(super) fn add_length(&self, block: &mut [u8; 64], is_last: u32) {
        Tail::<64>::add_length(block, 64 + 13 + self.len as u64, is_last as u8);
    }

    /// Whether the MAC and the padding of a record are right, given the right MAC.
    ///
    /// Compiled once for each hash function, and not for each backend: it is as long as all other code here.
    #[inline(never)]
    pub(super) fn judge<H: Hash>(&self, lens: &Lens, text: &[u8], tag: &[u8; 32]) -> Opened {
        let Self { fits, padding, len } = *self;
        let proof = &text[lens.shortest..];
        let wrong = compare::<H>(proof, tag, (len - lens.shortest) as u8, padding);
        let right = fits & at_most(len as u32, LONGEST_TEXT as u32) & 1;
        Opened { right: (right as u8).ct_eq(&1).unwrap_u8() & wrong.ct_eq(&0).unwrap_u8(), padding }
    }
}

/// The last byte of the plaintext.
#[inline(always)]
fn last_byte(engine: &Engine, record: &Text<'_>) -> u8 {
    let blocks: &[Block] = record.input().as_chunks().0;
    let [.., before, last] = blocks else { unreachable!("a record has two blocks, at least") };
    let (mut before, mut last) = (*before, Wiped::new(*last));
    decrypt(engine, &mut before, Text::in_place(&mut *last));
    last[15]
}

/// The inner hash, with the right one of its last blocks selected.
#[inline(always)]
fn finish<H: Hash>(
    engine: &Engine,
    state: &StateOf<H>,
    ends: &mut [[u8; 64]],
    lens: &Lens,
    found: &Found,
) -> StateOf<H> {
    let (mut state, mut digest) = (Wiped::new(*state), <StateOf<H>>::default());
    // All of them first: a load would stall on a block that has just been written.
    for (i, block) in ends.iter_mut().enumerate() {
        found.add_length(block, found.is_last(lens, i));
    }
    for (i, block) in ends.iter().enumerate() {
        H::absorb(engine, &mut state, core::slice::from_ref(block));
        let is_last = found.is_last(lens, i);
        for (word, of) in digest.as_mut().iter_mut().zip(state.as_ref()) {
            *word |= of & is_last;
        }
    }
    digest
}

/// Zero if the bytes from `offset` on are the MAC and the padding.
#[inline(always)]
fn compare<H: Hash>(proof: &[u8], tag: &[u8; 32], offset: u8, padding: u8) -> u8 {
    let (mac, pads_from) = (u16::from(offset), u16::from(offset) + H::DIGEST_LEN as u16);
    // The received MAC, each byte at its position modulo 32: no address depends on the offset.
    let mut found = Wiped::new([0; 32]);
    let mut wrong = [0; 32];
    let mut add = |i: u16, j: usize, byte: u8| {
        let pads = !below(i, pads_from);
        found[j] |= byte & !below(i, mac) & !pads;
        wrong[j] |= (byte ^ padding) & pads;
    };
    let (groups, rest) = proof.as_chunks::<32>();
    for (i, group) in (0..).step_by(32).zip(groups) {
        for j in 0..32 {
            add(i + j as u16, j, group[j]);
        }
    }
    for (j, byte) in rest.iter().enumerate() {
        add((32 * groups.len() + j) as u16, j, *byte);
    }
    // It is rotated back by each bit of the offset.
    let halves = |bytes: &[u8; 32]| {
        let [low, high] = bytes.as_chunks().0 else { unreachable!("two halves") };
        [low, high].map(|half| u128::from_le_bytes(*half))
    };
    let [mut low, mut high] = halves(&found);
    for bit in 0..5 {
        let moves = u128::from_le_bytes([ct::mask(0_u8.wrapping_sub(offset >> bit & 1)); 16]);
        let (by_low, by_high) = match bit {
            4 => (high, low),
            _ => (
                low >> (8 << bit) | high << (128 - (8 << bit)),
                high >> (8 << bit) | low << (128 - (8 << bit)),
            ),
        };
        (low, high) = (low ^ (low ^ by_low) & moves, high ^ (high ^ by_high) & moves);
    }
    let [tag_low, tag_high] = halves(tag);
    let differs = (low ^ tag_low) | (high ^ tag_high);
    differs.to_le_bytes().iter().chain(&wrong).fold(0, |all, byte| all | byte)
}

/// All ones where `a` is at most `b`; both are below 2^31.
#[inline(always)]
fn at_most(a: u32, b: u32) -> u32 {
    !((b.wrapping_sub(a).cast_signed() >> 31).cast_unsigned())
}
