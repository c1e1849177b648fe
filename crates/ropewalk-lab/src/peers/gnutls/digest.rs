//! Hash functions, and random bytes.

use std::{ffi::c_int, ptr::null_mut};

use libloading::os::unix::Library;

use super::api::{self, Handle, RANDOM};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Function,
};

/// A handle, which is faster than `gnutls_hash_fast` for a short message, and equally fast for a long one.
pub(super) struct Hash {
    api: api::Hash,
    of_any_length: Option<api::Squeeze>,
    handle: Handle,
    sound: bool,
}

impl Hash {
    pub(super) fn new(
        library: &'static Library,
        function: Function,
        algorithm: c_int,
    ) -> Result<Self, Unavailable> {
        let api = api::Hash::load(library)?;
        let of_any_length = match function.extends() {
            true => Some(api::Squeeze::load(library)?),
            false => None,
        };
        let mut handle = null_mut();
        // SAFETY: there is space for a handle.
        let done = unsafe { (api.gnutls_hash_init)(&mut handle, algorithm) };
        match done {
            0 => Ok(Self { api, of_any_length, handle, sound: true }),
            _ => Err(Unavailable("gnutls_hash_init failed".into())),
        }
    }
}

impl jobs::Hash for Hash {
    const ANEW: &str = jobs::KEEPS_CONTEXT;

    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        // Taking a digest of a fixed length has started the next message.
        if self.of_any_length.is_some() {
            jobs::Hash::start(self);
        }
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    /// Taking a digest starts the next message. If it has any length, null does so; otherwise, older versions
    /// write to the pointer.
    fn start(&mut self) {
        let mut rest = [0_u8; 64];
        let place = match self.of_any_length {
            Some(_) => null_mut(),
            None => rest.as_mut_ptr().cast(),
        };
        // SAFETY: the handle is open, and no digest takes more bytes.
        unsafe { (self.api.gnutls_hash_output)(self.handle, place) }
        self.sound = true;
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the handle is open, and the text has the given length.
        let done = unsafe { (self.api.gnutls_hash)(self.handle, text.as_ptr().cast(), text.len()) };
        self.sound &= done == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let place = digest.as_mut_ptr().cast();
        if let Some(api) = self.of_any_length {
            // SAFETY: the handle is open, and the place has the given length.
            self.sound &=
                unsafe { (api.gnutls_hash_squeeze)(self.handle, place, digest.len()) } == 0;
        } else {
            // SAFETY: the handle is open, and a digest of the function is as long as its buffer.
            unsafe { (self.api.gnutls_hash_output)(self.handle, place) }
        }
        if !self.sound {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
        self.sound = true;
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: the handle is open, nothing else uses it, and null takes no digest.
        unsafe { (self.api.gnutls_hash_deinit)(self.handle, null_mut()) }
    }
}

/// `GNUTLS_DIG_SHA256`, and so on, as the header numbers them.
pub(super) fn algorithm(function: Function) -> Option<c_int> {
    Some(match function {
        Function::Md5 => 2,
        Function::Sha1 => 3,
        Function::Sha256 => 6,
        Function::Sha384 => 7,
        Function::Sha512 => 8,
        Function::Sha224 => 9,
        Function::Sha3_224 => 10,
        Function::Sha3_256 => 11,
        Function::Sha3_384 => 12,
        Function::Sha3_512 => 13,
        Function::Shake128 => 209,
        Function::Shake256 => 210,
        _ => return None,
    })
}

/// The generator of each thread.
pub(super) struct Random(api::Random);

impl Random {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        Ok(Self(api::Random::load(library)?))
    }
}

impl jobs::Fill for Random {
    fn fill(&mut self, out: &mut [u8]) {
        // SAFETY: there are that many bytes.
        let done = unsafe { (self.0.gnutls_rnd)(RANDOM, out.as_mut_ptr().cast(), out.len()) };
        assert_eq!(done, 0, "it has random bytes");
    }
}
