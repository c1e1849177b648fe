//! Sealing and opening: AES-GCM, AES-CCM, ChaCha20-Poly1305.

use std::{ffi::c_int, ptr::null_mut};

use libloading::os::unix::Library;

use super::api::{self, Datum, Handle};
use crate::peers::{Unavailable, jobs};

/// A handle with its key, and a buffer for sealed messages followed by their tags.
///
/// `gnutls_aead_cipher_encryptv2` has a separate tag and works in place, but takes longer than this with its
/// copies: it processes text in chunks, and AES-CCM through allocated memory.
pub(super) struct Aead {
    api: api::Aead,
    algorithm: c_int,
    handle: Handle,
    sealed: Vec<u8>,
}

impl Aead {
    pub(super) fn new(
        library: &'static Library,
        algorithm: c_int,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::Aead::load(library)?;
        let handle = handle_with(api, algorithm, key)?;
        Ok(Self { api, algorithm, handle, sealed: Vec::new() })
    }
}

fn handle_with(api: api::Aead, algorithm: c_int, key: &[u8]) -> Result<Handle, Unavailable> {
    let mut handle = null_mut();
    // SAFETY: there is space for a handle, and the key has the given length.
    let done = unsafe { (api.gnutls_aead_cipher_init)(&mut handle, algorithm, &Datum::of(key)) };
    match done {
        0 => Ok(handle),
        _ => Err(Unavailable("gnutls_aead_cipher_init failed".into())),
    }
}

impl jobs::Aead for Aead {
    const SEAL_NOTE: &str = "seals with the tag behind the message: the copy of both counts";
    const OPEN_NOTE: &str = "opens with the tag behind the message: the copy of both counts";

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.sealed.resize(text.len() + tag.len(), 0);
        let mut sealed_len = self.sealed.len();
        // SAFETY: the handle is open, there is space for the message and its tag, and the rest is as
        // long as it says.
        let done = unsafe {
            (self.api.gnutls_aead_cipher_encrypt)(
                self.handle,
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
            // A failed call must not look like an answer.
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
        // SAFETY: the handle is open, and everything has the given length.
        let done = unsafe {
            (self.api.gnutls_aead_cipher_decrypt)(
                self.handle,
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

    /// Uses another handle. `gnutls_aead_cipher_set_key` derives the hash key of AES-GCM from the one before
    /// it, in 3.7.9 and 3.8.13, and tags are wrong from then on.
    fn rekey(&mut self, key: &[u8]) {
        let other = handle_with(self.api, self.algorithm, key).expect("it has been made before");
        // SAFETY: the handle is open, and nothing uses it afterwards.
        unsafe { (self.api.gnutls_aead_cipher_deinit)(self.handle) }
        self.handle = other;
    }
}

impl Drop for Aead {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nothing else uses it.
        unsafe { (self.api.gnutls_aead_cipher_deinit)(self.handle) }
    }
}
