//! Sealing and opening: AES-GCM and ChaCha20-Poly1305, on a context that keeps its key.

use std::ffi::c_ulong;

use libloading::os::unix::Library;

use super::{
    Context, Key, Slot,
    api::{self, CKA_NSS_MESSAGE, CKG_NO_GENERATE, Item, Mechanism},
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// The calls for messages in one direction with one mechanism.
#[derive(Clone, Copy)]
pub(super) struct Messages {
    api: api::Aead,
    keys: api::Keys,
    slot: Slot,
    mechanism: Mechanism,
    operation: c_ulong,
}

impl Messages {
    pub(super) fn new(
        library: &'static Library,
        slot: Slot,
        mechanism: Mechanism,
        direction: Direction,
    ) -> Result<Self, Unavailable> {
        let (api, keys) = (api::Aead::load(library)?, api::Keys::load(library)?);
        Ok(Self { api, keys, slot, mechanism, operation: super::operation(direction) })
    }

    pub(super) fn with(self, key: &[u8]) -> Result<Aead, Unavailable> {
        Ok(Aead { messages: self, context: self.context(key)? })
    }

    fn context(&self, key: &[u8]) -> Result<Context, Unavailable> {
        let key = Key::new(self.keys, self.slot, self.mechanism, self.operation, key)?;
        key.context(CKA_NSS_MESSAGE | self.operation, &Item::none())
    }
}

/// A context with its key.
pub(super) struct Aead {
    messages: Messages,
    context: Context,
}

impl Aead {
    /// Processes one message, and returns whether it did.
    fn message(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: (*const u8, usize),
        out: *mut u8,
        tag: *mut u8,
    ) -> bool {
        let (start, len) = (text.0, text.1 as i32);
        let (mut nonce, mut out_len) = (*nonce, 0);
        // SAFETY: the context has its key, nonce and tag have twelve and sixteen bytes, the rest is
        // as long as it says, and there is space for as much as comes in.
        let done = unsafe {
            (self.messages.api.PK11_AEADOp)(
                self.context.get(),
                CKG_NO_GENERATE,
                0,
                nonce.as_mut_ptr(),
                12,
                aad.as_ptr(),
                aad.len() as i32,
                out,
                &mut out_len,
                len,
                tag,
                16,
                start,
                len,
            )
        };
        done == 0 && out_len == len
    }
}

impl jobs::Aead for Aead {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let start = text.as_mut_ptr();
        if !self.message(nonce, aad, (start, text.len()), start, tag.as_mut_ptr()) {
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
        let mut tag = *tag;
        let (start, out) = (sealed.as_ptr(), text.as_mut_ptr());
        self.message(nonce, aad, (start, sealed.len()), out, tag.as_mut_ptr())
    }

    fn rekey(&mut self, key: &[u8]) {
        self.context = self.messages.context(key).expect("it takes another key");
    }
}
