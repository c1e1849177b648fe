//! What seals and opens.

use ropewalk::{aes_ccm, aes_gcm, chacha20_poly1305};

use crate::peers::jobs;

/// A key, and whether its backend is the one that is chosen where none is named.
pub(super) struct Gcm<const BEST: bool>(pub(super) aes_gcm::Key);

impl<const BEST: bool> jobs::Aead for Gcm<BEST> {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let sealed = self.0.seal(nonce, aad, text).expect("no length is too long");
        tag.copy_from_slice(&sealed);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.0.open_to(nonce, aad, sealed, text, tag).is_ok()
    }

    fn rekey(&mut self, key: &[u8]) {
        self.0.rekey(key).expect("a key of that length");
    }

    fn seal_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &mut [u8; 16],
    ) {
        if !BEST {
            self.rekey(key);
            return self.seal(nonce, aad, text, tag);
        }
        let sealed = aes_gcm::seal_once(key, nonce, aad, text).expect("no length is too long");
        tag.copy_from_slice(&sealed);
    }
}

/// Writes the jobs of a key whose calls are those of every authenticated cipher.
macro_rules! sealing {
    ($($Name:ident of $module:ident;)+) => { $(
        pub(in super::super) struct $Name(pub(in super::super) $module::Key);

        impl jobs::Aead for $Name {
            fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
                let sealed = self.0.seal(nonce, aad, text).expect("no length is too long");
                tag.copy_from_slice(&sealed);
            }

            fn open(
                &mut self,
                nonce: &[u8; 12],
                aad: &[u8],
                sealed: &[u8],
                tag: &[u8; 16],
                text: &mut [u8],
            ) -> bool {
                self.0.open_to(nonce, aad, sealed, text, tag).is_ok()
            }

            fn rekey(&mut self, key: &[u8]) {
                let key = $module::Key::with_backend(key, self.0.backend());
                self.0 = key.expect("a key of that length");
            }
        }
    )+ };
}

sealing! {
    Ccm of aes_ccm;
    ChaChaPoly of chacha20_poly1305;
}
