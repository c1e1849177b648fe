//! HMAC, CMAC, Poly1305 and GMAC.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    api::{self, Handle},
    c_string, made,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Mac,
};

/// An object with its key; Poly1305 gets it for each message.
pub(super) struct Keyed {
    api: api::Mac,
    handle: Handle,
    once: Option<Vec<u8>>,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Keyed {
    pub(super) fn new(
        library: &'static Library,
        name: &str,
        mac: Mac,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let mut keyed = Self::with(library, name, key)?;
        keyed.once = (mac == Mac::Poly1305).then(|| key.to_vec());
        Ok(keyed)
    }

    fn with(library: &'static Library, name: &str, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::Mac::load(library)?;
        let (c_name, mut handle) = (c_string(name)?, null_mut());
        // SAFETY: there is space for a handle, and the name is a string.
        let done = unsafe { (api.botan_mac_init)(&mut handle, c_name.as_ptr(), 0) };
        made(done, "botan_mac_init", name)?;
        // From here on, dropping destroys the object.
        let keyed = Self { api, handle, once: None, sound: true };
        match keyed.set_key(key) {
            true => Ok(keyed),
            false => Err(Unavailable("botan_mac_set_key failed".into())),
        }
    }

    fn set_key(&self, key: &[u8]) -> bool {
        // SAFETY: the object is alive, and the key has the given length.
        unsafe { (self.api.botan_mac_set_key)(self.handle, key.as_ptr(), key.len()) == 0 }
    }
}

impl jobs::Hash for Keyed {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    /// Taking a tag, which ends a message, has started the next one.
    fn start(&mut self) {
        self.sound = self.once.as_ref().is_none_or(|key| self.set_key(key));
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the object is alive, and the text has the given length.
        let done = unsafe { (self.api.botan_mac_update)(self.handle, text.as_ptr(), text.len()) };
        self.sound &= done == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the object is alive, and a tag of the function is as long as its buffer.
        let done = unsafe { (self.api.botan_mac_final)(self.handle, digest.as_mut_ptr()) };
        if !(self.sound && done == 0) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        match &mut self.once {
            Some(once) => {
                once.copy_from_slice(key);
                true
            }
            None => self.set_key(key),
        }
    }
}

impl Drop for Keyed {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and nothing else uses it.
        unsafe { (self.api.botan_mac_destroy)(self.handle) };
    }
}

/// An object with its key; a nonce starts a message.
pub(super) struct Gmac {
    mac: Keyed,
    nonce: api::MacNonce,
}

impl Gmac {
    pub(super) fn new(
        library: &'static Library,
        nonce: api::MacNonce,
        aes: &str,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let mac = Keyed::with(library, &format!("GMAC({aes})"), key)?;
        Ok(Self { mac, nonce })
    }
}

impl jobs::Gmac for Gmac {
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        let set = self.nonce.botan_mac_set_nonce;
        // SAFETY: the object is alive, and the nonce has twelve bytes.
        self.mac.sound = unsafe { set(self.mac.handle, nonce.as_ptr(), nonce.len()) == 0 };
        jobs::Hash::update(&mut self.mac, message);
        jobs::Hash::finish(&mut self.mac, tag);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.mac.set_key(key)
    }
}
