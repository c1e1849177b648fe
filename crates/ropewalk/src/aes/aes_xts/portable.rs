//! AES-XTS in plain Rust: the model every other backend is tested against.

use super::{
    Block, Secret, Xts,
    many::{Message, XtsMany},
    units::{self, MANY},
};
use crate::{
    aes::bitsliced::SlicedKeys,
    core::{cpu::Baseline, text::Text},
};

pub(super) struct Portable {
    text: SlicedKeys,
    tweak: SlicedKeys,
}

impl Xts for Portable {
    fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) {
        self.apply::<true>(tweak, unit, text);
    }

    fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) {
        self.apply::<false>(tweak, unit, text);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, [text, tweak]: Secret<'_>) -> Self {
        Self { text: SlicedKeys::expand(text), tweak: SlicedKeys::expand(tweak) }
    }

    fn apply<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, mut text: Text<'_>) {
        let mut number = u128::from_le_bytes(*tweak);
        while text.len() > 0 {
            let mut tweaks = units::numbers(number);
            self.tweak.encrypt(&mut tweaks);
            for tweak in tweaks {
                self.unit::<ENCRYPT>(u128::from_le_bytes(tweak), text.take(unit));
            }
            number = number.wrapping_add(MANY as u128);
        }
    }

    fn unit<const ENCRYPT: bool>(&self, mut tweak: u128, mut text: Text<'_>) {
        if text.len() == 0 {
            return;
        }
        let mut whole = units::take_whole(&mut text);
        while whole.len() > 0 {
            let mut piece = whole.take(64);
            let (mut blocks, mut tweaks) = ([[0; 16]; 4], [0; 4]);
            blocks.as_flattened_mut()[..piece.len()].copy_from_slice(piece.input());
            for i in 0..piece.len() / 16 {
                (tweaks[i], tweak) = (tweak, units::next(tweak));
            }
            self.blocks::<ENCRYPT>(&mut blocks, tweaks);
            let len = piece.len();
            piece.output().copy_from_slice(&blocks.as_flattened()[..len]);
        }
        if text.len() > 0 {
            let [first, second] = units::last_two(tweak, ENCRYPT);
            let block = self.block::<ENCRYPT>(first, units::first_block(&text));
            let block = units::steal(&mut text, block);
            units::finish(&mut text, self.block::<ENCRYPT>(second, block));
        }
    }

    fn block<const ENCRYPT: bool>(&self, tweak: u128, block: u128) -> u128 {
        let mut blocks = [block.to_le_bytes(), [0; 16], [0; 16], [0; 16]];
        self.blocks::<ENCRYPT>(&mut blocks, [tweak, 0, 0, 0]);
        u128::from_le_bytes(blocks[0])
    }

    /// Blocks that are independent of each other (sections 5.3.1 and 5.4.1).
    fn blocks<const ENCRYPT: bool>(&self, blocks: &mut [Block; 4], tweaks: [u128; 4]) {
        add(blocks, tweaks);
        if ENCRYPT {
            self.text.encrypt(blocks);
        } else {
            self.text.decrypt(blocks);
        }
        add(blocks, tweaks);
    }
}

/// Serial processing: each data unit by the backend of its key.
pub(super) struct OneByOne;

impl OneByOne {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

impl XtsMany for OneByOne {
    fn encrypt_many(&self, messages: &mut [Message<'_>]) {
        messages.iter_mut().for_each(Message::alone::<true>);
    }

    fn decrypt_many(&self, messages: &mut [Message<'_>]) {
        messages.iter_mut().for_each(Message::alone::<false>);
    }
}

fn add(blocks: &mut [Block; 4], tweaks: [u128; 4]) {
    for (block, tweak) in blocks.iter_mut().zip(tweaks) {
        *block = (u128::from_le_bytes(*block) ^ tweak).to_le_bytes();
    }
}
