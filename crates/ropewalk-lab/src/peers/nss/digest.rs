//! Hash functions, HMAC and CMAC: a context that is restarted for each message.

use std::ffi::c_int;

use libloading::os::unix::Library;

use super::{
    Context, Key, Slot,
    api::{self, AES_CMAC, AES_ECB, CKA_SIGN, Item, Mechanism},
};
use crate::peers::{Unavailable, jobs};

/// A context, with its key if there is one.
pub(super) struct Digest {
    api: api::Digest,
    context: Context,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Digest {
    /// None if this version has no hash function of that number.
    pub(super) fn hash(
        library: &'static Library,
        number: c_int,
    ) -> Result<Option<Self>, Unavailable> {
        let api = api::Digest::load(library)?;
        // SAFETY: the library has been set up, and takes any number.
        let made = unsafe { (api.PK11_CreateDigestContext)(number) };
        let context = Context::new(made, api.PK11_DestroyContext);
        Ok(context.map(|context| Self { api, context, sound: true }))
    }

    /// None if this version does not have the mechanism.
    pub(super) fn hmac(
        library: &'static Library,
        slot: Slot,
        mechanism: Mechanism,
        key: &[u8],
    ) -> Result<Option<Self>, Unavailable> {
        let (api, keys) = (api::Digest::load(library)?, api::Keys::load(library)?);
        let key = Key::new(keys, slot, mechanism, CKA_SIGN, key);
        let context = key.and_then(|key| key.context(CKA_SIGN, &Item::none()));
        Ok(context.ok().map(|context| Self { api, context, sound: true }))
    }

    pub(super) fn cmac(
        library: &'static Library,
        slot: Slot,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let (api, keys) = (api::Digest::load(library)?, api::Keys::load(library)?);
        // This marks the key as one for AES.
        let key = Key::new(keys, slot, AES_ECB, CKA_SIGN, key)?;
        let context = key.context_of(AES_CMAC, CKA_SIGN, &Item::none())?;
        Ok(Self { api, context, sound: true })
    }

    fn begin(&mut self) {
        // SAFETY: the context is there.
        self.sound = unsafe { (self.api.PK11_DigestBegin)(self.context.get()) == 0 };
    }
}

impl jobs::Hash for Digest {
    const ANEW: &str = jobs::KEEPS_CONTEXT;

    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        self.begin();
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    /// A started context would continue, and so is ended first.
    fn start(&mut self) {
        self.finish(&mut [0; 64]);
        self.begin();
    }

    fn update(&mut self, text: &[u8]) {
        let (start, len) = (text.as_ptr(), text.len() as u32);
        // SAFETY: the context has begun, and the text has the given length.
        let done = unsafe { (self.api.PK11_DigestOp)(self.context.get(), start, len) };
        self.sound &= done == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let (place, mut len) = (digest.as_mut_ptr(), 0);
        // SAFETY: the context is there, and there is space for that many bytes.
        let done = unsafe {
            (self.api.PK11_DigestFinal)(self.context.get(), place, &mut len, digest.len() as u32)
        };
        if !(self.sound && done == 0 && len as usize == digest.len()) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }
}
