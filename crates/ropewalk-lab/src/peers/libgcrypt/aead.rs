//! Sealing and opening: AES-GCM and ChaCha20-Poly1305, and AES-CCM.

use super::{api::GCRYCTL_SET_CCM_LENGTHS, cipher::Cipher};
use crate::peers::jobs;

impl jobs::Aead for Cipher {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.set_iv(nonce);
        self.authenticate(aad);
        self.encrypt(text);
        self.get_tag(text, tag);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.set_iv(nonce);
        self.authenticate(aad);
        self.decrypt(text, Some(sealed));
        self.is_tag(tag)
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.set_key(key), "it takes another key");
    }
}

/// AES-CCM, which must know all lengths in advance.
pub(super) struct Ccm(pub(super) Cipher);

impl Ccm {
    fn start(&mut self, nonce: &[u8; 12], aad: &[u8], text_len: usize) {
        let Self(cipher) = self;
        cipher.set_iv(nonce);
        let mut lengths = [text_len as u64, aad.len() as u64, 16];
        let place = lengths.as_mut_ptr().cast();
        // SAFETY: the handle is open, and this command takes three numbers of 64 bits.
        let done = unsafe {
            (cipher.api.gcry_cipher_ctl)(
                cipher.handle,
                GCRYCTL_SET_CCM_LENGTHS,
                place,
                size_of_val(&lengths),
            )
        };
        cipher.sound &= done == 0;
        cipher.authenticate(aad);
    }
}

impl jobs::Aead for Ccm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.start(nonce, aad, text.len());
        self.0.encrypt(text);
        self.0.get_tag(text, tag);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.start(nonce, aad, sealed.len());
        self.0.decrypt(text, Some(sealed));
        self.0.is_tag(tag)
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.0.set_key(key), "it takes another key");
    }
}
