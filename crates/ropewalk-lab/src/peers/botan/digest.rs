//! Hash functions, and random bytes.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    api::{self, Handle},
    c_string, made,
};
use crate::peers::{Unavailable, jobs};

/// An object for all messages.
pub(super) struct Hash {
    api: api::Hash,
    handle: Handle,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Hash {
    pub(super) fn new(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
        let api = api::Hash::load(library)?;
        let (c_name, mut handle) = (c_string(name)?, null_mut());
        // SAFETY: there is space for a handle, and the name is a string.
        let done = unsafe { (api.botan_hash_init)(&mut handle, c_name.as_ptr(), 0) };
        made(done, "botan_hash_init", name)?;
        Ok(Self { api, handle, sound: true })
    }
}

impl jobs::Hash for Hash {
    const ANEW: &str = jobs::KEEPS_CONTEXT;

    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        // SAFETY: the object is alive.
        self.sound = unsafe { (self.api.botan_hash_clear)(self.handle) == 0 };
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the object is alive, and the text has the given length.
        let done = unsafe { (self.api.botan_hash_update)(self.handle, text.as_ptr(), text.len()) };
        self.sound &= done == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the object is alive, and a digest of the function is as long as its buffer.
        let done = unsafe { (self.api.botan_hash_final)(self.handle, digest.as_mut_ptr()) };
        if !(self.sound && done == 0) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and nothing else uses it.
        unsafe { (self.api.botan_hash_destroy)(self.handle) };
    }
}

/// Its own generator, which is seeded by the system.
pub(super) struct Random {
    api: api::Random,
    handle: Handle,
}

impl Random {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        let (api, mut handle) = (api::Random::load(library)?, null_mut());
        // SAFETY: there is space for a handle, and the name is a string.
        let done = unsafe { (api.botan_rng_init)(&mut handle, c"user".as_ptr()) };
        made(done, "botan_rng_init", "generator of its own")?;
        Ok(Self { api, handle })
    }

    /// The handle, for functions that need a generator.
    pub(super) fn handle(&self) -> Handle {
        self.handle
    }
}

impl jobs::Fill for Random {
    fn fill(&mut self, out: &mut [u8]) {
        // SAFETY: the object is alive, and there are that many bytes.
        let done = unsafe { (self.api.botan_rng_get)(self.handle, out.as_mut_ptr(), out.len()) };
        assert_eq!(done, 0, "it has random bytes");
    }
}

impl Drop for Random {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and nothing else uses it.
        unsafe { (self.api.botan_rng_destroy)(self.handle) };
    }
}
