//! AES-GCM, through `EVP_Encrypt*` in place on one context that keeps its key.

use std::{
    ffi::{CStr, c_int, c_void},
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
pub(super) struct Gcm {
    api: api::Cipher,
    authenticated: api::Authenticated,
    /// Only where it is `EVP_EncryptInit_ex2` that starts messages.
    since_3: Option<api::FetchCipher>,
    ctx: *mut EVP_CIPHER_CTX,
}

impl Gcm {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::Cipher::load(library)?;
        let authenticated = api::Authenticated::load(library)?;
        let since_3 = api::FetchCipher::load(library).ok();
        let cipher = match since_3 {
            Some(since_3) => fetched(since_3, key.len())?,
            None => built_in(library, key.len())?,
        };
        // SAFETY: it takes nothing.
        let ctx = unsafe { (api.EVP_CIPHER_CTX_new)() };
        // From here on, dropping frees the context.
        let gcm = Self { api, authenticated, since_3, ctx: made(ctx, "EVP_CIPHER_CTX_new")? };
        // SAFETY: the context is alive, and the key is as long as the cipher's name says; no nonce
        // is given yet, and twelve bytes are what it takes unless told otherwise.
        let done =
            unsafe { (api.EVP_EncryptInit_ex)(gcm.ctx, cipher, null_mut(), key.as_ptr(), null()) };
        if done == 1 { Ok(gcm) } else { Err(failed("EVP_EncryptInit_ex")) }
    }

    fn start(&self, nonce: &[u8; 12]) -> bool {
        let done = match self.since_3 {
            // SAFETY: the context has its cipher and key, and takes a nonce of twelve bytes.
            Some(api) => unsafe {
                (api.EVP_EncryptInit_ex2)(self.ctx, null(), null(), nonce.as_ptr(), null())
            },
            // SAFETY: as above.
            None => unsafe {
                (self.api.EVP_EncryptInit_ex)(self.ctx, null(), null_mut(), null(), nonce.as_ptr())
            },
        };
        done == 1
    }

    fn aad(&self, aad: &[u8]) -> bool {
        let (mut read, len) = (0, aad.len() as c_int);
        // SAFETY: the context has been started, the data is `len` bytes long, and nothing is
        // written where there is no place for it.
        let done = unsafe {
            (self.api.EVP_EncryptUpdate)(self.ctx, null_mut(), &mut read, aad.as_ptr(), len)
        };
        done == 1
    }

    fn text(&self, text: &mut [u8]) -> bool {
        text.chunks_mut(c_int::MAX as usize).all(|piece| {
            let start = piece.as_mut_ptr();
            let (mut written, len) = (0, piece.len() as c_int);
            // SAFETY: the context has been started, the piece is `len` bytes long, and this mode
            // puts out as many bytes as it takes.
            let done =
                unsafe { (self.api.EVP_EncryptUpdate)(self.ctx, start, &mut written, start, len) };
            done == 1 && written == len
        })
    }

    fn tag(&self, tag: &mut [u8; 16]) -> bool {
        let (mut nothing, mut written) = ([0; 16], 0);
        // SAFETY: the context has been started, and there is room for a block.
        let done = unsafe {
            (self.authenticated.EVP_EncryptFinal_ex)(self.ctx, nothing.as_mut_ptr(), &mut written)
        };
        let place = tag.as_mut_ptr().cast::<c_void>();
        // SAFETY: the context has been ended, and there is room for the sixteen bytes asked for.
        let got = unsafe {
            (self.authenticated.EVP_CIPHER_CTX_ctrl)(self.ctx, EVP_CTRL_AEAD_GET_TAG, 16, place)
        };
        done == 1 && got == 1
    }
}

impl jobs::Aead for Gcm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        if !(self.start(nonce) && self.aad(aad) && self.text(text) && self.tag(tag)) {
            // A failure must not pass for an answer.
            text.fill(0);
            tag.fill(0);
        }
    }
}

impl Drop for Gcm {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nobody else has it.
        unsafe { (self.api.EVP_CIPHER_CTX_free)(self.ctx) }
    }
}

/// The same number in each library of the family.
const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;

/// It is never freed, for the library keeps it anyway.
fn fetched(api: api::FetchCipher, key_len: usize) -> Result<*const EVP_CIPHER, Unavailable> {
    let name: &CStr = match key_len {
        16 => c"AES-128-GCM",
        24 => c"AES-192-GCM",
        _ => c"AES-256-GCM",
    };
    // SAFETY: the name is a string, and null stands for the default of the others.
    let cipher = unsafe { (api.EVP_CIPHER_fetch)(null_mut(), name.as_ptr(), DEFAULT) };
    Ok(made(cipher, "EVP_CIPHER_fetch")?)
}

fn built_in(library: &'static Library, key_len: usize) -> Result<*const EVP_CIPHER, Unavailable> {
    let api = api::AesGcm::load(library)?;
    let cipher = match key_len {
        16 => api.EVP_aes_128_gcm,
        24 => api.EVP_aes_192_gcm,
        _ => api.EVP_aes_256_gcm,
    };
    // SAFETY: it takes nothing.
    Ok(unsafe { cipher() })
}
