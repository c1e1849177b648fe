//! Hash functions.

use libloading::os::unix::Library;

use super::{Context, api};
use crate::peers::{Unavailable, jobs};

pub(super) struct Hash {
    pub(super) api: api::Hash,
    pub(super) context: Context,
}

impl Hash {
    pub(super) fn new(
        library: &'static Library,
        init: &str,
        update: &str,
        end: &str,
    ) -> Result<Self, Unavailable> {
        let api = api::Hash::of(library, init, update, end)?;
        let mut hash = Self { api, context: Context::new() };
        // SAFETY: there is space for the context. Taking a digest starts the next message.
        unsafe { (hash.api.init)(hash.context.get()) }
        Ok(hash)
    }
}

impl jobs::Hash for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        // SAFETY: there is space for the context.
        unsafe { (self.api.init)(self.context.get()) }
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text has the given length.
        unsafe { (self.api.update)(self.context.get(), text.len(), text.as_ptr()) }
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the context has been started, and a digest of the function is as long as its buffer.
        unsafe { (self.api.digest)(self.context.get(), digest.len(), digest.as_mut_ptr()) }
    }
}
