//! ChaCha20, Poly1305 and both, with the functions of BoringSSL and AWS-LC besides `EVP_Cipher*`.

use std::{mem::MaybeUninit, ptr::null};

use libloading::os::unix::Library;

use super::{
    api::{self, EVP_AEAD_CTX},
    made,
};
use crate::peers::{Unavailable, jobs};

/// ChaCha20 of a whole message.
#[derive(Clone, Copy)]
pub(super) struct ChaCha(api::PlainChaCha20);

impl ChaCha {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        api::PlainChaCha20::load(library).map(Self)
    }

    pub(super) fn key(self, key: &[u8]) -> ChaChaKey {
        ChaChaKey { api: self.0, key: key.try_into().expect("32 bytes") }
    }
}

/// The bytes of a key, which is not expanded.
pub(super) struct ChaChaKey {
    api: api::PlainChaCha20,
    key: [u8; 32],
}

impl jobs::Ctr for ChaChaKey {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (counter, nonce) = iv.split_first_chunk().expect("four of sixteen");
        let (start, key) = (text.as_mut_ptr(), self.key.as_ptr());
        let (counter, nonce) = (u32::from_le_bytes(*counter), nonce.as_ptr());
        // SAFETY: both places are the text, the key has 32 bytes, the nonce twelve.
        unsafe { (self.api.CRYPTO_chacha_20)(start, start, text.len(), key, nonce, counter) }
    }

    fn start(&mut self, _: &[u8; 16]) {}

    fn update(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}

/// ChaCha20-Poly1305 by `EVP_AEAD_CTX_*`.
#[derive(Clone, Copy)]
pub(super) struct Aead(api::Aead);

impl Aead {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        api::Aead::load(library).map(Self)
    }

    pub(super) fn key(self, key: &[u8]) -> Result<Key, Unavailable> {
        // SAFETY: it takes no arguments.
        let aead = unsafe { (self.0.EVP_aead_chacha20_poly1305)() };
        // SAFETY: the key has the given length.
        let ctx = unsafe { (self.0.EVP_AEAD_CTX_new)(aead, key.as_ptr(), key.len(), 16) };
        Ok(Key { api: self.0, ctx: made(ctx, "EVP_AEAD_CTX_new")? })
    }
}

/// A context that has its key.
pub(super) struct Key {
    api: api::Aead,
    ctx: *mut EVP_AEAD_CTX,
}

impl jobs::Aead for Key {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let (start, len, mut tag_len) = (text.as_mut_ptr(), text.len(), 0);
        // SAFETY: the context is alive, everything has the given length, and it may be in place.
        let done = unsafe {
            (self.api.EVP_AEAD_CTX_seal_scatter)(
                self.ctx,
                start,
                tag.as_mut_ptr(),
                &mut tag_len,
                16,
                nonce.as_ptr(),
                12,
                start,
                len,
                null(),
                0,
                aad.as_ptr(),
                aad.len(),
            )
        };
        if !(done == 1 && tag_len == 16) {
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
        // SAFETY: the context is alive, and everything has the given length.
        let done = unsafe {
            (self.api.EVP_AEAD_CTX_open_gather)(
                self.ctx,
                text.as_mut_ptr(),
                nonce.as_ptr(),
                12,
                sealed.as_ptr(),
                sealed.len(),
                tag.as_ptr(),
                16,
                aad.as_ptr(),
                aad.len(),
            )
        };
        done == 1
    }

    fn rekey(&mut self, key: &[u8]) {
        *self = Aead(self.api).key(key).expect("it takes another key");
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nothing else uses it.
        unsafe { (self.api.EVP_AEAD_CTX_free)(self.ctx) }
    }
}

/// Poly1305, whose key is set for each message.
pub(super) struct Poly1305 {
    api: api::PlainPoly1305,
    key: [u8; 32],
    /// `poly1305_state` has 512 bytes.
    state: Box<MaybeUninit<[u128; 64]>>,
}

impl Poly1305 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::PlainPoly1305::load(library)?;
        let key = key.try_into().expect("32 bytes");
        let mut made = Self { api, key, state: Box::new_uninit() };
        jobs::Hash::start(&mut made);
        Ok(made)
    }
}

impl jobs::Hash for Poly1305 {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        let state = self.state.as_mut_ptr().cast();
        // SAFETY: there is space for the state, and the key has 32 bytes.
        unsafe { (self.api.CRYPTO_poly1305_init)(state, self.key.as_ptr()) }
    }

    fn update(&mut self, text: &[u8]) {
        let state = self.state.as_mut_ptr().cast();
        // SAFETY: the state has been started, and the text has the given length.
        unsafe { (self.api.CRYPTO_poly1305_update)(state, text.as_ptr(), text.len()) }
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let mut tag = [0; 16];
        // SAFETY: the state has been started, and there is space for a tag.
        unsafe {
            (self.api.CRYPTO_poly1305_finish)(self.state.as_mut_ptr().cast(), tag.as_mut_ptr())
        }
        jobs::put(digest, &tag);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}
