//! Hash functions.

use std::ptr::null_mut;

use super::{Context, api, len};
use crate::peers::jobs;

/// A context; taking a digest prepares it for the next message.
pub(super) struct Hash {
    api: api::Hash,
    context: Context,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Hash {
    pub(super) fn new(api: api::Hash) -> Self {
        let mut hash = Self { api, context: Context::new(), sound: true };
        hash.init();
        hash
    }

    fn init(&mut self) {
        // SAFETY: there is space for the context.
        let done = unsafe { (self.api.init)(self.context.get(), null_mut(), api::INVALID_DEVID) };
        self.sound = done == 0;
    }
}

impl jobs::Hash for Hash {
    const ANEW: &str = jobs::KEEPS_CONTEXT;

    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        self.init();
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been made ready, and the text has the given length.
        let done = unsafe { (self.api.update)(self.context.get(), text.as_ptr(), len(text)) };
        self.sound &= done == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let (context, place) = (self.context.get(), digest.as_mut_ptr());
        let done = match self.api.end {
            // SAFETY: the context has been made ready, and a digest of the function is as long as its buffer.
            api::End::OfOneLength(end) => unsafe { end(context, place) },
            // SAFETY: the context has been made ready, and the place has the given length.
            api::End::OfLength(end) => unsafe { end(context, place, digest.len() as u32) },
        };
        if !(self.sound && done == 0) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: the context has been made ready, and nothing else uses it.
        unsafe { (self.api.free)(self.context.get()) }
    }
}
