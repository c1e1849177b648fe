//! AES-CCM on one context that keeps its key. Messages are sealed in place and opened to another.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use super::{
    api,
    evp::{Context, Evp, Mode},
    failed,
    source::Source,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// Makes contexts of one direction.
#[derive(Clone, Copy)]
pub(super) struct Ccm {
    evp: Evp,
    authenticated: api::Authenticated,
}

impl Ccm {
    pub(super) fn new(
        source: Source,
        direction: Direction,
        key_len: usize,
    ) -> Result<Self, Unavailable> {
        let evp = Evp::new(source, Mode::Ccm, direction, key_len)?;
        Ok(Self { evp, authenticated: api::Authenticated::load(source.library)? })
    }

    pub(super) fn key(self, key: &[u8]) -> Result<Key, Unavailable> {
        let made = Key { ccm: self, context: self.evp.context(key)? };
        // The lengths are a part of the key setup.
        let done = made.control(EVP_CTRL_AEAD_SET_IVLEN, 12, null_mut())
            && made.control(EVP_CTRL_AEAD_SET_TAG, 16, null_mut())
            && made.context.rekey(key);
        if done { Ok(made) } else { Err(failed("EVP_CIPHER_CTX_ctrl")) }
    }
}

/// A context that has its cipher and its key.
pub(super) struct Key {
    ccm: Ccm,
    context: Context,
}

impl Key {
    fn control(&self, command: c_int, number: c_int, bytes: *mut c_void) -> bool {
        let control = self.ccm.authenticated.EVP_CIPHER_CTX_ctrl;
        // SAFETY: the context is alive, and what is not null has as many bytes as the number says.
        unsafe { control(self.context.ctx, command, number, bytes) == 1 }
    }
}

impl jobs::Aead for Key {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let context = &self.context;
        let done = context.start(nonce)
            && context.announce(text.len())
            && context.aad(aad)
            && context.whole(text)
            && self.control(EVP_CTRL_AEAD_GET_TAG, 16, tag.as_mut_ptr().cast());
        if !done {
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
        let context = &self.context;
        // The library takes a mutable pointer, and does not write.
        let mut tag = *tag;
        context.start(nonce)
            && self.control(EVP_CTRL_AEAD_SET_TAG, 16, tag.as_mut_ptr().cast())
            && context.announce(sealed.len())
            && context.aad(aad)
            // It returns whether the tag is right.
            && context.whole_to(sealed, text)
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.context.rekey(key), "it takes another key");
    }
}

/// The same numbers in each library of the family.
const EVP_CTRL_AEAD_SET_IVLEN: c_int = 0x9;
const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;
