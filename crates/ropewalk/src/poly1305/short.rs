//! Poly1305 of messages that are too short for anything but one block after the other.

use super::{
    Block, Carried, State,
    state::{Carries, Number, plus, times, times_plus},
};
use crate::{beside::Beside, simd::load_short};

/// The accumulator before it is multiplied: a product and the next block are one sum, and the first block is no
/// product at all.
#[derive(Clone, Copy)]
pub(crate) struct Short {
    /// Clamped.
    pub(crate) r: [u64; 2],
    s: u128,
    pub(crate) h: Number,
}

impl Short {
    /// From r, which is not yet clamped, s, and data that is filled up with zeros.
    #[inline(always)]
    pub(crate) fn from_numbers(r: u128, s: u128, data: &[u8]) -> Self {
        let State { r, s, h } = State::from_numbers(r, s);
        let mut short = Self { r, s, h };
        match data.split_first_chunk() {
            Some((first, more)) => {
                short.h = plus(h, u128::from_le_bytes(*first), 1);
                if !more.is_empty() {
                    short.h = after(short.h, u128::from(r[1]) << 64 | u128::from(r[0]), more);
                }
            }
            None if data.is_empty() => {}
            None => short.h = plus(h, load_short(data), 1),
        }
        short
    }

    /// Absorbs one block.
    #[inline(always)]
    pub(crate) fn absorb_number(&mut self, block: u128) {
        self.h = times_plus::<Carried>(self.h, self.r, block);
    }

    /// Absorbs blocks, the last of which is filled up with zeros.
    #[inline(always)]
    pub(crate) fn absorb_filled(&mut self, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        for block in blocks {
            self.absorb_number(u128::from_le_bytes(*block));
        }
        if !rest.is_empty() {
            self.absorb_number(load_short(rest));
        }
    }

    /// What an accumulator is after some blocks.
    #[cfg(ropewalk_ct = "msan")]
    pub(crate) fn absorbed(h: Number, r: [u64; 2], blocks: &[Block]) -> Number {
        after(h, u128::from(r[1]) << 64 | u128::from(r[0]), blocks.as_flattened())
    }

    /// The same of many, out of line.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    pub(crate) fn absorb_many(&mut self, data: &[u8]) {
        self.absorb_filled(data);
    }

    /// Absorbs whole blocks beside something else.
    #[inline(always)]
    pub(crate) fn beside<'a>(&'a mut self, blocks: &'a [Block]) -> ShortBeside<'a> {
        ShortBeside { short: self, left: blocks }
    }

    #[inline(always)]
    pub(crate) fn tag(&self) -> Block {
        Carried::tag(times::<Carried>(self.h, self.r), self.s).to_le_bytes()
    }
}

/// The accumulator after more data. Out of line, as most messages have no more than a block that is not encrypted; r is
/// a number, since two words would be in memory for all others too.
#[inline(never)]
fn after(h: Number, r: u128, data: &[u8]) -> Number {
    let mut short = Short { r: [r as u64, (r >> 64) as u64], s: 0, h };
    short.absorb_filled(data);
    short.h
}

/// Blocks that are absorbed in parts.
pub(crate) struct ShortBeside<'a> {
    short: &'a mut Short,
    left: &'a [Block],
}

impl ShortBeside<'_> {
    /// Whatever is left.
    #[inline(always)]
    pub(crate) fn all(self) {
        self.short.absorb_filled(self.left.as_flattened());
    }
}

impl Beside for ShortBeside<'_> {
    /// A block takes as long as a round.
    #[inline(always)]
    fn part(&mut self, i: usize, _: usize) {
        if i.is_multiple_of(2)
            && let Some((block, left)) = self.left.split_first()
        {
            self.left = left;
            self.short.absorb_number(u128::from_le_bytes(*block));
        }
    }
}
