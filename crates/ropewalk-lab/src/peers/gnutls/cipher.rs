//! AES-CBC, AES-XTS, ChaCha20, triple DES and RC4, in place.

use std::{
    ffi::c_int,
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::api::{self, Datum, Handle};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// A handle of one mode with its key. It works in both directions.
pub(super) struct Cipher {
    api: api::Cipher,
    handle: Handle,
    direction: Direction,
}

impl Cipher {
    pub(super) fn new(
        library: &'static Library,
        algorithm: c_int,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::Cipher::load(library)?;
        let mut handle = null_mut();
        // SAFETY: there is space for a handle, and the key has the given length. The vector comes
        // with each message.
        let done =
            unsafe { (api.gnutls_cipher_init)(&mut handle, algorithm, &Datum::of(key), null()) };
        match done {
            0 => Ok(Self { api, handle, direction }),
            _ => Err(Unavailable("gnutls_cipher_init failed".into())),
        }
    }

    fn set_iv(&mut self, iv: &[u8; 16]) {
        self.set_iv_of(iv, iv.len());
    }

    /// Sets the bytes of the vector that the cipher uses.
    fn set_iv_of(&mut self, iv: &[u8; 16], len: usize) {
        assert!(len <= iv.len(), "bytes that are there");
        // It takes a mutable pointer, and does not write.
        let mut iv = *iv;
        // SAFETY: the handle is open, and the vector has as many bytes at least.
        unsafe { (self.api.gnutls_cipher_set_iv)(self.handle, iv.as_mut_ptr().cast(), len) }
    }

    fn crypt(&mut self, text: &mut [u8]) {
        let crypt = match self.direction {
            Direction::Encrypt => self.api.gnutls_cipher_encrypt,
            Direction::Decrypt => self.api.gnutls_cipher_decrypt,
        };
        // SAFETY: the handle is open, and the text has the given length.
        let done = unsafe { crypt(self.handle, text.as_mut_ptr().cast(), text.len()) };
        if done != 0 {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }
}

/// AES-CBC, and AES-XTS with the tweak as vector.
impl jobs::Cbc for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.set_iv(iv);
        self.crypt(text);
    }
}

/// Triple DES in CBC mode.
pub(super) struct TripleDes(pub(super) Cipher);

impl jobs::Cbc for TripleDes {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.0.set_iv_of(iv, 8);
        self.0.crypt(text);
    }
}

/// RC4: no function gives a handle another key.
pub(super) struct Rc4 {
    library: &'static Library,
    key: Vec<u8>,
    /// None if it could not be made.
    cipher: Option<Cipher>,
}

impl Rc4 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        Ok(Self { cipher: Some(Self::fresh(library, key)?), library, key: key.to_vec() })
    }

    fn fresh(library: &'static Library, key: &[u8]) -> Result<Cipher, Unavailable> {
        const ARCFOUR_128: c_int = 2;
        Cipher::new(library, ARCFOUR_128, Direction::Encrypt, key)
    }
}

impl jobs::Ctr for Rc4 {
    const NOTE: &str = "gives a handle no other key: a new one for each message counts";

    fn start(&mut self, _: &[u8; 16]) {
        self.cipher = Self::fresh(self.library, &self.key).ok();
    }

    fn update(&mut self, text: &mut [u8]) {
        match &mut self.cipher {
            Some(cipher) => cipher.crypt(text),
            None => text.fill(0),
        }
    }
}

/// ChaCha20, with the library's vector: a counter, and a nonce.
impl jobs::Ctr for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.set_iv(iv);
        self.crypt(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.set_iv(iv);
    }

    fn update(&mut self, text: &mut [u8]) {
        self.crypt(text);
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nothing else uses it.
        unsafe { (self.api.gnutls_cipher_deinit)(self.handle) }
    }
}
