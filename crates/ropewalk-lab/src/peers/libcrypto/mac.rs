//! HMAC and CMAC on one context that keeps its key; Poly1305, and those of a provider, by their names.

use std::{
    ffi::{CStr, c_void},
    ptr::{null, null_mut},
};

use super::{
    api::{self, CMAC_CTX, EVP_CIPHER, EVP_MAC, EVP_MAC_CTX, HMAC_CTX, OSSL_PARAM},
    digest, errors, evp, failed, made,
    source::{Source, c_string},
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{Direction, Function},
};

/// HMAC. The state after absorbing the key is kept, and each message starts from it.
pub(super) struct Hmac {
    api: api::Hmac,
    ctx: *mut HMAC_CTX,
    sound: bool,
}

impl Hmac {
    pub(super) fn new(source: Source, of: Function, key: &[u8]) -> Result<Self, Unavailable> {
        let (api, hash) = (api::Hmac::load(source.library)?, digest::function(source, of)?);
        // SAFETY: it takes no arguments.
        let ctx = made(unsafe { (api.HMAC_CTX_new)() }, "HMAC_CTX_new")?;
        // From here on, dropping frees the context.
        let hmac = Self { api, ctx, sound: true };
        let (start, len) = (key.as_ptr().cast(), key.len() as i32);
        errors::clear(source.library);
        // SAFETY: the context is alive, and the key has the given length; the engine is there, or null stands for the
        // library's choice.
        let done = unsafe { (api.HMAC_Init_ex)(ctx, start, len, hash, source.engine()) };
        match done {
            1 => Ok(hmac),
            _ if source.is_choice() => Err(failed("HMAC_Init_ex")),
            _ => Err(source.lacks("such HMAC")),
        }
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
        // SAFETY: the context has been started, and the text has the given length.
        let done = unsafe { (self.api.HMAC_Update)(self.ctx, text.as_ptr(), text.len()) };
        self.sound &= done == 1;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let mut len = 0;
        // SAFETY: the context has been started, and a tag of the function is as long as its buffer.
        let done = unsafe { (self.api.HMAC_Final)(self.ctx, digest.as_mut_ptr(), &mut len) };
        if !(self.sound && done == 1) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn message_fresh(&mut self, key: &[u8], text: &[u8], digest: &mut [u8]) -> bool {
        let (start, len) = (key.as_ptr().cast(), key.len() as i32);
        // SAFETY: the context has its hash function, and the key has the given length.
        let done = unsafe { (self.api.HMAC_Init_ex)(self.ctx, start, len, null(), null_mut()) };
        self.sound = done == 1;
        jobs::Hash::update(self, text);
        self.finish(digest);
        self.sound
    }
}

impl Drop for Hmac {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nothing else uses it.
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
    pub(super) fn new(source: Source, key: &[u8]) -> Result<Self, Unavailable> {
        let (api, len) = (api::Cmac::load(source.library)?, key.len());
        let cipher = evp::Evp::new(source, evp::Mode::Cbc, Direction::Encrypt, len)?.cipher();
        // SAFETY: it takes no arguments.
        let ctx = made(unsafe { (api.CMAC_CTX_new)() }, "CMAC_CTX_new")?;
        // From here on, dropping frees the context.
        let reset = api::ResetCmac::load(source.library).ok();
        let cmac = Self { api, reset, cipher, ctx, sound: true };
        let start = key.as_ptr().cast::<c_void>();
        errors::clear(source.library);
        // SAFETY: the context is alive, and the key has the length of the cipher; the engine is there, or null stands
        // for the library's choice.
        let done = unsafe { (api.CMAC_Init)(ctx, start, len, cipher, source.engine()) };
        match done {
            1 => Ok(cmac),
            _ if source.is_choice() => Err(failed("CMAC_Init")),
            _ => Err(source.lacks("such CMAC")),
        }
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
        // SAFETY: the context has been started, and the text has the given length.
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
        // BoringSSL requires the cipher again.
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
        // SAFETY: the context is alive, and nothing else uses it.
        unsafe { (self.api.CMAC_CTX_free)(self.ctx) }
    }
}

/// A MAC by its name.
pub(super) struct Fetched {
    api: api::FetchMac,
    /// The argument that starts a message: for Poly1305 its key, which is for one message; for others none.
    key: Option<[u8; 32]>,
    ctx: *mut EVP_MAC_CTX,
    sound: bool,
}

impl Fetched {
    /// Poly1305, whose key is set for each message.
    pub(super) fn poly1305(source: Source, key: &[u8]) -> Result<Self, Unavailable> {
        let mut made = Self::new(source, c"POLY1305")?;
        made.key = Some(key.try_into().expect("32 bytes"));
        jobs::Hash::start(&mut made);
        if made.sound { Ok(made) } else { Err(failed("EVP_MAC_init")) }
    }

    /// HMAC of a hash function.
    pub(super) fn hmac(source: Source, of: Function, key: &[u8]) -> Result<Self, Unavailable> {
        Self::of(source, c"HMAC", (c"digest", digest::name(of)?), key)
    }

    /// CMAC of AES.
    pub(super) fn cmac(source: Source, key: &[u8]) -> Result<Self, Unavailable> {
        let cipher = c_string(&format!("AES-{}-CBC", key.len() * 8))?;
        Self::of(source, c"CMAC", (c"cipher", &cipher), key)
    }

    /// A MAC with an underlying algorithm, with its key.
    fn of(
        source: Source,
        name: &CStr,
        (what, of): (&'static CStr, &CStr),
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let made = Self::new(source, name)?;
        errors::clear(source.library);
        let mut params = vec![OSSL_PARAM::string(what, of)];
        // A MAC fetches its underlying algorithm itself, and by default from any provider.
        params.extend(source.properties().map(|query| OSSL_PARAM::string(c"properties", query)));
        params.push(OSSL_PARAM::end());
        let (start, len) = (key.as_ptr(), key.len());
        // SAFETY: the context is alive, the key has the given length, and the parameters have an end.
        match unsafe { (made.api.EVP_MAC_init)(made.ctx, start, len, params.as_ptr()) } {
            1 => Ok(made),
            _ => {
                let (name, of) = (name.to_string_lossy(), of.to_string_lossy());
                Err(source.lacks(&format!("{name} of {of}")))
            }
        }
    }

    fn new(source: Source, name: &CStr) -> Result<Self, Unavailable> {
        let api = api::FetchMac::load(source.library)?;
        let mac = fetched(source, name)?;
        // SAFETY: the algorithm is alive.
        let ctx = unsafe { (api.EVP_MAC_CTX_new)(mac) };
        Ok(Self { api, key: None, ctx: made(ctx, "EVP_MAC_CTX_new")?, sound: true })
    }

    /// Starts a message, with another key or with the current one.
    fn begin(&mut self, key: Option<&[u8]>) {
        let (key, len) = key.map_or((null(), 0), |key| (key.as_ptr(), key.len()));
        // SAFETY: the context is alive, and goes on with the key that it has or takes one that has the given length.
        let done = unsafe { (self.api.EVP_MAC_init)(self.ctx, key, len, null()) };
        self.sound = done == 1;
    }
}

/// An algorithm by its name. It is never freed, since the library keeps it anyway.
pub(super) fn fetched(source: Source, name: &CStr) -> Result<*mut EVP_MAC, Unavailable> {
    let api = api::FetchMac::load(source.library)?;
    // SAFETY: both are strings, and null stands for the default.
    let fetch = |name, query| unsafe { (api.EVP_MAC_fetch)(null_mut(), name, query) };
    source.fetch(name, fetch, "EVP_MAC_get0_provider")
}

impl jobs::Hash for Fetched {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        let key = self.key;
        self.begin(key.as_ref().map(|key| &key[..]));
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text has the given length.
        let done = unsafe { (self.api.EVP_MAC_update)(self.ctx, text.as_ptr(), text.len()) };
        self.sound &= done == 1;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let mut len = 0;
        // SAFETY: the context has been started, and there is space for that many bytes.
        let done = unsafe {
            (self.api.EVP_MAC_final)(self.ctx, digest.as_mut_ptr(), &mut len, digest.len())
        };
        if !(self.sound && done == 1 && len == digest.len()) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn message_fresh(&mut self, key: &[u8], text: &[u8], digest: &mut [u8]) -> bool {
        self.begin(Some(key));
        jobs::Hash::update(self, text);
        self.finish(digest);
        self.sound
    }
}

impl Drop for Fetched {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nothing else uses it.
        unsafe { (self.api.EVP_MAC_CTX_free)(self.ctx) }
    }
}
