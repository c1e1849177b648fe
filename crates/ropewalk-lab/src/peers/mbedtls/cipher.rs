//! AES in its modes, and ChaCha20, in place; AES key wrap.

use std::ffi::{c_int, c_void};

use libloading::os::unix::Library;

use super::{Context, api, bits, done};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// A cipher with its key, and the position in the stream.
pub(super) struct Ctr {
    aes: Aes,
    counter: [u8; 16],
    stream: [u8; 16],
    offset: usize,
}

/// AES with a key for one direction.
struct Aes {
    api: api::Aes,
    context: Context,
    direction: Direction,
}

impl Aes {
    fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let (api, context) = (api::Aes::load(library)?, Context::new(library, "aes")?);
        let mut aes = Self { api, context, direction };
        done(aes.set_key(key), "mbedtls_aes_setkey")?;
        Ok(aes)
    }

    fn set_key(&mut self, key: &[u8]) -> c_int {
        let set_key = match self.direction {
            Direction::Encrypt => self.api.mbedtls_aes_setkey_enc,
            Direction::Decrypt => self.api.mbedtls_aes_setkey_dec,
        };
        // SAFETY: the context is ready, and the key has the given length.
        unsafe { set_key(self.context.get(), key.as_ptr(), bits(key)) }
    }
}

/// The constant for a direction.
pub(super) fn mode(direction: Direction) -> c_int {
    match direction {
        Direction::Encrypt => api::MBEDTLS_ENCRYPT,
        Direction::Decrypt => api::MBEDTLS_DECRYPT,
    }
}

impl Ctr {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let aes = Aes::new(library, Direction::Encrypt, key)?;
        Ok(Self { aes, counter: [0; 16], stream: [0; 16], offset: 0 })
    }
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.counter = *iv;
        self.offset = 0;
    }

    fn update(&mut self, text: &mut [u8]) {
        let (start, counter) = (text.as_mut_ptr(), self.counter.as_mut_ptr());
        let (offset, stream) = (&mut self.offset, self.stream.as_mut_ptr());
        let (key, crypt) = (self.aes.context.get(), self.aes.api.mbedtls_aes_crypt_ctr);
        // SAFETY: the context has its key, both blocks sixteen bytes, the offset is what the call before
        // has left there, and the text has the given length; it may be in place.
        let code = unsafe { crypt(key, text.len(), offset, counter, stream, start, start) };
        if code != 0 {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.aes.set_key(key) == 0
    }
}

pub(super) struct Cbc {
    aes: Aes,
    mode: c_int,
}

impl Cbc {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        Ok(Self { aes: Aes::new(library, direction, key)?, mode: mode(direction) })
    }
}

impl jobs::Cbc for Cbc {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (mut iv, start, len) = (*iv, text.as_mut_ptr(), text.len());
        let (key, crypt) = (self.aes.context.get(), self.aes.api.mbedtls_aes_crypt_cbc);
        // SAFETY: the context has its key, and the text, of whole blocks, has the given length; it
        // may be in place.
        let code = unsafe { crypt(key, self.mode, len, iv.as_mut_ptr(), start, start) };
        if code != 0 {
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.aes.set_key(key) == 0
    }
}

/// A block per call.
pub(super) struct Ecb(Cbc);

impl Ecb {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        Cbc::new(library, direction, key).map(Self)
    }
}

impl jobs::Cbc for Ecb {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        let Cbc { aes, mode } = &mut self.0;
        let (key, crypt) = (aes.context.get(), aes.api.mbedtls_aes_crypt_ecb);
        let (blocks, _) = text.as_chunks_mut::<16>();
        for block in blocks {
            let start = block.as_mut_ptr();
            // SAFETY: the context has its key, and a block sixteen bytes; it may be in place.
            let code = unsafe { crypt(key, *mode, start, start) };
            if code != 0 {
                block.fill(0);
            }
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.aes.set_key(key) == 0
    }
}

/// If a data unit does not end with a block, it must not be in place: the last bytes are lost.
pub(super) struct Xts {
    api: api::Xts,
    context: Context,
    direction: Direction,
    place: Vec<u8>,
}

impl Xts {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let (api, context) = (api::Xts::load(library)?, Context::new(library, "aes_xts")?);
        let mut xts = Self { api, context, direction, place: Vec::new() };
        done(xts.set_key(key), "mbedtls_aes_xts_setkey")?;
        Ok(xts)
    }

    fn set_key(&mut self, key: &[u8]) -> c_int {
        let set_key = match self.direction {
            Direction::Encrypt => self.api.mbedtls_aes_xts_setkey_enc,
            Direction::Decrypt => self.api.mbedtls_aes_xts_setkey_dec,
        };
        // SAFETY: the context is ready, and the keys have the given lengths.
        unsafe { set_key(self.context.get(), key.as_ptr(), bits(key)) }
    }
}

impl jobs::Cbc for Xts {
    const NOTE: &str = "not in place but with whole blocks: of others a copy counts";

    fn message(&mut self, tweak: &[u8; 16], text: &mut [u8]) {
        let (len, mode, crypt) = (text.len(), mode(self.direction), self.api.mbedtls_aes_crypt_xts);
        let in_place = len.is_multiple_of(16);
        self.place.resize(if in_place { 0 } else { len }, 0);
        let start = text.as_mut_ptr();
        let out = if in_place { start } else { self.place.as_mut_ptr() };
        // SAFETY: the context has its keys; the text, a block or more, has the given length, and so is the place
        // for it.
        let code = unsafe { crypt(self.context.get(), mode, len, tweak.as_ptr(), start, out) };
        if code != 0 {
            text.fill(0);
        } else if !in_place {
            text.copy_from_slice(&self.place);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key) == 0
    }
}

/// AES with a key for one direction.
pub(super) struct KeyWrap {
    api: api::KeyWrap,
    context: Context,
    direction: Direction,
}

impl KeyWrap {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        // It may be built without.
        let api =
            api::KeyWrap::load(library).map_err(|_| Unavailable("has no AES key wrap".into()))?;
        let mut wrap = Self { api, context: Context::new(library, "nist_kw")?, direction };
        done(wrap.set_key(key), "mbedtls_nist_kw_setkey")?;
        Ok(wrap)
    }

    fn set_key(&mut self, key: &[u8]) -> c_int {
        let wraps = c_int::from(self.direction == Direction::Encrypt);
        let (set_key, id) = (self.api.mbedtls_nist_kw_setkey, api::MBEDTLS_CIPHER_ID_AES);
        // SAFETY: the context is ready, and the key has the given length.
        unsafe { set_key(self.context.get(), id, key.as_ptr(), bits(key), wraps) }
    }
}

/// Wraps or unwraps.
type Wrap =
    unsafe extern "C" fn(*mut c_void, c_int, *const u8, usize, *mut u8, *mut usize, usize) -> c_int;

impl KeyWrap {
    /// Processes a key, and returns whether it succeeded.
    fn put(&mut self, through: Wrap, from: &[u8], to: &mut [u8]) -> bool {
        let (mode, mut written) = (api::MBEDTLS_KW_MODE_KW, 0);
        let (start, place, room) = (from.as_ptr(), to.as_mut_ptr(), to.len());
        let context = self.context.get();
        // SAFETY: the context has its key; the one has the given length, and so is the other.
        let code = unsafe { through(context, mode, start, from.len(), place, &mut written, room) };
        code == 0 && written == room
    }
}

impl jobs::KeyWrap for KeyWrap {
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        if !self.put(self.api.mbedtls_nist_kw_wrap, key, wrapped) {
            wrapped.fill(0);
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        self.put(self.api.mbedtls_nist_kw_unwrap, wrapped, key)
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key) == 0
    }
}

pub(super) struct ChaCha {
    api: api::ChaCha,
    context: Context,
}

impl ChaCha {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let (api, context) = (api::ChaCha::load(library)?, Context::new(library, "chacha20")?);
        let mut chacha = Self { api, context };
        done(chacha.set_key(key), "mbedtls_chacha20_setkey")?;
        Ok(chacha)
    }

    fn set_key(&mut self, key: &[u8]) -> c_int {
        assert_eq!(key.len(), 32, "it says no length");
        // SAFETY: the context is ready, and the key has 32 bytes.
        unsafe { (self.api.mbedtls_chacha20_setkey)(self.context.get(), key.as_ptr()) }
    }
}

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    /// A counter before the nonce.
    fn start(&mut self, iv: &[u8; 16]) {
        let (counter, nonce) = iv.split_first_chunk().expect("four of sixteen");
        let (starts, counter) = (self.api.mbedtls_chacha20_starts, u32::from_le_bytes(*counter));
        // SAFETY: the context has its key, and the nonce twelve bytes.
        let code = unsafe { starts(self.context.get(), nonce.as_ptr(), counter) };
        assert_eq!(code, 0, "it takes a nonce");
    }

    fn update(&mut self, text: &mut [u8]) {
        let (start, update) = (text.as_mut_ptr(), self.api.mbedtls_chacha20_update);
        // SAFETY: the message has been started, and the text has the given length; it may be in place.
        if unsafe { update(self.context.get(), text.len(), start, start) } != 0 {
            text.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key) == 0
    }
}
