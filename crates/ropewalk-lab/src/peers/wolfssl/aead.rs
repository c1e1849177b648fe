//! Sealing and opening: AES-GCM, AES-CCM and ChaCha20-Poly1305; and GMAC.

use libloading::os::unix::Library;

use super::{Aes, Context, api, failed, len};
use crate::peers::{Unavailable, jobs};

/// AES-GCM or AES-CCM with its key.
pub(super) struct Sealing {
    api: api::Sealing,
    aes: Aes,
}

impl Sealing {
    pub(super) fn new(api: api::Sealing, aes: api::Aes, key: &[u8]) -> Result<Self, Unavailable> {
        let mut made = Self { api, aes: Aes::new(aes)? };
        match made.set_key(key) {
            true => Ok(made),
            false => Err(failed("wc_AesGcmSetKey")),
        }
    }

    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the context has been made ready, and the key has the given length.
        unsafe { (self.api.set_key)(self.aes.get(), key.as_ptr(), len(key)) == 0 }
    }
}

impl jobs::Aead for Sealing {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let (start, bytes) = (text.as_mut_ptr(), len(text));
        // SAFETY: the context has its key, all data has the given length, and the text may be in
        // place.
        let done = unsafe {
            (self.api.seal)(
                self.aes.get(),
                start,
                start,
                bytes,
                nonce.as_ptr(),
                12,
                tag.as_mut_ptr(),
                16,
                aad.as_ptr(),
                len(aad),
            )
        };
        if done != 0 {
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
        // SAFETY: the context has its key, and all data has the given length.
        let done = unsafe {
            (self.api.open)(
                self.aes.get(),
                text.as_mut_ptr(),
                sealed.as_ptr(),
                len(sealed),
                nonce.as_ptr(),
                12,
                tag.as_ptr(),
                16,
                aad.as_ptr(),
                len(aad),
            )
        };
        done == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.set_key(key), "it takes another key");
    }
}

/// ChaCha20-Poly1305, whose calls take the key.
pub(super) struct ChaChaPoly {
    pub(super) api: api::ChaChaPoly,
    pub(super) key: [u8; 32],
}

impl jobs::Aead for ChaChaPoly {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let (start, bytes) = (text.as_mut_ptr(), len(text));
        // SAFETY: key, nonce and tag have the lengths that it wants, the rest those that it says,
        // and the text may be in place.
        let done = unsafe {
            (self.api.wc_ChaCha20Poly1305_Encrypt)(
                self.key.as_ptr(),
                nonce.as_ptr(),
                aad.as_ptr(),
                len(aad),
                start,
                bytes,
                start,
                tag.as_mut_ptr(),
            )
        };
        if done != 0 {
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
        // SAFETY: as for `seal`, with another place for the text.
        let done = unsafe {
            (self.api.wc_ChaCha20Poly1305_Decrypt)(
                self.key.as_ptr(),
                nonce.as_ptr(),
                aad.as_ptr(),
                len(aad),
                sealed.as_ptr(),
                len(sealed),
                tag.as_ptr(),
                text.as_mut_ptr(),
            )
        };
        done == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        self.key.copy_from_slice(key);
    }
}

/// GMAC with its key.
pub(super) struct Gmac {
    api: api::Gmac,
    context: Context,
}

impl Gmac {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let mut gmac = Self { api: api::Gmac::load(library)?, context: Context::new() };
        match gmac.set_key(key) {
            true => Ok(gmac),
            false => Err(failed("wc_GmacSetKey")),
        }
    }

    fn set_key(&mut self, key: &[u8]) -> bool {
        let context = self.context.get();
        // SAFETY: there is space for the context, and the key has the given length.
        unsafe { (self.api.wc_GmacSetKey)(context, key.as_ptr(), len(key)) == 0 }
    }
}

impl jobs::Gmac for Gmac {
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        // SAFETY: the context has its key, and all data has the given length.
        let done = unsafe {
            (self.api.wc_GmacUpdate)(
                self.context.get(),
                nonce.as_ptr(),
                12,
                message.as_ptr(),
                len(message),
                tag.as_mut_ptr(),
                16,
            )
        };
        if done != 0 {
            tag.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key)
    }
}
