//! Poly1305 of messages that are too short for anything but one block after the other.

use super::{
    Block, Carried, State,
    state::{Carries, Number, plus, times, times_plus},
};
#[cfg(target_arch = "x86_64")]
use crate::core::beside::Beside;
use crate::core::block::load_short;

/// The accumulator before it is multiplied: a product and the next block are one sum, and the first block needs no product.
#[derive(Clone, Copy)]
pub(crate) struct Short {
    /// Clamped.
    pub(crate) r: [u64; 2],
    s: u128,
    pub(crate) h: Number,
}

impl Short {
    /// From r, which is not yet clamped, s, and data padded with zeros.
    #[inline(always)]
    pub(crate) fn from_numbers(r: u128, s: u128, data: &[u8]) -> Self {
        Self::from_loaded(r, s, data, load)
    }

    /// The same, with a function that loads a block or less.
    #[inline(always)]
    pub(crate) fn from_loaded(r: u128, s: u128, data: &[u8], load: impl Fn(&[u8]) -> u128) -> Self {
        let State { r, s, h } = State::from_numbers(r, s);
        let mut short = Self { r, s, h };
        if data.is_empty() {
            return short;
        }
        // Inlined, although most messages have at most one block of additional data: with a call, the caller would spill its
        // vectors.
        let (first, more) = data.split_at(data.len().min(16));
        short.h = plus(h, load(first), 1);
        for block in more.chunks(16) {
            short.absorb_number(load(block));
        }
        short
    }

    /// The same out of line.
    #[inline(never)]
    pub(crate) fn begin(&mut self, r: u128, s: u128, data: &[u8]) {
        *self = Self::from_numbers(r, s, data);
    }

    /// Absorbs one block.
    #[inline(always)]
    pub(crate) fn absorb_number(&mut self, block: u128) {
        self.h = times_plus::<Carried>(self.h, self.r, block);
    }

    /// Absorbs blocks; the last one is padded with zeros.
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

    /// The accumulator after some blocks.
    #[cfg(ropewalk_ct = "msan")]
    pub(crate) fn absorbed(h: Number, r: [u64; 2], blocks: &[Block]) -> Number {
        let mut short = Self { r, s: 0, h };
        short.absorb_filled(blocks.as_flattened());
        short.h
    }

    /// The same for many blocks, out of line.
    #[inline(never)]
    pub(crate) fn absorb_many(&mut self, data: &[u8]) {
        self.absorb_filled(data);
    }

    /// Absorbs blocks interleaved with other work, one with every other of 24 parts.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn beside<'a>(&'a mut self, blocks: &'a [Block; 12]) -> ShortBeside<'a> {
        ShortBeside { short: self, blocks }
    }

    /// The tag after another block. Out of line, as most of it is two products.
    #[inline(never)]
    pub(crate) fn tag_after(&mut self, block: u128) -> Block {
        self.absorb_number(block);
        self.tag()
    }

    #[inline(always)]
    pub(crate) fn tag(&self) -> Block {
        Carried::tag(times::<Carried>(self.h, self.r), self.s).to_le_bytes()
    }
}

/// A block, or less, padded with zeros.
#[inline(always)]
fn load(bytes: &[u8]) -> u128 {
    match bytes.try_into() {
        Ok(block) => u128::from_le_bytes(block),
        Err(_) => load_short(bytes),
    }
}

/// Blocks that are absorbed in parts.
#[cfg(target_arch = "x86_64")]
pub(crate) struct ShortBeside<'a> {
    short: &'a mut Short,
    blocks: &'a [Block; 12],
}

#[cfg(target_arch = "x86_64")]
impl Beside for ShortBeside<'_> {
    /// A block takes as long as a round.
    #[inline(always)]
    fn part(&mut self, i: usize, _: usize) {
        if i.is_multiple_of(2)
            && let Some(block) = self.blocks.get(i / 2)
        {
            self.short.absorb_number(u128::from_le_bytes(*block));
        }
    }
}
