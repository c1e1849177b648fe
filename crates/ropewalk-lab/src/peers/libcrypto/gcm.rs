//! AES-GCM and ChaCha20-Poly1305 on one context that keeps its key. Messages are sealed in place and opened to another.

use std::ffi::{c_int, c_void};

use super::{
    api,
    evp::{Context, Evp, Mode},
    source::Source,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// Makes contexts of one direction.
#[derive(Clone, Copy)]
pub(super) struct Gcm {
    evp: Evp,
    authenticated: api::Authenticated,
    decrypt: Option<api::Decrypt>,
}

impl Gcm {
    pub(super) fn new(
        source: Source,
        mode: Mode,
        direction: Direction,
        key_len: usize,
    ) -> Result<Self, Unavailable> {
        Ok(Self {
            evp: Evp::new(source, mode, direction, key_len)?,
            authenticated: api::Authenticated::load(source.library)?,
            decrypt: match direction {
                Direction::Encrypt => None,
                Direction::Decrypt => Some(api::Decrypt::load(source.library)?),
            },
        })
    }

    pub(super) fn key(self, key: &[u8]) -> Result<Key, Unavailable> {
        Ok(Key { gcm: self, context: self.evp.context(key)? })
    }
}

/// A context that has its cipher and its key.
pub(super) struct Key {
    gcm: Gcm,
    context: Context,
}

impl Key {
    fn tag(&self, tag: &mut [u8; 16]) -> bool {
        let Gcm { authenticated, .. } = self.gcm;
        let (mut nothing, mut written) = ([0; 16], 0);
        // SAFETY: the context has been started, and there is space for a block.
        let done = unsafe {
            (authenticated.EVP_EncryptFinal_ex)(
                self.context.ctx,
                nothing.as_mut_ptr(),
                &mut written,
            )
        };
        done == 1 && self.control(EVP_CTRL_AEAD_GET_TAG, tag.as_mut_ptr().cast())
    }

    fn is_tag(&self, tag: &[u8; 16]) -> bool {
        let Some(decrypt) = self.gcm.decrypt else { return false };
        // The library takes a mutable pointer, and does not write.
        let mut tag = *tag;
        let (mut nothing, mut written) = ([0; 16], 0);
        self.control(EVP_CTRL_AEAD_SET_TAG, tag.as_mut_ptr().cast())
            // SAFETY: the context has been started, and there is space for a block.
            && unsafe {
                (decrypt.EVP_DecryptFinal_ex)(
                    self.context.ctx,
                    nothing.as_mut_ptr(),
                    &mut written,
                ) == 1
            }
    }

    fn control(&self, command: c_int, tag: *mut c_void) -> bool {
        // SAFETY: the context is alive, and both commands want the sixteen bytes of a tag.
        let done = unsafe {
            (self.gcm.authenticated.EVP_CIPHER_CTX_ctrl)(self.context.ctx, command, 16, tag)
        };
        done == 1
    }

    fn rest(&self, started: bool, aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let context = &self.context;
        if !(started && context.aad(aad) && context.update(text) && self.tag(tag)) {
            // A failed call must not look like an answer.
            text.fill(0);
            tag.fill(0);
        }
    }

    /// Opens a started message, and returns whether the tag is right.
    fn opens(&self, aad: &[u8], sealed: &[u8], tag: &[u8; 16], text: &mut [u8]) -> bool {
        let context = &self.context;
        context.aad(aad) && context.update_to(sealed, text) && self.is_tag(tag)
    }
}

impl jobs::Aead for Key {
    const STREAMS: bool = true;

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.rest(self.context.start(nonce), aad, text, tag);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.context.start(nonce) && self.opens(aad, sealed, tag, text)
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.context.rekey(key), "it takes another key");
    }

    fn seal_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &mut [u8; 16],
    ) {
        self.rest(self.context.start_fresh(key, nonce), aad, text, tag);
    }

    fn open_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.context.start_fresh(key, nonce) && self.opens(aad, sealed, tag, text)
    }

    fn begin(&mut self, nonce: &[u8; 12]) {
        assert!(self.context.start(nonce), "it takes a nonce of that length");
    }

    fn seal_piece(&mut self, text: &mut [u8]) {
        // A failed chunk is zeroed.
        self.context.update(text);
    }
}

/// The same numbers in each library of the family.
const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;
