//! SHA-256, through `EVP_Digest*` on one context or through `SHA256()`.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    DEFAULT,
    api::{self, EVP_MD, EVP_MD_CTX},
    failed, made,
};
use crate::peers::{Unavailable, jobs};

/// Two contexts: one that stays as it was after its start, one that is a copy and goes on.
///
/// To copy is the fastest documented way to start again: in OpenSSL 3.0 to 3.6 it saves 5 to 8 %
/// of a 16-byte message against `EVP_DigestInit_ex2`, in 4.0 it costs the same.
pub(super) struct Sha256 {
    api: api::Digest,
    fresh: *mut EVP_MD_CTX,
    running: *mut EVP_MD_CTX,
    one_shot: Option<api::Sha256>,
    /// Whether it has been started, and every call since did what it should.
    sound: bool,
}

impl Sha256 {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        let api = api::Digest::load(library)?;
        let (hash, one_shot) = match api::FetchDigest::load(library) {
            // Since 3.0, `SHA256()` fetches the algorithm anew each time.
            Ok(since_3) => (fetched(since_3)?, None),
            Err(_) => {
                let api = api::Sha256::load(library)?;
                // SAFETY: it takes nothing.
                (unsafe { (api.EVP_sha256)() }, Some(api))
            }
        };
        // SAFETY: it takes nothing.
        let fresh = unsafe { (api.EVP_MD_CTX_new)() };
        // SAFETY: it takes nothing.
        let running = unsafe { (api.EVP_MD_CTX_new)() };
        // From here on, dropping frees the contexts; null is allowed there.
        let mut sha256 = Self { api, fresh, running, one_shot, sound: false };
        made(fresh, "EVP_MD_CTX_new")?;
        made(running, "EVP_MD_CTX_new")?;
        // SAFETY: the context is alive, and so is the hash function.
        let done = unsafe { (api.EVP_DigestInit_ex)(fresh, hash, null_mut()) };
        if done != 1 {
            return Err(failed("EVP_DigestInit_ex"));
        }
        // A stream may be timed before anything else has started it.
        jobs::Hash::start(&mut sha256);
        Ok(sha256)
    }
}

impl jobs::Hash<32> for Sha256 {
    fn message(&mut self, text: &[u8], digest: &mut [u8; 32]) {
        let Some(api) = self.one_shot else {
            self.start();
            self.update(text);
            self.finish(digest);
            return;
        };
        // SAFETY: the text is as long as it says, and a digest takes 32 bytes.
        let done = unsafe { (api.SHA256)(text.as_ptr(), text.len(), digest.as_mut_ptr()) };
        if done.is_null() {
            digest.fill(0);
        }
    }

    fn start(&mut self) {
        // SAFETY: both contexts are alive.
        let done = unsafe { (self.api.EVP_MD_CTX_copy_ex)(self.running, self.fresh) };
        self.sound = done == 1;
    }

    fn update(&mut self, text: &[u8]) {
        if !self.sound {
            return;
        }
        // SAFETY: the context has been started, and the text is as long as it says.
        let done =
            unsafe { (self.api.EVP_DigestUpdate)(self.running, text.as_ptr().cast(), text.len()) };
        self.sound = done == 1;
    }

    fn finish(&mut self, digest: &mut [u8; 32]) {
        // A failure must not pass for an answer.
        digest.fill(0);
        if !std::mem::take(&mut self.sound) {
            return;
        }
        // SAFETY: the context has been started, and a digest takes 32 bytes; its length may be
        // unasked.
        let done =
            unsafe { (self.api.EVP_DigestFinal_ex)(self.running, digest.as_mut_ptr(), null_mut()) };
        if done != 1 {
            digest.fill(0);
        }
    }
}

impl Drop for Sha256 {
    fn drop(&mut self) {
        for ctx in [self.fresh, self.running] {
            // SAFETY: the context is alive or null, and nobody else has it.
            unsafe { (self.api.EVP_MD_CTX_free)(ctx) }
        }
    }
}

/// It is never freed, for the library keeps it anyway.
fn fetched(api: api::FetchDigest) -> Result<*const EVP_MD, Unavailable> {
    // SAFETY: the name is a string, and null stands for the default of the others.
    let hash = unsafe { (api.EVP_MD_fetch)(null_mut(), c"SHA256".as_ptr(), DEFAULT) };
    Ok(made(hash, "EVP_MD_fetch")?)
}
