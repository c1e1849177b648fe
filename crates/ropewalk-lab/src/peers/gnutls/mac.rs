//! HMAC, CMAC and GMAC.

use std::{ffi::c_int, ptr::null_mut};

use libloading::os::unix::Library;

use super::api::{self, Handle};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{self, Function},
};

/// A handle with its key; taking a tag starts the next message.
pub(super) struct Mac {
    api: api::Mac,
    handle: Handle,
    sound: bool,
}

impl Mac {
    pub(super) fn new(
        library: &'static Library,
        algorithm: c_int,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::Mac::load(library)?;
        let mut handle = null_mut();
        let (start, len) = (key.as_ptr().cast(), key.len());
        // SAFETY: there is space for a handle, and the key has the given length.
        let done = unsafe { (api.gnutls_hmac_init)(&mut handle, algorithm, start, len) };
        match done {
            0 => Ok(Self { api, handle, sound: true }),
            _ => Err(Unavailable("gnutls_hmac_init failed".into())),
        }
    }
}

impl jobs::Hash for Mac {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        self.sound = true;
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        let mut rest = [0_u8; 64];
        // SAFETY: the handle is open, and no tag takes more bytes.
        unsafe { (self.api.gnutls_hmac_output)(self.handle, rest.as_mut_ptr().cast()) }
        self.sound = true;
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the handle is open, and the text has the given length.
        let done = unsafe { (self.api.gnutls_hmac)(self.handle, text.as_ptr().cast(), text.len()) };
        self.sound &= done == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the handle is open, and a tag of the algorithm is as long as its buffer.
        unsafe { (self.api.gnutls_hmac_output)(self.handle, digest.as_mut_ptr().cast()) }
        if !self.sound {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: the handle is open, nothing else uses it, and null takes no tag.
        unsafe { (self.api.gnutls_hmac_deinit)(self.handle, null_mut()) }
    }
}

/// A handle with its key; a nonce starts a message.
pub(super) struct Gmac(Mac);

impl Gmac {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        // `GNUTLS_MAC_AES_GMAC_128`, and those of longer keys after it.
        let algorithm = match key.len() {
            16 => 205,
            24 => 206,
            _ => 207,
        };
        Ok(Self(Mac::new(library, algorithm, key)?))
    }
}

impl jobs::Gmac for Gmac {
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        let Self(mac) = self;
        // SAFETY: the handle is open, and the nonce has twelve bytes.
        unsafe { (mac.api.gnutls_hmac_set_nonce)(mac.handle, nonce.as_ptr().cast(), 12) }
        jobs::Hash::message(mac, message, tag);
    }
}

/// `GNUTLS_MAC_SHA256`, and so on, as the header numbers them.
pub(super) fn algorithm(mac: tasks::Mac) -> Option<c_int> {
    Some(match mac {
        tasks::Mac::Cmac { key_len: 16 } => 203,
        tasks::Mac::Cmac { key_len: 32 } => 204,
        tasks::Mac::Hmac(Function::Md5) => 2,
        tasks::Mac::Hmac(Function::Sha1) => 3,
        tasks::Mac::Hmac(Function::Sha256) => 6,
        tasks::Mac::Hmac(Function::Sha384) => 7,
        tasks::Mac::Hmac(Function::Sha512) => 8,
        tasks::Mac::Hmac(Function::Sha224) => 9,
        _ => return None,
    })
}
