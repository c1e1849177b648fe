//! AES-CCM in plain Rust: the model every other backend is tested against.

use super::{Block, Ccm, CcmRekey, Secret};
pub(super) use crate::aeads::many::OneByOne;
use crate::{
    aes::bitsliced::SlicedKeys,
    core::{cpu::Baseline, text::Text},
};

#[derive(Clone)]
pub(super) struct Portable {
    keys: SlicedKeys,
}

impl Ccm for Portable {
    fn crypt(
        &self,
        open: bool,
        nonce: &[u8],
        tag_len: usize,
        aad: &[u8],
        mut text: Text<'_>,
        tag: &mut Block,
    ) {
        let mut mac = Mac::new(&self.keys, nonce, tag_len, aad, text.len());
        if open {
            self.ctr(nonce, text.reborrow(), tag);
            mac.update(text.output());
        } else {
            mac.update(text.input());
            self.ctr(nonce, text, tag);
        }
        mac.pad();
        add(tag, &mac.state);
    }
}

impl CcmRekey for Portable {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(Baseline, secret);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        Self { keys: SlicedKeys::expand(secret) }
    }

    /// XORs the blocks S1, S2, … into the text, and writes S0 (section 6.1, steps 5 to 8).
    fn ctr(&self, nonce: &[u8], mut text: Text<'_>, s0: &mut Block) {
        let counters = |from: u64| [0, 1, 2, 3].map(|i| counter(nonce, from.wrapping_add(i)));
        let mut blocks = counters(0);
        self.keys.encrypt(&mut blocks);
        *s0 = blocks[0];
        let mut count = 1;
        while text.len() > 0 {
            let mut piece = text.take(64);
            let mut blocks = counters(count);
            self.keys.encrypt(&mut blocks);
            count = count.wrapping_add(4);
            let key_stream = blocks.as_flattened();
            for i in 0..piece.len() {
                let byte = piece.input()[i] ^ key_stream[i];
                piece.output()[i] = byte;
            }
        }
    }
}

/// The state of CBC-MAC.
struct Mac<'k> {
    keys: &'k SlicedKeys,
    state: Block,
    /// Bytes that have been added to the state since it was encrypted.
    len: usize,
}

impl<'k> Mac<'k> {
    /// Absorbs everything before the text (appendices A.2.1 and A.2.2).
    fn new(
        keys: &'k SlicedKeys,
        nonce: &[u8],
        tag_len: usize,
        aad: &[u8],
        text_len: usize,
    ) -> Self {
        let mut b0 = counter(nonce, text_len as u64);
        b0[0] |= 8 * ((tag_len - 2) / 2) as u8;
        if !aad.is_empty() {
            b0[0] |= 0x40;
        }
        let mut mac = Self { keys, state: [0; 16], len: 0 };
        mac.update(&b0);
        if !aad.is_empty() {
            let len = aad.len() as u64;
            match len {
                0..0xff00 => mac.update(&(len as u16).to_be_bytes()),
                0xff00..0x1_0000_0000 => {
                    mac.update(&[0xff, 0xfe]);
                    mac.update(&(len as u32).to_be_bytes());
                }
                _ => {
                    mac.update(&[0xff, 0xff]);
                    mac.update(&len.to_be_bytes());
                }
            }
            mac.update(aad);
            mac.pad();
        }
        mac
    }

    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.state[self.len] ^= byte;
            self.len += 1;
            if self.len == 16 {
                self.encrypt();
            }
        }
    }

    /// Pads with zeros to a whole block.
    fn pad(&mut self) {
        if self.len > 0 {
            self.encrypt();
        }
    }

    fn encrypt(&mut self) {
        let mut blocks = [self.state, [0; 16], [0; 16], [0; 16]];
        self.keys.encrypt(&mut blocks);
        (self.state, self.len) = (blocks[0], 0);
    }
}

/// A flags byte, of which only q is set, the nonce, and a number of q bytes (appendix A.3).
fn counter(nonce: &[u8], number: u64) -> Block {
    let mut block = [0; 16];
    // q is 8 at most. A number with more than q bytes is a counter past the last one: the nonce overwrites the excess.
    block[8..].copy_from_slice(&number.to_be_bytes());
    block[0] = (15 - nonce.len() - 1) as u8;
    block[1..=nonce.len()].copy_from_slice(nonce);
    block
}

fn add(sum: &mut Block, block: &Block) {
    for (sum, byte) in sum.iter_mut().zip(block) {
        *sum ^= byte;
    }
}
