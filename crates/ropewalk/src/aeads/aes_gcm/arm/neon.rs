//! AES-GCM with NEON of 32-bit Arm: one part after the other.

use super::{
    super::{Block, CtrGhash, Gcm, Secret},
    ghash::HashKey,
};
use crate::{
    aes::arm::Encryption,
    core::{cpu::ArmNeon, secret::Wiped, text::Text},
};

#[derive(Clone)]
pub(in crate::aeads::aes_gcm) struct Neon {
    cpu: ArmNeon,
    key: Encryption,
    h: HashKey,
}

impl Gcm for Neon {}

impl CtrGhash for Neon {
    fn ctr(&self, counter: &Block, text: Text<'_>) {
        self.key.ctr(counter, text);
    }

    fn ctr_secret(&self, counter: &Block, text: Text<'_>) {
        self.key.ctr_secret(counter, text);
    }

    fn absorb(&self, hash: &mut Block, data: &[u8]) {
        self.h.absorb(self.cpu, hash, data);
    }

    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Neon {
    pub(in crate::aeads::aes_gcm) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        let key = Encryption::new(cpu, secret);
        let mut h = Wiped::new([0; 16]);
        key.chain().encrypt_block(&mut h);
        Self { cpu, h: HashKey::new(&h), key }
    }
}
