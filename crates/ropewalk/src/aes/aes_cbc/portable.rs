//! AES-CBC in plain Rust: the model every other backend is tested against.

use super::{
    Block, Cbc, CbcLaneKey, Secret,
    many::{EncryptMany, Message, Part},
};
use crate::{
    aes::{bitsliced::SlicedKeys, groups::Chosen},
    core::{cpu::Baseline, text::Text},
};

pub(crate) struct Portable {
    keys: SlicedKeys,
}

impl CbcLaneKey for Portable {}

impl Cbc for Portable {
    fn encrypt(&self, iv: &Block, mut text: Text<'_>) {
        let mut before = *iv;
        while let Some(mut piece) = text.next::<16>() {
            let mut blocks = [xor(piece.input(), &before), [0; 16], [0; 16], [0; 16]];
            self.keys.encrypt(&mut blocks);
            before = blocks[0];
            *piece.output() = before;
        }
    }

    fn decrypt(&self, iv: &Block, mut text: Text<'_>) {
        let mut before = *iv;
        while text.len() > 0 {
            let mut piece = text.take(64);
            let (mut blocks, mut ciphertext) = ([[0; 16]; 4], [[0; 16]; 4]);
            ciphertext.as_flattened_mut()[..piece.len()].copy_from_slice(piece.input());
            blocks.copy_from_slice(&ciphertext);
            self.keys.decrypt(&mut blocks);
            for (i, out) in piece.output().as_chunks_mut().0.iter_mut().enumerate() {
                *out = xor(&blocks[i], &before);
                before = ciphertext[i];
            }
        }
    }
}

impl Portable {
    pub(crate) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        Self { keys: SlicedKeys::expand(secret) }
    }
}

/// Serial processing: each message by the backend of its key.
pub(super) struct OneByOne;

impl OneByOne {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

impl EncryptMany for OneByOne {
    fn encrypt_many(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) {
        for message in messages.iter_mut().filter(|message| chosen.has(message.key)) {
            message.key.engine.encrypt(message.iv, Text::in_place(message.text));
        }
    }

    fn encrypt_parts(&self, _: Chosen<'_>, all: &mut dyn Iterator<Item = Part<'_>>) {
        for Part { cbc, before, text } in all {
            cbc.encrypt(before, Text::in_place(text));
        }
    }
}

fn xor(a: &Block, b: &Block) -> Block {
    (u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b)).to_ne_bytes()
}
