//! ChaCha20-Poly1305 in plain Rust: the model every other backend is tested against.

use super::{
    ChaChaPoly, Nonce, Secret,
    parts::{self, CipherAndMac},
};
pub(super) use crate::aeads::many::OneByOne;
use crate::{
    chacha::{
        chacha20::{KeyWords, portable::Portable as ChaCha20},
        poly1305::{Block, Plain, State},
    },
    core::{cpu::Baseline, text::Text},
};

#[derive(Clone)]
pub(super) struct Portable {
    key: ChaCha20,
}

impl ChaChaPoly for Portable {
    fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        parts::seal(self, nonce, aad, text, tag);
    }

    fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        parts::open(self, nonce, aad, text, tag);
    }
}

impl CipherAndMac for Portable {
    fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        self.key.add_key_stream(counter, nonce, text);
    }

    fn absorb(&self, state: &mut State, blocks: &[Block]) {
        state.absorb::<Plain>(blocks);
    }
}

impl Portable {
    pub(super) fn new(cpu: Baseline, secret: Secret<'_>) -> Self {
        Self { key: ChaCha20::new(cpu, secret) }
    }

    #[inline]
    pub(super) fn words(&self) -> &KeyWords {
        self.key.words()
    }
}
