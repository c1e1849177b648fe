//! AES key wrap: on one context that keeps its key, or without one.

use std::{ffi::c_void, mem::MaybeUninit, ptr::null};

use libloading::os::unix::Library;

use super::{
    api,
    evp::{Context, Evp, Mode},
    failed,
    source::Source,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// Whether key wrap is a cipher of that library, as in OpenSSL.
pub(super) fn is_cipher(library: &'static Library) -> bool {
    api::FetchCipher::load(library).is_ok() || api::AesWrap::load(library).is_ok()
}

/// One direction.
pub(super) struct Cipher {
    context: Context,
    /// Whether its key was just set, which starts it.
    started: bool,
}

impl Cipher {
    pub(super) fn new(
        source: Source,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let context = Evp::new(source, Mode::Wrap, direction, key.len())?.context(key)?;
        Ok(Self { context, started: true })
    }

    fn start(&mut self) -> bool {
        std::mem::take(&mut self.started) || self.context.again()
    }
}

impl jobs::KeyWrap for Cipher {
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        assert_eq!(wrapped.len(), key.len() + 8, "a place for it");
        if !(self.start() && self.context.rewrap(key, wrapped)) {
            // A failed call must not look like an answer.
            wrapped.fill(0);
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        assert_eq!(wrapped.len(), key.len() + 8, "a place for it");
        self.start() && self.context.rewrap(wrapped, key)
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.started = self.context.rekey(key);
        self.started
    }
}

/// One direction, with the functions of BoringSSL and AWS-LC.
pub(super) struct Plain {
    api: api::PlainKeyWrap,
    direction: Direction,
    /// `AES_KEY` has 244 bytes.
    key: Box<MaybeUninit<[u128; 16]>>,
}

impl Plain {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::PlainKeyWrap::load(library)?;
        let mut made = Self { api, direction, key: Box::new_uninit() };
        match made.set_key(key) {
            true => Ok(made),
            false => Err(failed("AES_set_encrypt_key")),
        }
    }

    fn set_key(&mut self, key: &[u8]) -> bool {
        let set_key = match self.direction {
            Direction::Encrypt => self.api.AES_set_encrypt_key,
            Direction::Decrypt => self.api.AES_set_decrypt_key,
        };
        let place = self.key.as_mut_ptr().cast::<c_void>();
        // SAFETY: the key has as many bits as it says, and there is space for what is made of it.
        unsafe { set_key(key.as_ptr(), key.len() as u32 * 8, place) == 0 }
    }
}

impl jobs::KeyWrap for Plain {
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        assert_eq!(wrapped.len(), key.len() + 8, "a place for it");
        let (with, start) = (self.key.as_ptr().cast(), key.as_ptr());
        let place = wrapped.as_mut_ptr();
        // SAFETY: the key has been made to encrypt, null stands for the standard's initial value, and there are eight
        // bytes more than the length that it is given.
        let done = unsafe { (self.api.AES_wrap_key)(with, null(), place, start, key.len()) };
        if done < 0 {
            wrapped.fill(0);
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        assert_eq!(wrapped.len(), key.len() + 8, "a place for it");
        let (with, start) = (self.key.as_ptr().cast(), wrapped.as_ptr());
        let place = key.as_mut_ptr();
        // SAFETY: the key has been made to decrypt, null stands for the standard's initial value, and there is space for
        // eight bytes less than the length that it is given.
        let done = unsafe { (self.api.AES_unwrap_key)(with, null(), place, start, wrapped.len()) };
        done > 0
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.set_key(key)
    }
}
