//! AES with NEON of 32-bit Arm, in constant time: eight blocks bitsliced, or one by lookups in registers.

use super::{RoundKeys, join, split};
use crate::core::{block::Block, cpu::ArmNeon, secret::Wiped, text::Text};

#[macro_use]
mod circuit;
mod permuted;
mod sliced;

/// From this many blocks on, eight take fewer instructions than these one by one.
// counted under qemu-arm, Cortex-A7: 2,120 for eight blocks, 390 for one
const MANY: usize = 6;

/// Round keys in the layout of a kernel: one more than there are rounds. They have no alignment, as C keeps keys in words.
#[derive(Clone)]
#[repr(C)]
struct Keys {
    keys: [Block; 15],
    rounds: usize,
}

/// A key for the modes that encrypt independent blocks.
#[derive(Clone)]
pub(crate) struct Encryption {
    eight: Keys,
    one: Chain,
}

impl Encryption {
    /// Expands a key of 16, 24 or 32 bytes.
    pub(crate) fn new(cpu: ArmNeon, secret: &[u8]) -> Self {
        let keys = permuted::expand(cpu, secret);
        Self { eight: sliced::round_keys(&keys), one: Chain::of(cpu, &keys) }
    }

    /// The key for chains.
    pub(crate) fn chain(&self) -> &Chain {
        &self.one
    }

    /// Encrypts each block.
    pub(crate) fn encrypt(&self, blocks: &mut [Block]) {
        let (groups, rest) = blocks.as_chunks_mut();
        for group in groups {
            sliced::encrypt(self.one.cpu, &self.eight, group);
        }
        if rest.len() < MANY {
            return rest.iter_mut().for_each(|block| self.one.encrypt_block(block));
        }
        let mut group = Wiped::new([[0; 16]; 8]);
        group[..rest.len()].copy_from_slice(rest);
        sliced::encrypt(self.one.cpu, &self.eight, &mut group);
        rest.copy_from_slice(&group[..rest.len()]);
    }

    /// XORs encrypted counter blocks into the text. The counter is the last four bytes of the block.
    pub(crate) fn ctr(&self, counter: &Block, mut text: Text<'_>) {
        let (nonce, mut count) = split(counter);
        if text.len() > 16 * (MANY - 1) {
            // A group starts at a multiple of eight.
            let before = count % 8;
            if before > 0 {
                let mut key_stream = Wiped::new([0; sliced::GROUP]);
                self.groups(&join(nonce, count - before), Text::in_place(&mut *key_stream));
                let key_stream = &key_stream[16 * before as usize..];
                text.take(key_stream.len()).add(key_stream);
                count = count.wrapping_add(8 - before);
            }
            let whole = text.len() / sliced::GROUP * sliced::GROUP;
            self.groups(&join(nonce, count), text.take(whole));
            count = count.wrapping_add((whole / 16) as u32);
        }
        self.ctr_secret(&join(nonce, count), text);
    }

    /// The same for a secret counter: neither time nor addresses depend on it.
    pub(crate) fn ctr_secret(&self, counter: &Block, mut text: Text<'_>) {
        let (nonce, mut count) = split(counter);
        while text.len() > 0 {
            let piece = text.take(sliced::GROUP);
            let mut blocks = Wiped::new([[0; 16]; 8]);
            let blocks = &mut blocks[..piece.len().div_ceil(16)];
            for block in &mut *blocks {
                *block = join(nonce, count);
                count = count.wrapping_add(1);
            }
            self.encrypt(blocks);
            piece.add(blocks.as_flattened());
        }
    }

    fn groups(&self, counter: &Block, text: Text<'_>) {
        sliced::ctr(self.one.cpu, &self.eight, &mut { *counter }, text);
    }
}

/// A key for chains of blocks, each of which depends on the one before.
#[derive(Clone)]
pub(crate) struct Chain {
    cpu: ArmNeon,
    keys: Keys,
}

impl Chain {
    /// Expands a key of 16, 24 or 32 bytes.
    pub(crate) fn new(cpu: ArmNeon, secret: &[u8]) -> Self {
        Self::of(cpu, &permuted::expand(cpu, secret))
    }

    fn of(cpu: ArmNeon, keys: &RoundKeys) -> Self {
        Self { cpu, keys: permuted::for_encryption(cpu, keys) }
    }

    /// Encrypts a text of whole blocks, each after its XOR with the ciphertext before it. `before` becomes the last block.
    pub(crate) fn encrypt(&self, before: &mut Block, text: Text<'_>) {
        permuted::encrypt_chain(self.cpu, &self.keys, before, text);
    }

    /// The same, of which only the last block counts.
    pub(crate) fn mac(&self, before: &mut Block, blocks: &[Block]) {
        permuted::mac_chain(self.cpu, &self.keys, before, blocks);
    }

    /// Encrypts one block.
    pub(crate) fn encrypt_block(&self, block: &mut Block) {
        permuted::encrypt_chain(self.cpu, &self.keys, &mut [0; 16], Text::in_place(block));
    }
}

/// A key for decryption.
#[derive(Clone)]
pub(crate) struct Decryption {
    cpu: ArmNeon,
    keys: Keys,
}

impl Decryption {
    /// Of the same key.
    pub(crate) fn of(chain: &Chain) -> Self {
        Self { cpu: chain.cpu, keys: permuted::for_decryption(chain.cpu, &chain.keys) }
    }

    /// Decrypts each block.
    pub(crate) fn decrypt(&self, blocks: &mut [Block]) {
        permuted::decrypt(self.cpu, &self.keys, blocks);
    }
}

/// From columns to rows.
fn rows(block: &Block) -> Block {
    core::array::from_fn(|n| block[4 * (n % 4) + n / 4])
}
