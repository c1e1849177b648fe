//! Authenticated ciphers.

use std::io::IoSliceMut;

use super::socket::{Operation, Start, Transform};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// A socket with its key. Header data is returned before the text.
pub(super) struct Aead {
    transform: Transform,
    /// None if a key was refused.
    operation: Option<Operation>,
    /// Whether vectors are those of CCM, in which a nonce has a byte before it and a counter after it.
    ccm: bool,
    /// The returned header data.
    aad: Vec<u8>,
}

impl Aead {
    pub(super) fn new(transform: Transform, key: &[u8], ccm: bool) -> Result<Self, Unavailable> {
        transform.set_key(key)?;
        transform.set_tag_len(16)?;
        let operation = Some(transform.operation()?);
        Ok(Self { transform, operation, ccm, aad: Vec::new() })
    }

    /// Sends a message.
    fn send(
        &self,
        direction: Direction,
        nonce: &[u8; 12],
        parts: [&[u8]; 3],
    ) -> Option<&Operation> {
        const LEN_BYTES: u8 = 3;
        let mut block = [0; 16];
        block[0] = LEN_BYTES - 1;
        block[1..13].copy_from_slice(nonce);
        let iv = if self.ccm { &block[..] } else { nonce };
        let start = Start { direction, iv, aad_len: Some(parts[0].len() as u32) };
        let operation = self.operation.as_ref()?;
        operation.send(Some(&start), &parts, false).then_some(operation)
    }
}

impl jobs::Aead for Aead {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let mut place = std::mem::take(&mut self.aad);
        place.resize(aad.len(), 0);
        let sealed =
            self.send(Direction::Encrypt, nonce, [aad, text, &[]]).is_some_and(|operation| {
                operation.read_parts(&mut [
                    IoSliceMut::new(&mut place),
                    IoSliceMut::new(text),
                    IoSliceMut::new(tag),
                ])
            });
        self.aad = place;
        if !sealed {
            // A failed call must not look like an answer.
            text.fill(0);
            tag.fill(0);
        }
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        let mut place = std::mem::take(&mut self.aad);
        place.resize(aad.len(), 0);
        let opened =
            self.send(Direction::Decrypt, nonce, [aad, sealed, tag]).is_some_and(|operation| {
                operation.read_parts(&mut [IoSliceMut::new(&mut place), IoSliceMut::new(text)])
            });
        self.aad = place;
        opened
    }

    /// A socket with an operation accepts no other key.
    fn rekey(&mut self, key: &[u8]) {
        self.operation = None;
        let set = self.transform.set_key(key);
        self.operation = set.and_then(|()| self.transform.operation()).ok();
    }
}
