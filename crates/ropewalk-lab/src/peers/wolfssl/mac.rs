//! HMAC, CMAC and Poly1305.

use std::{ffi::c_int, ptr::null_mut};

use libloading::os::unix::Library;

use super::{Context, api, failed, len};
use crate::peers::{Unavailable, jobs};

/// HMAC with its key, which is kept for the next message.
pub(super) struct Hmac {
    api: api::Hmac,
    /// Its number of the hash function.
    number: c_int,
    context: Context,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Hmac {
    /// None if the library was built without the hash function of that number.
    pub(super) fn new(
        library: &'static Library,
        number: c_int,
        key: &[u8],
    ) -> Result<Option<Self>, Unavailable> {
        let api = api::Hmac::load(library)?;
        let mut context = Context::new();
        // SAFETY: there is space for the context.
        let done = unsafe { (api.wc_HmacInit)(context.get(), null_mut(), api::INVALID_DEVID) };
        if done != 0 {
            return Err(failed("wc_HmacInit"));
        }
        // From here on, dropping frees the context.
        let mut made = Self { api, number, context, sound: true };
        Ok(made.set_key(key).then_some(made))
    }

    fn set_key(&mut self, key: &[u8]) -> bool {
        let (context, start) = (self.context.get(), key.as_ptr());
        // SAFETY: the context has been made ready, and the key has the given length.
        unsafe { (self.api.wc_HmacSetKey)(context, self.number, start, len(key)) == 0 }
    }
}

impl jobs::Hash for Hmac {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        self.sound = true;
    }

    fn update(&mut self, text: &[u8]) {
        let (context, start) = (self.context.get(), text.as_ptr());
        // SAFETY: the context has its key, and the text has the given length.
        let done = unsafe { (self.api.wc_HmacUpdate)(context, start, len(text)) };
        self.sound &= done == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the context has its key, and a tag is as long as its buffer.
        let done = unsafe { (self.api.wc_HmacFinal)(self.context.get(), digest.as_mut_ptr()) };
        if !(self.sound && done == 0) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key)
    }
}

impl Drop for Hmac {
    fn drop(&mut self) {
        // SAFETY: the context has been made ready, and nothing else uses it.
        unsafe { (self.api.wc_HmacFree)(self.context.get()) }
    }
}

/// CMAC, whose call takes the key: taking a tag drops the key of a context.
pub(super) struct Cmac {
    api: api::Cmac,
    key: Vec<u8>,
}

impl Cmac {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        Ok(Self { api: api::Cmac::load(library)?, key: key.to_vec() })
    }
}

impl jobs::Hash for Cmac {
    const NOTE: &str = "keeps no key ready: to take it counts";

    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        let (key, mut tag_len) = (self.key.as_slice(), 16);
        // SAFETY: there is space for a whole tag, and the rest has the given length.
        let done = unsafe {
            (self.api.wc_AesCmacGenerate)(
                digest.as_mut_ptr(),
                &mut tag_len,
                text.as_ptr(),
                len(text),
                key.as_ptr(),
                len(key),
            )
        };
        if done != 0 {
            digest.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}

/// Poly1305, whose key is set for each message.
pub(super) struct Poly1305 {
    api: api::Poly1305,
    context: Context,
    key: Vec<u8>,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Poly1305 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let (api, context) = (api::Poly1305::load(library)?, Context::new());
        Ok(Self { api, context, key: key.to_vec(), sound: false })
    }
}

impl jobs::Hash for Poly1305 {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        self.start();
        self.update(text);
        self.finish(digest);
    }

    fn start(&mut self) {
        let (key, bytes) = (self.key.as_ptr(), len(&self.key));
        // SAFETY: there is space for the context, and the key has the given length.
        self.sound = unsafe { (self.api.wc_Poly1305SetKey)(self.context.get(), key, bytes) == 0 };
    }

    fn update(&mut self, text: &[u8]) {
        let (context, start) = (self.context.get(), text.as_ptr());
        // SAFETY: the context has its key, and the text has the given length.
        let done = unsafe { (self.api.wc_Poly1305Update)(context, start, len(text)) };
        self.sound &= done == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the context has its key, and there is space for a whole tag.
        let done = unsafe { (self.api.wc_Poly1305Final)(self.context.get(), digest.as_mut_ptr()) };
        if !(self.sound && done == 0) {
            digest.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}
