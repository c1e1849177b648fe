//! AES in counter mode, through `EVP_Encrypt*` in place on one context.
//!
//! There is no `EVP_EncryptFinal_ex`: in counter mode, nothing is left for it to do.

use std::{
    ffi::{CStr, c_int},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{
    DEFAULT,
    api::{self, EVP_CIPHER, EVP_CIPHER_CTX},
    failed, made,
};
use crate::peers::{Unavailable, jobs};

/// A context that has its cipher and its key.
pub(super) struct Ctr {
    api: api::Cipher,
    /// Only where it is `EVP_EncryptInit_ex2` that starts messages.
    since_3: Option<api::FetchCipher>,
    ctx: *mut EVP_CIPHER_CTX,
    /// Whether the last start did what it should.
    started: bool,
}

impl Ctr {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::Cipher::load(library)?;
        let since_3 = api::FetchCipher::load(library).ok();
        let cipher = match since_3 {
            Some(since_3) => fetched(since_3, key.len())?,
            None => built_in(library, key.len())?,
        };
        // SAFETY: it takes nothing.
        let ctx = unsafe { (api.EVP_CIPHER_CTX_new)() };
        // From here on, dropping frees the context.
        let ctr = Self { api, since_3, ctx: made(ctx, "EVP_CIPHER_CTX_new")?, started: false };
        // SAFETY: the context is alive, and the key is as long as the cipher's name says; no
        // counter block is given yet.
        let done =
            unsafe { (api.EVP_EncryptInit_ex)(ctr.ctx, cipher, null_mut(), key.as_ptr(), null()) };
        if done == 1 { Ok(ctr) } else { Err(failed("EVP_EncryptInit_ex")) }
    }
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        let done = match self.since_3 {
            // SAFETY: the context has its cipher and key, and AES takes a counter block of 16
            // bytes.
            Some(api) => unsafe {
                (api.EVP_EncryptInit_ex2)(self.ctx, null(), null(), iv.as_ptr(), null())
            },
            // SAFETY: as above.
            None => unsafe {
                (self.api.EVP_EncryptInit_ex)(self.ctx, null(), null_mut(), null(), iv.as_ptr())
            },
        };
        self.started = done == 1;
    }

    fn update(&mut self, text: &mut [u8]) {
        if !self.started {
            // A failure must not pass for an answer.
            text.fill(0);
            return;
        }
        for piece in text.chunks_mut(PIECE) {
            let start = piece.as_mut_ptr();
            let (mut written, len) = (0, piece.len() as c_int);
            // SAFETY: the context has been started, the piece is `len` bytes long, and counter
            // mode puts out as many bytes as it takes.
            let done =
                unsafe { (self.api.EVP_EncryptUpdate)(self.ctx, start, &mut written, start, len) };
            if !(done == 1 && written == len) {
                piece.fill(0);
            }
        }
    }
}

impl Drop for Ctr {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nobody else has it.
        unsafe { (self.api.EVP_CIPHER_CTX_free)(self.ctx) }
    }
}

/// The most that a length of type `int` can say. Tests make it small, to go through several.
const PIECE: usize = if cfg!(test) { 1000 } else { c_int::MAX as usize };

/// It is never freed, for the library keeps it anyway.
fn fetched(api: api::FetchCipher, key_len: usize) -> Result<*const EVP_CIPHER, Unavailable> {
    let name: &CStr = match key_len {
        16 => c"AES-128-CTR",
        24 => c"AES-192-CTR",
        _ => c"AES-256-CTR",
    };
    // SAFETY: the name is a string, and null stands for the default of the others.
    let cipher = unsafe { (api.EVP_CIPHER_fetch)(null_mut(), name.as_ptr(), DEFAULT) };
    Ok(made(cipher, "EVP_CIPHER_fetch")?)
}

fn built_in(library: &'static Library, key_len: usize) -> Result<*const EVP_CIPHER, Unavailable> {
    let api = api::AesCtr::load(library)?;
    let cipher = match key_len {
        16 => api.EVP_aes_128_ctr,
        24 => api.EVP_aes_192_ctr,
        _ => api.EVP_aes_256_ctr,
    };
    // SAFETY: it takes nothing.
    Ok(unsafe { cipher() })
}

#[cfg(test)]
mod tests {
    use ropewalk::aes_ctr::{Counter, Key};

    use super::*;
    use crate::peers::{dl, jobs::Ctr as _};

    /// Pieces join without a seam, wherever in a block they end.
    #[test]
    fn long_text_goes_in_pieces() {
        let libraries = ["libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1"];
        let Some(library) = libraries.iter().find_map(|name| dl::open(name).ok()) else {
            return;
        };
        let (key, iv, mut text, mut right) =
            ([1; 16], [2; 16], [3; 2 * PIECE + 5], [3; 2 * PIECE + 5]);
        let mut ctr = Ctr::new(library, &key).unwrap();
        ctr.message(&iv, &mut text);
        let key = Key::new(&key).unwrap();
        key.apply_keystream(Counter::Bits128, &iv, &mut right).unwrap();
        assert!(text == right);
    }
}
