//! Sealing and opening: AES-GCM, AES-CCM, ChaCha20-Poly1305.

use libloading::os::unix::Library;

use super::cipher::Cipher;
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// A mode with its key, in one direction. A tag directly follows its text.
pub(super) struct Aead {
    cipher: Cipher,
    /// A message and its tag.
    sealed: Vec<u8>,
}

impl Aead {
    pub(super) fn new(
        library: &'static Library,
        name: &str,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let cipher = Cipher::new(library, name, direction, key)?;
        Ok(Self { cipher, sealed: Vec::new() })
    }

    fn start(&self, nonce: &[u8; 12], aad: &[u8]) -> bool {
        let set = self.cipher.api.botan_cipher_set_associated_data;
        // SAFETY: the object is alive, and the data has the given length.
        let done = unsafe { set(self.cipher.handle, aad.as_ptr(), aad.len()) };
        done == 0 && self.cipher.begin(nonce)
    }
}

impl jobs::Aead for Aead {
    const SEAL_NOTE: &str = "its tag follows its text: a copy of the message counts";
    const OPEN_NOTE: &str = "takes the tag behind the text: a copy of the message counts";

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let len = text.len() + tag.len();
        self.sealed.resize(len, 0);
        if self.start(nonce, aad) && self.cipher.finish(text, &mut self.sealed) == Some(len) {
            let (sealed, its_tag) = self.sealed.split_at(text.len());
            text.copy_from_slice(sealed);
            tag.copy_from_slice(its_tag);
        } else {
            // A failed call must not look like an answer.
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
        assert_eq!(sealed.len(), text.len(), "a place for it");
        self.sealed.clear();
        self.sealed.extend_from_slice(sealed);
        self.sealed.extend_from_slice(tag);
        self.start(nonce, aad) && self.cipher.finish(&self.sealed, text) == Some(text.len())
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.cipher.set_key(key), "it takes a key again");
    }
}
