//! Sealing and opening: AES-GCM, AES-CCM, ChaCha20-Poly1305. Each verifies tags itself.

use libloading::os::unix::Library;

use super::{Context, api, bits, done};
use crate::peers::{Unavailable, jobs};

/// A context with its key.
pub(super) struct Gcm {
    api: api::Gcm,
    context: Context,
}

impl Gcm {
    pub(super) fn new(
        library: &'static Library,
        api: api::Gcm,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let mut gcm = Self { api, context: Context::new(library, "gcm")? };
        done(gcm.set_key(key), "mbedtls_gcm_setkey")?;
        Ok(gcm)
    }

    fn set_key(&mut self, key: &[u8]) -> i32 {
        let (set, id) = (self.api.mbedtls_gcm_setkey, api::MBEDTLS_CIPHER_ID_AES);
        // SAFETY: the context is ready, and the key has the given length.
        unsafe { set(self.context.get(), id, key.as_ptr(), bits(key)) }
    }
}

impl jobs::Aead for Gcm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: the context has its key; nonce, data, text and tag have the given lengths; the text may be in
        // place.
        let code = unsafe {
            (self.api.mbedtls_gcm_crypt_and_tag)(
                self.context.get(),
                api::MBEDTLS_ENCRYPT,
                len,
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                start,
                start,
                tag.len(),
                tag.as_mut_ptr(),
            )
        };
        if code != 0 {
            // A failed call must not look like an answer.
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
        // SAFETY: the context has its key; nonce, data, tag and both texts have the given lengths.
        let code = unsafe {
            (self.api.mbedtls_gcm_auth_decrypt)(
                self.context.get(),
                sealed.len(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                tag.as_ptr(),
                tag.len(),
                sealed.as_ptr(),
                text.as_mut_ptr(),
            )
        };
        code == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        assert_eq!(self.set_key(key), 0, "it takes a key again");
    }
}

/// A context with its key.
pub(super) struct Ccm {
    api: api::Ccm,
    context: Context,
}

impl Ccm {
    pub(super) fn new(
        library: &'static Library,
        api: api::Ccm,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let mut ccm = Self { api, context: Context::new(library, "ccm")? };
        done(ccm.set_key(key), "mbedtls_ccm_setkey")?;
        Ok(ccm)
    }

    fn set_key(&mut self, key: &[u8]) -> i32 {
        let (set, id) = (self.api.mbedtls_ccm_setkey, api::MBEDTLS_CIPHER_ID_AES);
        // SAFETY: the context is ready, and the key has the given length.
        unsafe { set(self.context.get(), id, key.as_ptr(), bits(key)) }
    }
}

impl jobs::Aead for Ccm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: as for `Gcm`.
        let code = unsafe {
            (self.api.mbedtls_ccm_encrypt_and_tag)(
                self.context.get(),
                len,
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                start,
                start,
                tag.as_mut_ptr(),
                tag.len(),
            )
        };
        if code != 0 {
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
        // SAFETY: as for `Gcm`.
        let code = unsafe {
            (self.api.mbedtls_ccm_auth_decrypt)(
                self.context.get(),
                sealed.len(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                sealed.as_ptr(),
                text.as_mut_ptr(),
                tag.as_ptr(),
                tag.len(),
            )
        };
        code == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        assert_eq!(self.set_key(key), 0, "it takes a key again");
    }
}

/// A context with its key.
pub(super) struct ChaChaPoly {
    api: api::ChaChaPoly,
    context: Context,
}

impl ChaChaPoly {
    pub(super) fn new(
        library: &'static Library,
        api: api::ChaChaPoly,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let mut sealing = Self { api, context: Context::new(library, "chachapoly")? };
        done(sealing.set_key(key), "mbedtls_chachapoly_setkey")?;
        Ok(sealing)
    }

    fn set_key(&mut self, key: &[u8]) -> i32 {
        assert_eq!(key.len(), 32, "it says no length");
        // SAFETY: the context is ready, and the key has 32 bytes.
        unsafe { (self.api.mbedtls_chachapoly_setkey)(self.context.get(), key.as_ptr()) }
    }
}

impl jobs::Aead for ChaChaPoly {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: as for `Gcm`; nonces have one length, and so have tags.
        let code = unsafe {
            (self.api.mbedtls_chachapoly_encrypt_and_tag)(
                self.context.get(),
                len,
                nonce.as_ptr(),
                aad.as_ptr(),
                aad.len(),
                start,
                start,
                tag.as_mut_ptr(),
            )
        };
        if code != 0 {
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
        // SAFETY: as above.
        let code = unsafe {
            (self.api.mbedtls_chachapoly_auth_decrypt)(
                self.context.get(),
                sealed.len(),
                nonce.as_ptr(),
                aad.as_ptr(),
                aad.len(),
                tag.as_ptr(),
                sealed.as_ptr(),
                text.as_mut_ptr(),
            )
        };
        code == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        assert_eq!(self.set_key(key), 0, "it takes a key again");
    }
}
