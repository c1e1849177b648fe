//! HMAC, CMAC, Poly1305 and GMAC.

use std::{ffi::c_int, ptr::null_mut};

use libloading::os::unix::Library;

use super::{
    api::{self, GCRYCTL_RESET, Handle},
    digest,
};
use crate::{
    peers::{Unavailable, find, jobs},
    tasks::{self, Function},
};

/// A handle with its key; it is reset for each message.
pub(super) struct Mac {
    api: api::Mac,
    handle: Handle,
    key: Option<[u8; 32]>,
}

impl Mac {
    pub(super) fn new(
        library: &'static Library,
        mac: tasks::Mac,
        algorithm: c_int,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let mut made = Self::open(library, algorithm, key)?;
        if mac == tasks::Mac::Poly1305 {
            made.key = Some(key.try_into().expect("32 bytes"));
        }
        Ok(made)
    }

    fn open(library: &'static Library, algorithm: c_int, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::Mac::load(library)?;
        let mut handle = null_mut();
        // SAFETY: there is space for a handle.
        let done = unsafe { (api.gcry_mac_open)(&mut handle, algorithm, 0, null_mut()) };
        if done != 0 {
            return Err(Unavailable("gcry_mac_open failed".into()));
        }
        // From here on, dropping closes the handle.
        let made = Self { api, handle, key: None };
        match made.set_key(key) {
            true => Ok(made),
            false => Err(Unavailable("gcry_mac_setkey failed".into())),
        }
    }

    fn set_key(&self, key: &[u8]) -> bool {
        // SAFETY: the handle is open, and the key has the given length.
        unsafe { (self.api.gcry_mac_setkey)(self.handle, key.as_ptr().cast(), key.len()) == 0 }
    }
}

impl jobs::Hash for Mac {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        match self.key {
            Some(key) => assert!(self.set_key(&key), "it takes a key again"),
            // SAFETY: the handle is open.
            None => unsafe {
                (self.api.gcry_mac_ctl)(self.handle, GCRYCTL_RESET, null_mut(), 0);
            },
        }
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the handle is open, and the text has the given length.
        unsafe { (self.api.gcry_mac_write)(self.handle, text.as_ptr().cast(), text.len()) };
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let mut len = digest.len();
        // SAFETY: the handle is open, and there is space for that many bytes.
        let done =
            unsafe { (self.api.gcry_mac_read)(self.handle, digest.as_mut_ptr().cast(), &mut len) };
        if done != 0 || len != digest.len() {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    /// A message is reset anyway: CMAC would continue with its state.
    fn rekey(&mut self, key: &[u8]) -> bool {
        match &mut self.key {
            Some(once) => {
                once.copy_from_slice(key);
                true
            }
            None => self.set_key(key),
        }
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nothing else uses it.
        unsafe { (self.api.gcry_mac_close)(self.handle) }
    }
}

/// A handle with its key; a nonce starts a message.
pub(super) struct Gmac {
    mac: Mac,
    nonce: api::MacNonce,
}

impl Gmac {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        const GCRY_MAC_GMAC_AES: c_int = 401;
        let mac = Mac::open(library, GCRY_MAC_GMAC_AES, key)?;
        Ok(Self { mac, nonce: api::MacNonce::load(library)? })
    }
}

impl jobs::Gmac for Gmac {
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        // SAFETY: the handle is open, and the nonce has twelve bytes.
        let started =
            unsafe { (self.nonce.gcry_mac_setiv)(self.mac.handle, nonce.as_ptr().cast(), 12) };
        jobs::Hash::update(&mut self.mac, message);
        jobs::Hash::finish(&mut self.mac, tag);
        if started != 0 {
            tag.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.mac.set_key(key)
    }
}

/// `GCRY_MAC_HMAC_SHA256`, and so on.
pub(super) fn algorithm(mac: tasks::Mac) -> Option<c_int> {
    Some(match mac {
        tasks::Mac::Cmac { .. } => 201,
        tasks::Mac::Poly1305 => 501,
        tasks::Mac::Hmac(function) => return hmac(function),
    })
}

/// `GCRY_MAC_HMAC_SHA256`, and so on.
pub(super) fn hmac(function: Function) -> Option<c_int> {
    find(digest::ALGORITHMS, function)?.1
}
