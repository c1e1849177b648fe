//! HMAC and CMAC on one context that keeps its key; Poly1305 by its name.

use std::{
    ffi::c_void,
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{
    DEFAULT,
    api::{self, CMAC_CTX, EVP_CIPHER, EVP_MAC_CTX, HMAC_CTX},
    digest, evp, failed, made,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{Direction, Function},
};

/// HMAC. What was absorbed with the key is kept, and a message starts from there.
pub(super) struct Hmac {
    api: api::Hmac,
    ctx: *mut HMAC_CTX,
    sound: bool,
}

impl Hmac {
    pub(super) fn new(
        library: &'static Library,
        of: Function,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let (api, hash) = (api::Hmac::load(library)?, digest::function(library, of)?);
        // SAFETY: it takes nothing.
        let ctx = made(unsafe { (api.HMAC_CTX_new)() }, "HMAC_CTX_new")?;
        // From here on, dropping frees the context.
        let hmac = Self { api, ctx, sound: true };
        let (start, len) = (key.as_ptr().cast(), key.len() as i32);
        // SAFETY: the context is alive, and the key is as long as it says.
        let done = unsafe { (api.HMAC_Init_ex)(ctx, start, len, hash, null_mut()) };
        if done == 1 { Ok(hmac) } else { Err(failed("HMAC_Init_ex")) }
    }
}

impl jobs::Hash for Hmac {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        // SAFETY: the context has its key and its hash function, and goes on with both.
        let done = unsafe { (self.api.HMAC_Init_ex)(self.ctx, null(), 0, null(), null_mut()) };
        self.sound = done == 1;
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text is as long as it says.
        let done = unsafe { (self.api.HMAC_Update)(self.ctx, text.as_ptr(), text.len()) };
        self.sound &= done == 1;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let mut len = 0;
        // SAFETY: the context has been started, and a tag of the function is as long as its place.
        let done = unsafe { (self.api.HMAC_Final)(self.ctx, digest.as_mut_ptr(), &mut len) };
        if !(self.sound && done == 1) {
            // A failure must not pass for an answer.
            digest.fill(0);
        }
    }

    fn message_fresh(&mut self, key: &[u8], text: &[u8], digest: &mut [u8]) -> bool {
        let (start, len) = (key.as_ptr().cast(), key.len() as i32);
        // SAFETY: the context has its hash function, and the key is as long as it says.
        let done = unsafe { (self.api.HMAC_Init_ex)(self.ctx, start, len, null(), null_mut()) };
        self.sound = done == 1;
        jobs::Hash::update(self, text);
        self.finish(digest);
        self.sound
    }
}

impl Drop for Hmac {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nobody else has it.
        unsafe { (self.api.HMAC_CTX_free)(self.ctx) }
    }
}

/// AES-CMAC.
pub(super) struct Cmac {
    api: api::Cmac,
    reset: Option<api::ResetCmac>,
    cipher: *const EVP_CIPHER,
    ctx: *mut CMAC_CTX,
    sound: bool,
}

impl Cmac {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let (api, len) = (api::Cmac::load(library)?, key.len());
        let cipher = evp::Evp::new(library, evp::Mode::Cbc, Direction::Encrypt, len)?.cipher();
        // SAFETY: it takes nothing.
        let ctx = made(unsafe { (api.CMAC_CTX_new)() }, "CMAC_CTX_new")?;
        // From here on, dropping frees the context.
        let reset = api::ResetCmac::load(library).ok();
        let cmac = Self { api, reset, cipher, ctx, sound: true };
        let start = key.as_ptr().cast::<c_void>();
        // SAFETY: the context is alive, and the key has the length of the cipher.
        let done = unsafe { (api.CMAC_Init)(ctx, start, len, cipher, null_mut()) };
        if done == 1 { Ok(cmac) } else { Err(failed("CMAC_Init")) }
    }
}

impl jobs::Hash for Cmac {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        let done = match self.reset {
            // SAFETY: the context has its key.
            Some(api) => unsafe { (api.CMAC_Reset)(self.ctx) },
            // SAFETY: as above; it goes on with what it has.
            None => unsafe { (self.api.CMAC_Init)(self.ctx, null(), 0, null(), null_mut()) },
        };
        self.sound = done == 1;
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text is as long as it says.
        let done = unsafe { (self.api.CMAC_Update)(self.ctx, text.as_ptr().cast(), text.len()) };
        self.sound &= done == 1;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let (mut tag, mut len) = ([0; 16], 0);
        // SAFETY: the context has been started, and a tag takes sixteen bytes.
        let done = unsafe { (self.api.CMAC_Final)(self.ctx, tag.as_mut_ptr(), &mut len) };
        if !(self.sound && done == 1) {
            tag.fill(0);
        }
        digest.copy_from_slice(&tag[..digest.len()]);
    }

    fn message_fresh(&mut self, key: &[u8], text: &[u8], digest: &mut [u8]) -> bool {
        let (start, len) = (key.as_ptr().cast::<c_void>(), key.len());
        // BoringSSL asks for the cipher again.
        // SAFETY: the context is alive, and the key has the length of the cipher.
        let done = unsafe { (self.api.CMAC_Init)(self.ctx, start, len, self.cipher, null_mut()) };
        self.sound = done == 1;
        jobs::Hash::update(self, text);
        self.finish(digest);
        self.sound
    }
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nobody else has it.
        unsafe { (self.api.CMAC_CTX_free)(self.ctx) }
    }
}

/// Poly1305, whose key is taken for each message.
pub(super) struct Poly1305 {
    api: api::FetchMac,
    key: [u8; 32],
    ctx: *mut EVP_MAC_CTX,
    sound: bool,
}

impl Poly1305 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::FetchMac::load(library)?;
        // SAFETY: the name is a string, and null stands for the default of the others. It is never
        // freed, for the library keeps it anyway.
        let mac = unsafe { (api.EVP_MAC_fetch)(null_mut(), c"POLY1305".as_ptr(), DEFAULT) };
        // SAFETY: the algorithm is alive.
        let ctx = unsafe { (api.EVP_MAC_CTX_new)(made(mac, "EVP_MAC_fetch")?) };
        let key = key.try_into().expect("32 bytes");
        let mut made = Self { api, key, ctx: made(ctx, "EVP_MAC_CTX_new")?, sound: true };
        jobs::Hash::start(&mut made);
        if made.sound { Ok(made) } else { Err(failed("EVP_MAC_init")) }
    }
}

impl jobs::Hash for Poly1305 {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        // SAFETY: the context is alive, and the key has 32 bytes.
        let done = unsafe { (self.api.EVP_MAC_init)(self.ctx, self.key.as_ptr(), 32, null()) };
        self.sound = done == 1;
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text is as long as it says.
        let done = unsafe { (self.api.EVP_MAC_update)(self.ctx, text.as_ptr(), text.len()) };
        self.sound &= done == 1;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let mut len = 0;
        // SAFETY: the context has been started, and there is room for so many bytes.
        let done = unsafe {
            (self.api.EVP_MAC_final)(self.ctx, digest.as_mut_ptr(), &mut len, digest.len())
        };
        if !(self.sound && done == 1 && len == digest.len()) {
            // A failure must not pass for an answer.
            digest.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}

impl Drop for Poly1305 {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nobody else has it.
        unsafe { (self.api.EVP_MAC_CTX_free)(self.ctx) }
    }
}
