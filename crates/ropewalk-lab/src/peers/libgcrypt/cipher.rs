//! Handles of ciphers, in place.

use std::{
    ffi::c_int,
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::api::{
    self, GCRY_CIPHER_AES, GCRY_CIPHER_AES192, GCRY_CIPHER_AES256, GCRY_CIPHER_ARCFOUR,
    GCRY_CIPHER_CHACHA20, Handle, POLY1305, STREAM, XTS,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// A handle of one mode with its key.
pub(super) struct Cipher {
    pub(super) api: api::Cipher,
    pub(super) handle: Handle,
    /// Whether every call since the start has succeeded.
    pub(super) sound: bool,
}

impl Cipher {
    pub(super) fn new(
        library: &'static Library,
        mode: c_int,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let algorithm = match (mode, key.len()) {
            (STREAM | POLY1305, _) => GCRY_CIPHER_CHACHA20,
            (XTS, 32) | (_, 16) => GCRY_CIPHER_AES,
            (_, 24) => GCRY_CIPHER_AES192,
            _ => GCRY_CIPHER_AES256,
        };
        Self::of(library, algorithm, mode, key)
    }

    /// A handle of another cipher.
    pub(super) fn of(
        library: &'static Library,
        algorithm: c_int,
        mode: c_int,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::Cipher::load(library)?;
        let mut handle = null_mut();
        // SAFETY: there is space for a handle.
        let done = unsafe { (api.gcry_cipher_open)(&mut handle, algorithm, mode, 0) };
        if done != 0 {
            return Err(Unavailable("gcry_cipher_open failed".into()));
        }
        // From here on, dropping closes the handle.
        let mut cipher = Self { api, handle, sound: true };
        match cipher.set_key(key) {
            true => Ok(cipher),
            false => Err(Unavailable("gcry_cipher_setkey failed".into())),
        }
    }

    pub(super) fn encrypt(&mut self, text: &mut [u8]) {
        // It refuses to write zero bytes.
        if text.is_empty() {
            return;
        }
        // SAFETY: the handle is open, and no input means in place.
        let done = unsafe {
            let text = (text.as_mut_ptr().cast(), text.len());
            (self.api.gcry_cipher_encrypt)(self.handle, text.0, text.1, null(), 0)
        };
        self.sound &= done == 0;
        if !self.sound {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }

    pub(super) fn set_iv(&mut self, iv: &[u8]) {
        // SAFETY: the handle is open, and the vector has the given length. It starts a message.
        let done =
            unsafe { (self.api.gcry_cipher_setiv)(self.handle, iv.as_ptr().cast(), iv.len()) };
        self.sound = done == 0;
    }

    pub(super) fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the handle is open, and the key has the given length.
        unsafe { (self.api.gcry_cipher_setkey)(self.handle, key.as_ptr().cast(), key.len()) == 0 }
    }

    pub(super) fn authenticate(&mut self, aad: &[u8]) {
        let data = aad.as_ptr().cast();
        // SAFETY: the handle is open, and the data has the given length.
        let read = unsafe { (self.api.gcry_cipher_authenticate)(self.handle, data, aad.len()) };
        self.sound &= read == 0;
    }

    /// The tag of the encrypted message.
    pub(super) fn get_tag(&mut self, text: &mut [u8], tag: &mut [u8; 16]) {
        let place = tag.as_mut_ptr().cast();
        // SAFETY: the handle is open, and there is space for a whole tag.
        let got = unsafe { (self.api.gcry_cipher_gettag)(self.handle, place, 16) };
        if !(self.sound && got == 0) {
            text.fill(0);
            tag.fill(0);
        }
    }

    /// Whether it is the tag of the decrypted message.
    pub(super) fn is_tag(&self, tag: &[u8; 16]) -> bool {
        let place = tag.as_ptr().cast();
        // SAFETY: the handle is open, and the tag is whole.
        let right = unsafe { (self.api.gcry_cipher_checktag)(self.handle, place, 16) };
        self.sound && right == 0
    }

    /// To another buffer, or in place if it is null.
    pub(super) fn decrypt(&mut self, out: &mut [u8], text: Option<&[u8]>) {
        if out.is_empty() {
            return;
        }
        let (place, len) = (out.as_mut_ptr().cast(), out.len());
        let (start, text_len) = text.map_or((null(), 0), |text| (text.as_ptr().cast(), text.len()));
        // SAFETY: the handle is open, and both have the given lengths.
        let done =
            unsafe { (self.api.gcry_cipher_decrypt)(self.handle, place, len, start, text_len) };
        self.sound &= done == 0;
        if !self.sound {
            out.fill(0);
        }
    }
}

impl jobs::Ctr for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        jobs::Ctr::start(self, iv);
        self.encrypt(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        // SAFETY: the handle is open, and a counter block has sixteen bytes. It drops the rest of an earlier
        // block of key stream.
        let done = unsafe { (self.api.gcry_cipher_setctr)(self.handle, iv.as_ptr().cast(), 16) };
        self.sound = done == 0;
    }

    fn update(&mut self, text: &mut [u8]) {
        self.encrypt(text);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key)
    }
}

/// With the library's vector: a counter, and a nonce.
pub(super) struct ChaCha(pub(super) Cipher);

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.0.set_iv(iv);
        self.0.encrypt(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.0.set_iv(iv);
    }

    fn update(&mut self, text: &mut [u8]) {
        self.0.encrypt(text);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.set_key(key)
    }
}

/// Its key starts a message.
pub(super) struct Rc4 {
    cipher: Cipher,
    key: Vec<u8>,
}

impl Rc4 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        Ok(Self {
            cipher: Cipher::of(library, GCRY_CIPHER_ARCFOUR, STREAM, key)?,
            key: key.to_vec(),
        })
    }
}

impl jobs::Ctr for Rc4 {
    fn start(&mut self, _: &[u8; 16]) {
        self.cipher.sound = self.cipher.set_key(&self.key);
    }

    fn update(&mut self, text: &mut [u8]) {
        self.cipher.encrypt(text);
    }
}

/// A handle without a start works in both directions.
pub(super) struct Ecb {
    pub(super) cipher: Cipher,
    pub(super) direction: Direction,
}

impl jobs::Cbc for Ecb {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        match self.direction {
            Direction::Encrypt => self.cipher.encrypt(text),
            Direction::Decrypt => self.cipher.decrypt(text, None),
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.cipher.set_key(key)
    }
}

/// A handle in CBC mode works in both directions; so does one of XTS. `IV` is the length of a vector.
pub(super) struct Cbc<const IV: usize = 16> {
    pub(super) cipher: Cipher,
    pub(super) direction: Direction,
}

impl<const IV: usize> jobs::Cbc for Cbc<IV> {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.cipher.set_iv(&iv[..IV]);
        match self.direction {
            Direction::Encrypt => self.cipher.encrypt(text),
            Direction::Decrypt => self.cipher.decrypt(text, None),
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.cipher.set_key(key)
    }
}

/// A handle of key wrap works in both directions, and needs no start.
pub(super) struct KeyWrap(pub(super) Cipher);

impl jobs::KeyWrap for KeyWrap {
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        let (place, room) = (wrapped.as_mut_ptr().cast(), wrapped.len());
        let start = key.as_ptr().cast();
        // SAFETY: the handle is open, and both have the given lengths.
        let done = unsafe {
            (self.0.api.gcry_cipher_encrypt)(self.0.handle, place, room, start, key.len())
        };
        if done != 0 {
            // A failed call must not look like an answer.
            wrapped.fill(0);
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        self.0.sound = true;
        self.0.decrypt(key, Some(wrapped));
        self.0.sound
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.set_key(key)
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nothing else uses it.
        unsafe { (self.api.gcry_cipher_close)(self.handle) }
    }
}
