//! AES-CTR with NEON of 32-bit Arm.

use super::super::{Block, Ctr32, CtrRekey, Secret};
use crate::{
    aes::arm::Encryption,
    core::{cpu::ArmNeon, text::Text},
};

pub(in crate::aes::aes_ctr) struct Neon {
    cpu: ArmNeon,
    key: Encryption,
}

impl Ctr32 for Neon {
    kernel! { ArmNeon: fn apply(&self, counter: &Block, text: Text<'_>) = Neon::kernel }
}

impl CtrRekey for Neon {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Neon {
    pub(in crate::aes::aes_ctr) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        Self { cpu, key: Encryption::new(cpu, secret) }
    }

    fn kernel(&self, counter: &Block, text: Text<'_>) {
        self.key.ctr(counter, text);
    }
}
