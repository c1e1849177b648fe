//! AES in its modes, and ChaCha20, in place; AES key wrap.

use libloading::os::unix::Library;

use super::{Key, api};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// A cipher with its key, and the counter block.
pub(super) struct Ctr {
    api: api::Ctr,
    pub(super) block: api::Block,
    pub(super) key: Key,
    counter: [u8; 16],
}

impl Ctr {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let (set_key, block) = api::encrypt(library, key.len())?;
        // SAFETY: the key has the length of its name.
        let key = unsafe { Key::new(set_key, key) };
        Ok(Self { api: api::Ctr::load(library)?, block, key, counter: [0; 16] })
    }
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.counter = *iv;
        self.update(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.counter = *iv;
    }

    fn update(&mut self, text: &mut [u8]) {
        let (start, counter) = (text.as_mut_ptr(), self.counter.as_mut_ptr());
        let key = self.key.get();
        // SAFETY: the context has its key, the counter block sixteen bytes, and the text is as long
        // as it says; it may be in place.
        unsafe {
            (self.api.nettle_ctr_crypt)(key, self.block, 16, counter, text.len(), start, start)
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.set(key)
    }
}

pub(super) struct Encrypting {
    pub(super) encrypt: api::Encrypt,
    pub(super) key: Key,
}

impl jobs::Cbc for Encrypting {
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (mut iv, start, len) = (*iv, text.as_mut_ptr(), text.len());
        // SAFETY: the context has its key, and the text, of whole blocks, has the given length; it
        // may be in place.
        unsafe { (self.encrypt)(self.key.get(), iv.as_mut_ptr(), len, start, start) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.set(key)
    }
}

pub(super) struct Decrypting {
    pub(super) decrypt: api::Decrypt,
    pub(super) block: api::Block,
    pub(super) key: Key,
}

impl jobs::Cbc for Decrypting {
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (mut iv, start, len) = (*iv, text.as_mut_ptr(), text.len());
        let (key, iv) = (self.key.get(), iv.as_mut_ptr());
        // SAFETY: as for `Encrypting`.
        unsafe { (self.decrypt)(key, self.block, 16, iv, len, start, start) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.set(key)
    }
}

/// One direction.
pub(super) struct Ecb {
    pub(super) block: api::Block,
    pub(super) key: Key,
}

impl jobs::Cbc for Ecb {
    #[inline(always)]
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: as for `Encrypting`.
        unsafe { (self.block)(self.key.get(), len, start, start) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.set(key)
    }
}

/// One direction.
pub(super) struct Xts {
    pub(super) crypt: api::Xts,
    pub(super) key: Key,
}

impl jobs::Cbc for Xts {
    #[inline(always)]
    fn message(&mut self, tweak: &[u8; 16], text: &mut [u8]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: the context has its keys, and the text, a block or more, has the given length; it
        // may be in place.
        unsafe { (self.crypt)(self.key.get(), tweak.as_ptr(), len, start, start) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.set(key)
    }
}

/// AES in one direction, with its key, and the function for that direction.
pub(super) struct KeyWrap {
    api: api::KeyWrap,
    block: api::Block,
    key: Key,
}

impl KeyWrap {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::KeyWrap::load(library)?;
        let (set_key, block) = match direction {
            Direction::Encrypt => api::encrypt(library, key.len())?,
            Direction::Decrypt => api::decrypt(library, key.len())?,
        };
        // SAFETY: the key has the length of its name.
        let key = unsafe { Key::new(set_key, key) };
        Ok(Self { api, block, key })
    }
}

impl jobs::KeyWrap for KeyWrap {
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        assert_eq!(wrapped.len(), key.len() + 8, "a place for it");
        let (with, block, place) = (self.key.get(), self.block, wrapped.as_mut_ptr());
        // SAFETY: the context has its key, the initial value eight bytes, and it reads eight bytes less than the
        // length that it is given.
        unsafe {
            (self.api.nettle_nist_keywrap16)(
                with,
                block,
                INITIAL.as_ptr(),
                wrapped.len(),
                place,
                key.as_ptr(),
            )
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        assert_eq!(wrapped.len(), key.len() + 8, "a place for it");
        let (with, block, place) = (self.key.get(), self.block, key.as_mut_ptr());
        // SAFETY: the context has its key, the initial value eight bytes, and it reads eight bytes more than the
        // length that it is given.
        let right = unsafe {
            (self.api.nettle_nist_keyunwrap16)(
                with,
                block,
                INITIAL.as_ptr(),
                key.len(),
                place,
                wrapped.as_ptr(),
            )
        };
        right == 1
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.set(key)
    }
}

/// The initial value of the standard.
const INITIAL: [u8; 8] = [0xa6; 8];

pub(super) struct ChaCha {
    pub(super) api: api::ChaCha,
    pub(super) key: Key,
}

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    /// The counter before the nonce is zero, which is the initial one.
    fn start(&mut self, iv: &[u8; 16]) {
        // SAFETY: the context has its key, and a nonce twelve bytes.
        unsafe { (self.api.nettle_chacha_set_nonce96)(self.key.get(), iv[4..].as_ptr()) }
    }

    fn update(&mut self, text: &mut [u8]) {
        let start = text.as_mut_ptr();
        // SAFETY: the message has been started, and the text has the given length.
        unsafe { (self.api.nettle_chacha_crypt32)(self.key.get(), text.len(), start, start) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.set(key)
    }
}
