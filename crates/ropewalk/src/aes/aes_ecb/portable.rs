//! AES-ECB in plain Rust: the model every other backend is tested against.

use super::{Ecb, Secret};
use crate::{
    aes::bitsliced::SlicedKeys,
    core::{cpu::Baseline, text::Text},
};

#[derive(Clone)]
pub(super) struct Portable {
    keys: SlicedKeys,
}

impl Ecb for Portable {
    fn encrypt(&self, text: Text<'_>) {
        self.apply::<true>(text);
    }

    fn decrypt(&self, text: Text<'_>) {
        self.apply::<false>(text);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        Self { keys: SlicedKeys::expand(secret) }
    }

    fn apply<const ENCRYPT: bool>(&self, mut text: Text<'_>) {
        while text.len() > 0 {
            let mut piece = text.take(64);
            let (len, mut blocks) = (piece.len(), [[0; 16]; 4]);
            blocks.as_flattened_mut()[..len].copy_from_slice(piece.input());
            if ENCRYPT {
                self.keys.encrypt(&mut blocks);
            } else {
                self.keys.decrypt(&mut blocks);
            }
            piece.output().copy_from_slice(&blocks.as_flattened()[..len]);
        }
    }
}
