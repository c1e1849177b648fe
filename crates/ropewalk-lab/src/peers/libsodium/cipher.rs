//! ChaCha20, in place.

use libloading::os::unix::Library;

use super::api;
use crate::peers::{Unavailable, jobs};

/// ChaCha20, which does not expand a key; its stream continues by block number.
pub(super) struct ChaCha {
    api: api::ChaCha,
    key: [u8; 32],
    nonce: [u8; 12],
    block: u32,
}

impl ChaCha {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let key = key.try_into().expect("32 bytes");
        Ok(Self { api: api::ChaCha::load(library)?, key, nonce: [0; 12], block: 0 })
    }
}

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        let (block, nonce) = iv.split_at(4);
        self.block = u32::from_le_bytes(block.try_into().expect("four bytes"));
        self.nonce.copy_from_slice(nonce);
    }

    fn update(&mut self, text: &mut [u8]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: key and nonce have the lengths of their kind, and the text has the given length;
        // it may be in place.
        let done = unsafe {
            (self.api.crypto_stream_chacha20_ietf_xor_ic)(
                start,
                start,
                len as u64,
                self.nonce.as_ptr(),
                self.block,
                self.key.as_ptr(),
            )
        };
        if done != 0 {
            // A failed call must not look like an answer.
            text.fill(0);
        }
        // A stream that exceeds the last block would end the program; the counter restarts from zero.
        const BLOCKS: u64 = 1 << 32;
        let next = u64::from(self.block) + len.div_ceil(64) as u64;
        self.block = if next + len.div_ceil(64) as u64 > BLOCKS { 0 } else { next as u32 };
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}
