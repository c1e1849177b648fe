//! AES-CBC, AES-XTS and ChaCha20, in place.

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

/// A handle of one mode that has its key. It goes both ways.
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
        // SAFETY: there is room for a handle, and the key is as long as it says. The vector comes
        // with each message.
        let done =
            unsafe { (api.gnutls_cipher_init)(&mut handle, algorithm, &Datum::of(key), null()) };
        match done {
            0 => Ok(Self { api, handle, direction }),
            _ => Err(Unavailable("gnutls_cipher_init failed".into())),
        }
    }

    fn set_iv(&mut self, iv: &[u8; 16]) {
        // It asks for a vector that it could write to, and does not.
        let mut iv = *iv;
        // SAFETY: the handle is open, and a vector has sixteen bytes.
        unsafe { (self.api.gnutls_cipher_set_iv)(self.handle, iv.as_mut_ptr().cast(), 16) }
    }

    fn crypt(&mut self, text: &mut [u8]) {
        let crypt = match self.direction {
            Direction::Encrypt => self.api.gnutls_cipher_encrypt,
            Direction::Decrypt => self.api.gnutls_cipher_decrypt,
        };
        // SAFETY: the handle is open, and the text is as long as it says.
        let done = unsafe { crypt(self.handle, text.as_mut_ptr().cast(), text.len()) };
        if done != 0 {
            // A failure must not pass for an answer.
            text.fill(0);
        }
    }
}

/// AES-CBC, and AES-XTS with the tweak for a vector.
impl jobs::Cbc for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.set_iv(iv);
        self.crypt(text);
    }
}

/// ChaCha20, whose vector is that of the library: a counter, and a nonce.
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
        // SAFETY: the handle is open, and nobody else has it.
        unsafe { (self.api.gnutls_cipher_deinit)(self.handle) }
    }
}
