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

/// One way.
pub(super) struct Cipher(Context);

impl Cipher {
    pub(super) fn new(
        source: Source,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        Evp::new(source, Mode::Wrap, direction, key.len())?.context(key).map(Self)
    }
}

impl jobs::KeyWrap for Cipher {
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        assert_eq!(wrapped.len(), key.len() + 8, "a place for it");
        if !(self.0.again() && self.0.rewrap(key, wrapped)) {
            // A failure must not pass for an answer.
            wrapped.fill(0);
        }
    }

    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        assert_eq!(wrapped.len(), key.len() + 8, "a place for it");
        self.0.again() && self.0.rewrap(wrapped, key)
    }
}

/// One way, as BoringSSL and AWS-LC offer it.
pub(super) struct Plain {
    api: api::PlainKeyWrap,
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
        let set_key = match direction {
            Direction::Encrypt => api.AES_set_encrypt_key,
            Direction::Decrypt => api.AES_set_decrypt_key,
        };
        let mut made = Self { api, key: Box::new_uninit() };
        let place = made.key.as_mut_ptr().cast::<c_void>();
        // SAFETY: the key has as many bits as it says, and there is room for what is made of it.
        match unsafe { set_key(key.as_ptr(), key.len() as u32 * 8, place) } {
            0 => Ok(made),
            _ => Err(failed("AES_set_encrypt_key")),
        }
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
        // SAFETY: the key has been made to decrypt, null stands for the standard's initial value, and there is room for
        // eight bytes less than the length that it is given.
        let done = unsafe { (self.api.AES_unwrap_key)(with, null(), place, start, wrapped.len()) };
        done > 0
    }
}
