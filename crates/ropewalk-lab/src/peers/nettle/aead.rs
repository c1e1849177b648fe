//! Sealing and opening: AES-GCM, AES-CCM, ChaCha20-Poly1305; and GMAC.

use super::{Context, api};
use crate::peers::jobs;

/// A context with its key, as [`api::Gcm`] wants it.
pub(super) struct Gcm {
    pub(super) api: api::Gcm,
    pub(super) equal: api::Equal,
    pub(super) context: Context,
}

impl Gcm {
    fn start(&mut self, nonce: &[u8; 12], aad: &[u8], text_len: usize) {
        let context = self.context.get();
        match self.api.set_iv {
            // SAFETY: the context has its key, the nonce twelve bytes, and the lengths are as it says.
            api::SetNonce::WithLengths(set) => unsafe {
                set(context, 12, nonce.as_ptr(), aad.len(), text_len, 16)
            },
            // SAFETY: the context has its key, and the nonce twelve bytes.
            api::SetNonce::OfLength(set) => unsafe { set(context, 12, nonce.as_ptr()) },
            // SAFETY: as above.
            api::SetNonce::Fixed(set) => unsafe { set(context, nonce.as_ptr()) },
        }
        // SAFETY: the message has been started, and the data has the given length.
        unsafe { (self.api.update)(context, aad.len(), aad.as_ptr()) }
    }

    fn tag(&mut self, tag: &mut [u8; 16]) {
        // SAFETY: the message is through, and there is space for a whole tag.
        unsafe { (self.api.digest)(self.context.get(), 16, tag.as_mut_ptr()) }
    }
}

impl jobs::Aead for Gcm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.start(nonce, aad, text.len());
        let start = text.as_mut_ptr();
        // SAFETY: the message has been started, and the text has the given length.
        unsafe { (self.api.encrypt)(self.context.get(), text.len(), start, start) }
        self.tag(tag);
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
        self.start(nonce, aad, sealed.len());
        let (start, out) = (sealed.as_ptr(), text.as_mut_ptr());
        // SAFETY: the message has been started, and both have the given lengths.
        unsafe { (self.api.decrypt)(self.context.get(), sealed.len(), out, start) }
        let mut right = [0; 16];
        self.tag(&mut right);
        // SAFETY: both have sixteen bytes.
        unsafe {
            (self.equal.nettle_memeql_sec)(right.as_ptr().cast(), tag.as_ptr().cast(), 16) == 1
        }
    }

    fn rekey(&mut self, key: &[u8]) {
        // SAFETY: there is space for the context, and the key has the length of its name.
        unsafe { (self.api.set_key)(self.context.get(), key.as_ptr()) }
    }
}

impl jobs::Gmac for Gcm {
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        self.start(nonce, message, 0);
        self.tag(tag);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        jobs::Aead::rekey(self, key);
        true
    }
}
