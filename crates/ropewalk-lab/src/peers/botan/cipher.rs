//! AES in its modes, and ChaCha20; AES key wrap.

use std::{ffi::CString, ptr::null_mut};

use libloading::os::unix::Library;

use super::{
    api::{self, Handle},
    c_string, made,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// A mode with its key.
pub(super) struct Cipher {
    pub(super) api: api::Cipher,
    pub(super) handle: Handle,
}

impl Cipher {
    pub(super) fn new(
        library: &'static Library,
        name: &str,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::Cipher::load(library)?;
        let flag = match direction {
            Direction::Encrypt => api::BOTAN_CIPHER_INIT_FLAG_ENCRYPT,
            Direction::Decrypt => api::BOTAN_CIPHER_INIT_FLAG_DECRYPT,
        };
        let (c_name, mut handle) = (c_string(name)?, null_mut());
        // SAFETY: there is space for a handle, and the name is a string.
        let done = unsafe { (api.botan_cipher_init)(&mut handle, c_name.as_ptr(), flag) };
        made(done, "botan_cipher_init", name)?;
        // From here on, dropping destroys the object.
        let cipher = Self { api, handle };
        match cipher.set_key(key) {
            true => Ok(cipher),
            false => Err(Unavailable("botan_cipher_set_key failed".into())),
        }
    }

    pub(super) fn set_key(&self, key: &[u8]) -> bool {
        // SAFETY: the object is alive, and the key has the given length.
        unsafe { (self.api.botan_cipher_set_key)(self.handle, key.as_ptr(), key.len()) == 0 }
    }

    pub(super) fn begin(&self, nonce: &[u8]) -> bool {
        // SAFETY: the object is alive, and the nonce has the given length.
        unsafe { (self.api.botan_cipher_start)(self.handle, nonce.as_ptr(), nonce.len()) == 0 }
    }

    /// Ends a message with `text`, and returns how many bytes it has written.
    pub(super) fn finish(&self, text: &[u8], out: &mut [u8]) -> Option<usize> {
        let start = out.as_mut_ptr();
        // SAFETY: the one has the given length, and so is the other.
        unsafe {
            self.put(
                api::BOTAN_CIPHER_UPDATE_FLAG_FINAL,
                text.as_ptr(),
                text.len(),
                start,
                out.len(),
            )
        }
    }

    /// Processes text in place, and returns whether all of it was processed.
    fn in_place(&self, flags: u32, text: &mut [u8]) -> bool {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: the text has that many bytes; the output is copied there last.
        unsafe { self.put(flags, start, len, start, len) == Some(len) }
    }

    /// # Safety
    /// There must be `len` bytes to read, and `out_len` to write.
    unsafe fn put(
        &self,
        flags: u32,
        text: *const u8,
        len: usize,
        out: *mut u8,
        out_len: usize,
    ) -> Option<usize> {
        let (mut written, mut consumed) = (0, 0);
        // SAFETY: the object is alive; the rest is as the caller promises.
        let done = unsafe {
            (self.api.botan_cipher_update)(
                self.handle,
                flags,
                out,
                out_len,
                &mut written,
                text,
                len,
                &mut consumed,
            )
        };
        (done == 0 && consumed == len).then_some(written)
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and nothing else uses it.
        unsafe { (self.api.botan_cipher_destroy)(self.handle) };
    }
}

impl jobs::Ctr for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        jobs::Cbc::message(self, iv, text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        assert!(self.begin(iv), "it takes a counter block");
    }

    fn update(&mut self, text: &mut [u8]) {
        if !self.in_place(0, text) {
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key)
    }
}

impl jobs::Cbc for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        if !(self.begin(iv) && self.in_place(api::BOTAN_CIPHER_UPDATE_FLAG_FINAL, text)) {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key)
    }
}

/// With a nonce of twelve bytes, its counter starts from zero, like the one in the vector.
pub(super) struct ChaCha(pub(super) Cipher);

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let cipher = &self.0;
        if !(cipher.begin(&iv[4..]) && cipher.in_place(api::BOTAN_CIPHER_UPDATE_FLAG_FINAL, text)) {
            text.fill(0);
        }
    }

    fn start(&mut self, iv: &[u8; 16]) {
        assert!(self.0.begin(&iv[4..]), "it takes a nonce");
    }

    fn update(&mut self, text: &mut [u8]) {
        jobs::Ctr::update(&mut self.0, text);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.set_key(key)
    }
}

/// Triple DES in CBC mode.
pub(super) struct TripleDes(pub(super) Cipher);

impl jobs::Cbc for TripleDes {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let cipher = &self.0;
        if !(cipher.begin(&iv[..8]) && cipher.in_place(api::BOTAN_CIPHER_UPDATE_FLAG_FINAL, text)) {
            text.fill(0);
        }
    }
}

/// RC4, whose key starts a message.
pub(super) struct Rc4 {
    cipher: Cipher,
    key: Vec<u8>,
    started: bool,
}

impl Rc4 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let cipher = Cipher::new(library, "RC4", Direction::Encrypt, key)?;
        Ok(Self { cipher, key: key.to_vec(), started: false })
    }
}

impl jobs::Ctr for Rc4 {
    fn start(&mut self, _: &[u8; 16]) {
        self.started = self.cipher.set_key(&self.key) && self.cipher.begin(&[]);
    }

    fn update(&mut self, text: &mut [u8]) {
        if !(self.started && self.cipher.in_place(0, text)) {
            text.fill(0);
        }
    }
}

/// A block cipher with its key, in place, without a copy.
pub(super) struct Ecb {
    api: api::Block,
    handle: Handle,
    direction: Direction,
}

impl Ecb {
    pub(super) fn new(
        library: &'static Library,
        name: &str,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::Block::load(library)?;
        let (c_name, mut handle) = (c_string(name)?, null_mut());
        // SAFETY: there is space for a handle, and the name is a string.
        let done = unsafe { (api.botan_block_cipher_init)(&mut handle, c_name.as_ptr()) };
        made(done, "botan_block_cipher_init", name)?;
        // From here on, dropping destroys the object.
        let cipher = Self { api, handle, direction };
        made(cipher.set_key(key), "botan_block_cipher_set_key", name)?;
        Ok(cipher)
    }

    fn set_key(&self, key: &[u8]) -> i32 {
        // SAFETY: the object is alive, and the key has the given length.
        unsafe { (self.api.botan_block_cipher_set_key)(self.handle, key.as_ptr(), key.len()) }
    }
}

impl jobs::Cbc for Ecb {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        let through = match self.direction {
            Direction::Encrypt => self.api.botan_block_cipher_encrypt_blocks,
            Direction::Decrypt => self.api.botan_block_cipher_decrypt_blocks,
        };
        let start = text.as_mut_ptr();
        // SAFETY: the object is alive, and there are so many blocks; they may be in place.
        let done = unsafe { through(self.handle, start, start, text.len() / 16) };
        if done != 0 {
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key) == 0
    }
}

impl Drop for Ecb {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and nothing else uses it.
        unsafe { (self.api.botan_block_cipher_destroy)(self.handle) };
    }
}

/// A key wrap, and the wrapping key.
pub(super) struct KeyWrap {
    api: Wraps,
    name: CString,
    key: Vec<u8>,
}

/// Version 3 deprecates the functions of version 2.
enum Wraps {
    Old(api::OldKeyWrap),
    New(api::KeyWrap),
}

impl KeyWrap {
    pub(super) fn new(
        library: &'static Library,
        name: &str,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = match api::KeyWrap::load(library) {
            Ok(api) => Wraps::New(api),
            Err(_) => Wraps::Old(api::OldKeyWrap::load(library)?),
        };
        Ok(Self { api, name: c_string(name)?, key: key.to_vec() })
    }
}

impl jobs::KeyWrap for KeyWrap {
    const NOTE: &str = "a key serves for one call: its round keys count";

    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        let (with, with_len) = (self.key.as_ptr(), self.key.len());
        let (start, len, place) = (key.as_ptr(), key.len(), wrapped.as_mut_ptr());
        let mut written = wrapped.len();
        let done = match &self.api {
            // SAFETY: keys have the given lengths, and there is space for `written` bytes.
            Wraps::Old(api) => unsafe {
                (api.botan_key_wrap3394)(start, len, with, with_len, place, &mut written)
            },
            // SAFETY: as above; the name is a string.
            Wraps::New(api) => unsafe {
                let name = self.name.as_ptr();
                (api.botan_nist_kw_enc)(name, 0, start, len, with, with_len, place, &mut written)
            },
        };
        if done != 0 || written != wrapped.len() {
            wrapped.fill(0);
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        let (with, with_len) = (self.key.as_ptr(), self.key.len());
        let (start, len, place) = (wrapped.as_ptr(), wrapped.len(), key.as_mut_ptr());
        let mut written = key.len();
        let done = match &self.api {
            // SAFETY: what is read has the given length, and there is space for `written` bytes.
            Wraps::Old(api) => unsafe {
                (api.botan_key_unwrap3394)(start, len, with, with_len, place, &mut written)
            },
            // SAFETY: as above; the name is a string.
            Wraps::New(api) => unsafe {
                let name = self.name.as_ptr();
                (api.botan_nist_kw_dec)(name, 0, start, len, with, with_len, place, &mut written)
            },
        };
        done == 0 && written == key.len()
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}
