//! What seals and opens: AES-GCM, ChaCha20-Poly1305 and AES-CCM.

use std::{ffi::c_int, ptr::null_mut};

use libloading::os::unix::Library;

use super::api::{self, Datum, Handle, Piece};
use crate::peers::{Unavailable, jobs};

/// AES-GCM and ChaCha20-Poly1305: a handle that has its key, which works in place.
pub(super) struct Aead {
    api: api::Aead,
    algorithm: c_int,
    handle: Handle,
}

impl Aead {
    pub(super) fn new(
        library: &'static Library,
        algorithm: c_int,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        Self::with_key(api::Aead::load(library)?, algorithm, key)
    }

    fn with_key(api: api::Aead, algorithm: c_int, key: &[u8]) -> Result<Self, Unavailable> {
        let mut handle = null_mut();
        // SAFETY: there is room for a handle, and the key is as long as it says.
        let done =
            unsafe { (api.gnutls_aead_cipher_init)(&mut handle, algorithm, &Datum::of(key)) };
        match done {
            0 => Ok(Self { api, algorithm, handle }),
            _ => Err(Unavailable("gnutls_aead_cipher_init failed".into())),
        }
    }
}

impl jobs::Aead for Aead {
    const OPEN_NOTE: &str = jobs::COPIES;

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let (aad, mut tag_len) = (Piece::of(aad), 16);
        let piece = Piece::in_place(text);
        // SAFETY: the handle is open, nonce and tag have the lengths that it is told, and the
        // pieces are as long as they say.
        let done = unsafe {
            (self.api.gnutls_aead_cipher_encryptv2)(
                self.handle,
                nonce.as_ptr().cast(),
                nonce.len(),
                &aad,
                1,
                &piece,
                1,
                tag.as_mut_ptr().cast(),
                &mut tag_len,
            )
        };
        if done != 0 {
            // A failure must not pass for an answer.
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
        text.copy_from_slice(sealed);
        let (aad, piece) = (Piece::of(aad), Piece::in_place(text));
        // It asks for a tag that it could write to, and does not.
        let mut tag = *tag;
        // SAFETY: as of `seal`.
        let done = unsafe {
            (self.api.gnutls_aead_cipher_decryptv2)(
                self.handle,
                nonce.as_ptr().cast(),
                nonce.len(),
                &aad,
                1,
                &piece,
                1,
                tag.as_mut_ptr().cast(),
                tag.len(),
            )
        };
        done == 0
    }

    /// By another handle. `gnutls_aead_cipher_set_key` makes the hash key of AES-GCM from the one
    /// before it, in 3.7.9 and 3.8.13, and tags are wrong from then on.
    fn rekey(&mut self, key: &[u8]) {
        *self = Self::with_key(self.api, self.algorithm, key).expect("it has been made before");
    }
}

impl Drop for Aead {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nobody else has it.
        unsafe { (self.api.gnutls_aead_cipher_deinit)(self.handle) }
    }
}

/// AES-CCM. In place it would copy everything to memory that it asks for and back, so it gets a
/// place for sealed messages, which have their tags behind them.
pub(super) struct Ccm {
    aead: Aead,
    sealed: Vec<u8>,
}

impl Ccm {
    pub(super) fn new(aead: Aead) -> Self {
        Self { aead, sealed: Vec::new() }
    }
}

impl jobs::Aead for Ccm {
    const SEAL_NOTE: &str = "seals to another place only: the copy of the message counts";
    const OPEN_NOTE: &str = "takes the tag behind the message only: the copy of both counts";

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.sealed.resize(text.len() + tag.len(), 0);
        let mut sealed_len = self.sealed.len();
        // SAFETY: the handle is open, there is room for the message and its tag, and the rest is as
        // long as it says.
        let done = unsafe {
            (self.aead.api.gnutls_aead_cipher_encrypt)(
                self.aead.handle,
                nonce.as_ptr().cast(),
                nonce.len(),
                aad.as_ptr().cast(),
                aad.len(),
                tag.len(),
                text.as_ptr().cast(),
                text.len(),
                self.sealed.as_mut_ptr().cast(),
                &mut sealed_len,
            )
        };
        if done != 0 {
            // A failure must not pass for an answer.
            self.sealed.fill(0);
        }
        let (body, end) = self.sealed.split_at(text.len());
        text.copy_from_slice(body);
        tag.copy_from_slice(end);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.sealed.clear();
        self.sealed.extend_from_slice(sealed);
        self.sealed.extend_from_slice(tag);
        let mut text_len = text.len();
        // SAFETY: the handle is open, and everything is as long as it says.
        let done = unsafe {
            (self.aead.api.gnutls_aead_cipher_decrypt)(
                self.aead.handle,
                nonce.as_ptr().cast(),
                nonce.len(),
                aad.as_ptr().cast(),
                aad.len(),
                tag.len(),
                self.sealed.as_ptr().cast(),
                self.sealed.len(),
                text.as_mut_ptr().cast(),
                &mut text_len,
            )
        };
        done == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        jobs::Aead::rekey(&mut self.aead, key);
    }
}
