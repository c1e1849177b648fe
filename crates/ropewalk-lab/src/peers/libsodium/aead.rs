//! Sealing and opening: AES-256-GCM, whose key is expanded once, and ChaCha20-Poly1305.

use std::ptr::{null, null_mut};

use libloading::os::unix::Library;

use super::api::{self, State};
use crate::peers::{Unavailable, jobs};

/// AES-256-GCM with its key.
pub(super) struct Gcm {
    api: api::Aes256Gcm,
    state: State,
}

impl Gcm {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::Aes256Gcm::load(library)?;
        // SAFETY: the library is set up.
        if unsafe { (api.crypto_aead_aes256gcm_is_available)() } != 1 {
            return Err(Unavailable("has no code for this processor".into()));
        }
        let mut gcm = Self { api, state: State::new() };
        jobs::Aead::rekey(&mut gcm, key);
        Ok(gcm)
    }
}

impl jobs::Aead for Gcm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let start = text.as_mut_ptr();
        // SAFETY: the state has its key, nonce and tag have the lengths of their kind, and the rest
        // has the given length; it may be in place.
        let done = unsafe {
            (self.api.crypto_aead_aes256gcm_encrypt_detached_afternm)(
                start,
                tag.as_mut_ptr(),
                null_mut(),
                start,
                text.len() as u64,
                aad.as_ptr(),
                aad.len() as u64,
                null(),
                nonce.as_ptr(),
                self.state.get(),
            )
        };
        if done != 0 {
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
        assert_eq!(sealed.len(), text.len(), "a place for it");
        // SAFETY: as for `seal`, and there is space for the text.
        let done = unsafe {
            (self.api.crypto_aead_aes256gcm_decrypt_detached_afternm)(
                text.as_mut_ptr(),
                null_mut(),
                sealed.as_ptr(),
                sealed.len() as u64,
                tag.as_ptr(),
                aad.as_ptr(),
                aad.len() as u64,
                nonce.as_ptr(),
                self.state.get(),
            )
        };
        done == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        assert_eq!(key.len(), 32, "the only length");
        // SAFETY: there is space for the state, and the key has 32 bytes.
        let done =
            unsafe { (self.api.crypto_aead_aes256gcm_beforenm)(self.state.get(), key.as_ptr()) };
        assert_eq!(done, 0, "it takes a key");
    }
}

/// ChaCha20-Poly1305, which does not expand a key.
pub(super) struct ChaChaPoly {
    api: api::ChaChaPoly,
    key: [u8; 32],
}

impl ChaChaPoly {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let mut sealing = Self { api: api::ChaChaPoly::load(library)?, key: [0; 32] };
        jobs::Aead::rekey(&mut sealing, key);
        Ok(sealing)
    }
}

impl jobs::Aead for ChaChaPoly {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let start = text.as_mut_ptr();
        // SAFETY: key, nonce and tag have the lengths of their kind, and the rest is as long as it
        // says; it may be in place.
        let done = unsafe {
            (self.api.crypto_aead_chacha20poly1305_ietf_encrypt_detached)(
                start,
                tag.as_mut_ptr(),
                null_mut(),
                start,
                text.len() as u64,
                aad.as_ptr(),
                aad.len() as u64,
                null(),
                nonce.as_ptr(),
                self.key.as_ptr(),
            )
        };
        if done != 0 {
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
        assert_eq!(sealed.len(), text.len(), "a place for it");
        // SAFETY: as for `seal`, and there is space for the text.
        let done = unsafe {
            (self.api.crypto_aead_chacha20poly1305_ietf_decrypt_detached)(
                text.as_mut_ptr(),
                null_mut(),
                sealed.as_ptr(),
                sealed.len() as u64,
                tag.as_ptr(),
                aad.as_ptr(),
                aad.len() as u64,
                nonce.as_ptr(),
                self.key.as_ptr(),
            )
        };
        done == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        self.key.copy_from_slice(key);
    }
}
