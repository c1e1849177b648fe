//! AES in its modes, and ChaCha20, in place; AES key wrap; random bytes.

use std::{
    ffi::c_void,
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{Aes, Context, api, failed, len};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// AES in counter mode with its key.
pub(super) struct Ctr {
    crypt: api::Crypt,
    aes: Aes,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Ctr {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let crypt = api::counter(library)?;
        let aes = Aes::with(library, key, Direction::Encrypt)?;
        Ok(Self { crypt, aes, sound: true })
    }
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    /// It drops the rest of an earlier block of key stream.
    fn start(&mut self, iv: &[u8; 16]) {
        self.sound = self.aes.set_iv(iv);
    }

    fn update(&mut self, text: &mut [u8]) {
        self.sound &= self.aes.crypt(self.crypt, text);
        if !self.sound {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.aes.set_key(key)
    }
}

/// AES in CBC mode, one direction.
pub(super) struct Cbc {
    crypt: api::Crypt,
    aes: Aes,
}

impl Cbc {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let crypt = api::crypt(library, "Cbc", direction)?;
        Ok(Self { crypt, aes: Aes::with(library, key, direction)? })
    }
}

impl jobs::Cbc for Cbc {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        if !(self.aes.set_iv(iv) && self.aes.crypt(self.crypt, text)) {
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.aes.set_key(key)
    }
}

/// AES in ECB mode, one direction.
pub(super) struct Ecb(Cbc);

impl Ecb {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let crypt = api::crypt(library, "Ecb", direction)?;
        Ok(Self(Cbc { crypt, aes: Aes::with(library, key, direction)? }))
    }
}

impl jobs::Cbc for Ecb {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        if !self.0.aes.crypt(self.0.crypt, text) {
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.aes.set_key(key)
    }
}

/// AES-XTS, one direction.
pub(super) struct Xts {
    api: api::Xts,
    crypt: api::CryptUnit,
    context: Context,
}

impl Xts {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::Xts::load(library)?;
        let crypt = api::unit(library, direction)?;
        let mut context = Context::new();
        let way = api::way(direction);
        // SAFETY: there is space for the context, and the key has the given length.
        let done = unsafe {
            (api.wc_AesXtsSetKey)(
                context.get(),
                key.as_ptr(),
                len(key),
                way,
                null_mut(),
                api::INVALID_DEVID,
            )
        };
        match done {
            0 => Ok(Self { api, crypt, context }),
            _ => Err(failed("wc_AesXtsSetKey")),
        }
    }
}

impl jobs::Cbc for Xts {
    fn message(&mut self, tweak: &[u8; 16], text: &mut [u8]) {
        let (start, bytes) = (text.as_mut_ptr(), len(text));
        // SAFETY: the context has its keys, and the text, a block or more, has the given length; it
        // may be in place.
        let done =
            unsafe { (self.crypt)(self.context.get(), start, start, bytes, tweak.as_ptr(), 16) };
        if done != 0 {
            text.fill(0);
        }
    }
}

impl Drop for Xts {
    fn drop(&mut self) {
        // SAFETY: the context has its keys, and nothing else uses it.
        unsafe { (self.api.wc_AesXtsFree)(self.context.get()) };
    }
}

/// AES in one direction, for key wrap.
pub(super) struct KeyWrap {
    api: api::KeyWrap,
    aes: Aes,
}

impl KeyWrap {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::KeyWrap::load(library)?;
        Ok(Self { api, aes: Aes::with(library, key, direction)? })
    }
}

impl jobs::KeyWrap for KeyWrap {
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        // SAFETY: the key has been set to encrypt, null stands for the standard's initial value, and
        // both have the given lengths.
        let done = unsafe {
            (self.api.wc_AesKeyWrap_ex)(
                self.aes.get(),
                key.as_ptr(),
                len(key),
                wrapped.as_mut_ptr(),
                len(wrapped),
                null(),
            )
        };
        if done <= 0 {
            wrapped.fill(0);
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        // SAFETY: as for `wrap`, with a key that has been set to decrypt.
        let done = unsafe {
            (self.api.wc_AesKeyUnWrap_ex)(
                self.aes.get(),
                wrapped.as_ptr(),
                len(wrapped),
                key.as_mut_ptr(),
                len(key),
                null(),
            )
        };
        done > 0
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.aes.set_key(key)
    }
}

/// ChaCha20 with its key.
pub(super) struct ChaCha {
    api: api::ChaCha,
    context: Context,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl ChaCha {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let (api, context) = (api::ChaCha::load(library)?, Context::new());
        let mut chacha = Self { api, context, sound: true };
        match chacha.set_key(key) {
            true => Ok(chacha),
            false => Err(failed("wc_Chacha_SetKey")),
        }
    }

    fn set_key(&mut self, key: &[u8]) -> bool {
        let context = self.context.get();
        // SAFETY: there is space for the context, and the key has the given length.
        unsafe { (self.api.wc_Chacha_SetKey)(context, key.as_ptr(), len(key)) == 0 }
    }
}

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        let [a, b, c, d, nonce @ ..] = iv;
        let counter = u32::from_le_bytes([*a, *b, *c, *d]);
        // SAFETY: the context has its key, and the nonce twelve bytes.
        let done =
            unsafe { (self.api.wc_Chacha_SetIV)(self.context.get(), nonce.as_ptr(), counter) };
        self.sound = done == 0;
    }

    fn update(&mut self, text: &mut [u8]) {
        let (start, bytes) = (text.as_mut_ptr(), len(text));
        // SAFETY: the message has been started, and the text has the given length; it may be in
        // place.
        let done = unsafe { (self.api.wc_Chacha_Process)(self.context.get(), start, start, bytes) };
        self.sound &= done == 0;
        if !self.sound {
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key)
    }
}

/// Its generator, seeded once.
pub(super) struct Random {
    api: api::Random,
    context: Context,
}

impl Random {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        let api = api::Random::load(library)?;
        let mut context = Context::new();
        // SAFETY: there is space for the context.
        match unsafe { (api.wc_InitRng)(context.get()) } {
            0 => Ok(Self { api, context }),
            _ => Err(failed("wc_InitRng")),
        }
    }

    /// Its address, for functions that need a generator.
    pub(super) fn get(&mut self) -> *mut c_void {
        self.context.get()
    }
}

/// The most bytes of a call.
const RNG_MAX_BLOCK_LEN: usize = 0x10000;

impl jobs::Fill for Random {
    fn fill(&mut self, out: &mut [u8]) {
        for out in out.chunks_mut(RNG_MAX_BLOCK_LEN) {
            // SAFETY: the generator has been set up, and there is space for that many bytes.
            let done = unsafe {
                (self.api.wc_RNG_GenerateBlock)(self.context.get(), out.as_mut_ptr(), len(out))
            };
            if done != 0 {
                out.fill(0);
            }
        }
    }
}

impl Drop for Random {
    fn drop(&mut self) {
        // SAFETY: the generator has been set up, and nothing else uses it.
        unsafe { (self.api.wc_FreeRng)(self.context.get()) };
    }
}
