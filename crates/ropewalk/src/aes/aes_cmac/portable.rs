//! AES-CMAC in plain Rust: the model every other backend is tested against.

use super::{
    Block, Cmac, CmacLaneKey, Secret, Tag,
    many::{MacMany, Message},
    subkeys,
};
use crate::{
    aes::{bitsliced::SlicedKeys, groups::Chosen},
    core::cpu::Baseline,
};

#[derive(Clone)]
pub(super) struct Portable {
    keys: SlicedKeys,
    subkeys: [Block; 2],
}

impl CmacLaneKey for Portable {}

impl Cmac for Portable {
    fn absorb(&self, state: &mut Block, blocks: &[Block]) {
        for block in blocks {
            self.add(state, block);
            *state = self.encrypt(state);
        }
    }

    fn finish(&self, state: &Block, rest: &[u8], tag: &mut Block) {
        // The rest begins a last block, or is a whole one.
        let (blocks, last) = rest.split_at(rest.len().saturating_sub(1) / 16 * 16);
        *tag = *state;
        self.absorb(tag, blocks.as_chunks().0);
        let mut padded = [0; 16];
        padded[..last.len()].copy_from_slice(last);
        if last.len() < 16 {
            padded[last.len()] = 0x80;
        }
        self.add(tag, &padded);
        self.add(tag, &self.subkeys[if last.len() < 16 { 1 } else { 0 }]);
        *tag = self.encrypt(tag);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        let mut new = Self { keys: SlicedKeys::expand(secret), subkeys: [[0; 16]; 2] };
        new.subkeys = subkeys(new.encrypt(&[0; 16]));
        new
    }

    fn encrypt(&self, block: &Block) -> Block {
        let mut blocks = [*block, [0; 16], [0; 16], [0; 16]];
        self.keys.encrypt(&mut blocks);
        blocks[0]
    }

    fn add(&self, sum: &mut Block, block: &Block) {
        for (sum, byte) in sum.iter_mut().zip(block) {
            *sum ^= byte;
        }
    }
}

/// Serial processing: each message by the backend of its key.
pub(super) struct OneByOne;

impl OneByOne {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

impl MacMany for OneByOne {
    fn mac_many(&self, chosen: Chosen<'_>, messages: &[Message<'_>], tags: &mut [Tag]) {
        for (Message { key, text }, tag) in messages.iter().zip(tags) {
            if chosen.has(*key) {
                *tag = key.mac(text);
            }
        }
    }
}
