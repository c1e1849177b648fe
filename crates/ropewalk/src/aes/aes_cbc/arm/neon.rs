//! AES-CBC with NEON of 32-bit Arm.

use super::super::{Block, Cbc, CbcLaneKey, Secret};
use crate::{
    aes::arm::{Chain, Decryption},
    core::{cpu::ArmNeon, text::Text},
};

pub(crate) struct Neon {
    cpu: ArmNeon,
    key: Chain,
    inverse: Decryption,
}

impl CbcLaneKey for Neon {}

impl Cbc for Neon {
    kernel! { ArmNeon: fn encrypt(&self, iv: &Block, text: Text<'_>) = Neon::encrypt_kernel }
    kernel! { ArmNeon: fn decrypt(&self, iv: &Block, text: Text<'_>) = Neon::decrypt_kernel }
}

impl Neon {
    pub(crate) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        let key = Chain::new(cpu, secret);
        Self { cpu, inverse: Decryption::of(&key), key }
    }

    fn encrypt_kernel(&self, iv: &Block, text: Text<'_>) {
        self.key.encrypt(&mut { *iv }, text);
    }

    fn decrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        let mut before = *iv;
        while text.len() > 0 {
            let mut piece = text.take(128);
            let (mut blocks, mut ciphertext) = ([[0; 16]; 8], [[0; 16]; 8]);
            let count = piece.len() / 16;
            ciphertext.as_flattened_mut()[..16 * count].copy_from_slice(piece.input());
            blocks[..count].copy_from_slice(&ciphertext[..count]);
            self.inverse.decrypt(&mut blocks[..count]);
            for (i, out) in piece.output().as_chunks_mut().0.iter_mut().enumerate() {
                let sum = u128::from_ne_bytes(blocks[i]) ^ u128::from_ne_bytes(before);
                *out = sum.to_ne_bytes();
                before = ciphertext[i];
            }
        }
    }
}
