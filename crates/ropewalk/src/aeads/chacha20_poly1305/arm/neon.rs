//! ChaCha20-Poly1305 with NEON of 32-bit Arm: one part after the other.

use super::super::{
    ChaChaPoly, Nonce, Secret,
    parts::{self, CipherAndMac},
};
use crate::{
    chacha::{
        chacha20::{arm::neon::add_key_stream, portable::Portable as ChaCha20},
        poly1305::{Block, State, arm::neon::absorb},
    },
    core::{
        cpu::{ArmNeon, Baseline},
        text::Text,
    },
};

#[derive(Clone)]
pub(in crate::aeads::chacha20_poly1305) struct Neon {
    cpu: ArmNeon,
    key: ChaCha20,
}

impl ChaChaPoly for Neon {
    fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        parts::seal(self, nonce, aad, text, tag);
    }

    fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        parts::open(self, nonce, aad, text, tag);
    }
}

impl CipherAndMac for Neon {
    fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        add_key_stream(self.cpu, &self.key, counter, nonce, text);
    }

    fn absorb(&self, state: &mut State, blocks: &[Block]) {
        absorb(self.cpu, state, blocks);
    }
}

impl Neon {
    pub(in crate::aeads::chacha20_poly1305) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        Self { cpu, key: ChaCha20::new(Baseline, secret) }
    }
}
