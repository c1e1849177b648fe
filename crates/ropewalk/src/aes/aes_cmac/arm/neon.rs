//! AES-CMAC with NEON of 32-bit Arm.

use super::super::{Block, Cmac, CmacLaneKey, Secret, subkeys};
use crate::{aes::arm::Chain, core::cpu::ArmNeon};

#[derive(Clone)]
pub(in crate::aes::aes_cmac) struct Neon {
    key: Chain,
    subkeys: [Block; 2],
}

impl CmacLaneKey for Neon {}

impl Cmac for Neon {
    fn absorb(&self, state: &mut Block, blocks: &[Block]) {
        self.key.mac(state, blocks);
    }

    fn finish(&self, state: &Block, rest: &[u8], tag: &mut Block) {
        // The rest begins a last block, or is a whole one.
        let (blocks, last) = rest.split_at(rest.len().saturating_sub(1) / 16 * 16);
        *tag = *state;
        self.key.mac(tag, blocks.as_chunks().0);
        let mut padded = [0; 16];
        padded[..last.len()].copy_from_slice(last);
        if last.len() < 16 {
            padded[last.len()] = 0x80;
        }
        let subkey = &self.subkeys[if last.len() < 16 { 1 } else { 0 }];
        for (byte, subkey) in padded.iter_mut().zip(subkey) {
            *byte ^= subkey;
        }
        self.key.mac(tag, &[padded]);
    }
}

impl Neon {
    pub(in crate::aes::aes_cmac) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        let key = Chain::new(cpu, secret);
        let mut zero = [0; 16];
        key.encrypt_block(&mut zero);
        Self { subkeys: subkeys(zero), key }
    }
}
