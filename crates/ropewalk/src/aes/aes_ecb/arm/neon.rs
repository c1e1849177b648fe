//! AES-ECB with NEON of 32-bit Arm.

use super::super::{Ecb, Secret};
use crate::{
    aes::arm::{Decryption, Encryption},
    core::{block::Block, cpu::ArmNeon, secret::Wiped, text::Text},
};

#[derive(Clone)]
pub(in crate::aes::aes_ecb) struct Neon {
    key: Encryption,
    inverse: Decryption,
}

impl Ecb for Neon {
    fn encrypt(&self, text: Text<'_>) {
        each_group(text, |blocks| self.key.encrypt(blocks));
    }

    fn decrypt(&self, text: Text<'_>) {
        each_group(text, |blocks| self.inverse.decrypt(blocks));
    }
}

impl Neon {
    pub(in crate::aes::aes_ecb) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        let key = Encryption::new(cpu, secret);
        Self { inverse: Decryption::of(key.chain()), key }
    }
}

/// Eight blocks at a time, in memory of their own: a text has no alignment.
fn each_group(mut text: Text<'_>, cipher: impl Fn(&mut [Block])) {
    let mut group = Wiped::new([[0; 16]; 8]);
    while text.len() > 0 {
        let mut piece = text.take(128);
        let blocks = &mut group[..piece.len() / 16];
        blocks.as_flattened_mut().copy_from_slice(piece.input());
        cipher(blocks);
        piece.output().copy_from_slice(blocks.as_flattened());
    }
}
