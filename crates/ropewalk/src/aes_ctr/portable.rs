//! AES-CTR in plain Rust: the model every other backend is tested against.

use super::{Block, Ctr32, Secret};
use crate::{aes::bitsliced::SlicedKeys, cpu::Baseline, text::Text};

pub(super) struct Portable {
    keys: SlicedKeys,
}

impl Ctr32 for Portable {
    fn apply(&self, counter: &Block, mut text: Text<'_>) {
        let (nonce, mut count) = super::split(counter);
        while text.len() > 0 {
            let mut piece = text.take(64);
            let mut blocks = [0, 1, 2, 3].map(|i| super::join(nonce, count.wrapping_add(i)));
            count = count.wrapping_add(4);
            self.keys.encrypt(&mut blocks);
            let key_stream = blocks.as_flattened();
            for i in 0..piece.len() {
                let byte = piece.input()[i] ^ key_stream[i];
                piece.output()[i] = byte;
            }
        }
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        Self { keys: SlicedKeys::expand(secret) }
    }
}
