//! Obsolete ciphers, in place.

use std::ptr::{null, null_mut};

use libloading::os::unix::Library;

use super::{Context, api, failed, len};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{Direction, TRIPLE_DES_KEY},
};

/// Triple DES in CBC mode, one direction.
pub(super) struct TripleDes {
    api: api::TripleDes,
    crypt: api::Crypt,
    context: Context,
}

impl TripleDes {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::TripleDes::load(library)?;
        let crypt = match direction {
            Direction::Encrypt => api.wc_Des3_CbcEncrypt,
            Direction::Decrypt => api.wc_Des3_CbcDecrypt,
        };
        assert_eq!(key.len(), TRIPLE_DES_KEY, "it says no length");
        let mut context = Context::new();
        // SAFETY: there is space for the context.
        if unsafe { (api.wc_Des3Init)(context.get(), null_mut(), api::INVALID_DEVID) } != 0 {
            return Err(failed("wc_Des3Init"));
        }
        // From here on, dropping frees what it holds.
        let mut des = Self { api, crypt, context };
        let (context, way) = (des.context.get(), api::way(direction));
        // SAFETY: the context has been made ready, the key has its 24 bytes, and no vector stands for one of zeros.
        match unsafe { (api.wc_Des3_SetKey)(context, key.as_ptr(), null(), way) } {
            0 => Ok(des),
            _ => Err(failed("wc_Des3_SetKey")),
        }
    }
}

impl jobs::Cbc for TripleDes {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (context, start, bytes) = (self.context.get(), text.as_mut_ptr(), len(text));
        // SAFETY: the context has its key, and the vector more than eight bytes.
        let set = unsafe { (self.api.wc_Des3_SetIV)(context, iv.as_ptr()) };
        // SAFETY: as above; the text, of whole blocks, has the given length, and may be in place.
        if set != 0 || unsafe { (self.crypt)(context, start, start, bytes) } != 0 {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }
}

impl Drop for TripleDes {
    fn drop(&mut self) {
        // SAFETY: the context has been made ready, and nothing else uses it.
        unsafe { (self.api.wc_Des3Free)(self.context.get()) }
    }
}

/// RC4, and the key that starts a message.
pub(super) struct Rc4 {
    api: api::Rc4,
    key: Vec<u8>,
    context: Context,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Rc4 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::Rc4::load(library)?;
        let mut context = Context::new();
        // SAFETY: there is space for the context.
        match unsafe { (api.wc_Arc4Init)(context.get(), null_mut(), api::INVALID_DEVID) } {
            0 => Ok(Self { api, key: key.to_vec(), context, sound: false }),
            _ => Err(failed("wc_Arc4Init")),
        }
    }
}

impl jobs::Ctr for Rc4 {
    fn start(&mut self, _: &[u8; 16]) {
        let (context, bytes) = (self.context.get(), len(&self.key));
        // SAFETY: the context has been made ready, and the key has the given length.
        self.sound = unsafe { (self.api.wc_Arc4SetKey)(context, self.key.as_ptr(), bytes) } == 0;
    }

    fn update(&mut self, text: &mut [u8]) {
        let (context, start, bytes) = (self.context.get(), text.as_mut_ptr(), len(text));
        // SAFETY: the context has its key, and the text has the given length; it may be in place.
        self.sound &= unsafe { (self.api.wc_Arc4Process)(context, start, start, bytes) } == 0;
        if !self.sound {
            text.fill(0);
        }
    }
}

impl Drop for Rc4 {
    fn drop(&mut self) {
        // SAFETY: the context has been made ready, and nothing else uses it.
        unsafe { (self.api.wc_Arc4Free)(self.context.get()) }
    }
}
