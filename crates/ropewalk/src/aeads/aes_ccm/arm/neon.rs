//! AES-CCM with NEON of 32-bit Arm: CBC-MAC, and counter mode.

use super::super::{Block, Ccm, CcmRekey, Secret};
use crate::{
    aes::arm::{Chain, Encryption},
    core::{cpu::ArmNeon, secret::Wiped, text::Text},
};

#[derive(Clone)]
pub(in crate::aeads::aes_ccm) struct Neon {
    cpu: ArmNeon,
    key: Encryption,
}

impl Ccm for Neon {
    fn crypt(
        &self,
        open: bool,
        nonce: &[u8],
        tag_len: usize,
        aad: &[u8],
        mut text: Text<'_>,
        tag: &mut Block,
    ) {
        let key = self.key.chain();
        let mut mac = Wiped::new([0; 16]);
        header(key, &mut mac, nonce, tag_len, aad, text.len());
        if open {
            self.ctr(nonce, text.reborrow());
            absorb(key, &mut mac, text.output());
        } else {
            absorb(key, &mut mac, text.input());
            self.ctr(nonce, text);
        }
        *tag = counter(nonce, 0);
        key.encrypt_block(tag);
        for (sum, byte) in tag.iter_mut().zip(&*mac) {
            *sum ^= byte;
        }
    }
}

impl CcmRekey for Neon {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Neon {
    pub(in crate::aeads::aes_ccm) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        Self { cpu, key: Encryption::new(cpu, secret) }
    }

    /// XORs the blocks S1, S2, … into the text (section 6.1, steps 5 to 8).
    fn ctr(&self, nonce: &[u8], mut text: Text<'_>) {
        let mut number = 1;
        while text.len() > 0 {
            // The last four bytes of the counter wrap within a piece of more than 2^32 blocks only.
            let before_wrap = (1_u64 << 32) - (number & 0xffff_ffff);
            let piece = text.take(usize::try_from(16 * before_wrap).unwrap_or(usize::MAX));
            let blocks = piece.len().div_ceil(16) as u64;
            self.key.ctr(&counter(nonce, number), piece);
            number += blocks;
        }
    }
}

/// Absorbs everything before the text (appendices A.2.1 and A.2.2).
fn header(key: &Chain, mac: &mut Block, nonce: &[u8], tag_len: usize, aad: &[u8], text_len: usize) {
    let mut b0 = counter(nonce, text_len as u64);
    b0[0] |= 8 * ((tag_len - 2) / 2) as u8;
    if aad.is_empty() {
        return key.mac(mac, &[b0]);
    }
    b0[0] |= 0x40;
    key.mac(mac, &[b0]);

    // The first block holds the length, and as much of the data as fits.
    let mut first = [0; 16];
    let len = aad.len() as u64;
    let used = match len {
        0..0xff00 => {
            first[..2].copy_from_slice(&(len as u16).to_be_bytes());
            2
        }
        0xff00..0x1_0000_0000 => {
            first[..2].copy_from_slice(&[0xff, 0xfe]);
            first[2..6].copy_from_slice(&(len as u32).to_be_bytes());
            6
        }
        _ => {
            first[..2].copy_from_slice(&[0xff, 0xff]);
            first[2..10].copy_from_slice(&len.to_be_bytes());
            10
        }
    };
    let (head, rest) = aad.split_at(aad.len().min(16 - used));
    first[used..][..head.len()].copy_from_slice(head);
    key.mac(mac, &[first]);
    absorb(key, mac, rest);
}

/// Absorbs data, padded with zeros to whole blocks.
fn absorb(key: &Chain, mac: &mut Block, data: &[u8]) {
    let (blocks, rest) = data.as_chunks();
    key.mac(mac, blocks);
    if !rest.is_empty() {
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        key.mac(mac, &[last]);
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
