//! HMAC and Poly1305.

use std::{ffi::c_void, ptr};

use libloading::os::unix::Library;

use super::api::{self, State};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Function,
};

/// The prefix of the functions of an HMAC, and the length of its state: two states of the hash function, as
/// in the headers.
#[derive(Clone, Copy)]
pub(super) struct Name {
    name: &'static str,
    len: usize,
}

/// The name of HMAC of that hash function.
pub(super) fn name(function: Function) -> Option<Name> {
    match function {
        Function::Sha256 => Some(Name { name: "crypto_auth_hmacsha256", len: 2 * 104 }),
        Function::Sha512 => Some(Name { name: "crypto_auth_hmacsha512", len: 2 * 208 }),
        _ => None,
    }
}

/// HMAC. A state that has absorbed the key is kept, and each message starts from a copy of it: the header
/// declares the state.
pub(super) struct Hmac {
    api: api::Hmac,
    /// Bytes of a state.
    len: usize,
    keyed: State,
    state: State,
}

impl Hmac {
    pub(super) fn new(
        library: &'static Library,
        Name { name, len }: Name,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let api = api::Hmac::named(library, name)?;
        // SAFETY: the type is the one that the public header gives these names.
        let size: unsafe extern "C" fn() -> usize =
            unsafe { crate::peers::dl::symbol(library, &format!("{name}_statebytes")) }?;
        // SAFETY: it takes no arguments.
        if unsafe { size() } != len {
            return Err(Unavailable("has another HMAC than is known".into()));
        }
        let mut hmac = Self { api, len, keyed: State::new(), state: State::new() };
        // SAFETY: there is space for the state, and the key has the given length.
        unsafe { (api.init)(hmac.keyed.get(), key.as_ptr(), key.len()) };
        jobs::Hash::start(&mut hmac);
        Ok(hmac)
    }
}

impl jobs::Hash for Hmac {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        let (from, to): (*mut c_void, _) = (self.keyed.get(), self.state.get());
        // SAFETY: both have space for a state, and are two.
        unsafe { ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast(), self.len) }
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the state has been started, and the text has the given length. It does not fail.
        unsafe { (self.api.update)(self.state.get(), text.as_ptr(), text.len() as u64) };
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the state has been started, and a tag of the function is as long as its buffer.
        let done = unsafe { (self.api.end)(self.state.get(), digest.as_mut_ptr()) };
        if done != 0 {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn message_fresh(&mut self, key: &[u8], text: &[u8], digest: &mut [u8]) -> bool {
        // SAFETY: there is space for the state, and the key has the given length. It does not fail.
        unsafe { (self.api.init)(self.state.get(), key.as_ptr(), key.len()) };
        jobs::Hash::update(self, text);
        self.finish(digest);
        true
    }
}

/// Poly1305: one call for a message, a state for a stream.
pub(super) struct Poly1305 {
    api: api::Poly1305,
    key: [u8; 32],
    state: State,
}

impl Poly1305 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let key = key.try_into().expect("32 bytes");
        let mut made = Self { api: api::Poly1305::load(library)?, key, state: State::new() };
        jobs::Hash::start(&mut made);
        Ok(made)
    }
}

impl jobs::Hash for Poly1305 {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        assert_eq!(digest.len(), 16, "the only length");
        let (key, place, start) = (self.key.as_ptr(), digest.as_mut_ptr(), text.as_ptr());
        // SAFETY: the key has 32 bytes, the text has the given length, and a tag takes sixteen.
        let done =
            unsafe { (self.api.crypto_onetimeauth_poly1305)(place, start, text.len() as u64, key) };
        if done != 0 {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn start(&mut self) {
        let key = self.key.as_ptr();
        // SAFETY: there is space for the state, and the key has 32 bytes. It does not fail.
        unsafe { (self.api.crypto_onetimeauth_poly1305_init)(self.state.get(), key) };
    }

    fn update(&mut self, text: &[u8]) {
        let (start, len) = (text.as_ptr(), text.len() as u64);
        // SAFETY: the state has been started, and the text has the given length. It does not fail.
        unsafe { (self.api.crypto_onetimeauth_poly1305_update)(self.state.get(), start, len) };
    }

    fn finish(&mut self, digest: &mut [u8]) {
        assert_eq!(digest.len(), 16, "the only length");
        let place = digest.as_mut_ptr();
        // SAFETY: the state has been started, and a tag takes sixteen bytes.
        let done = unsafe { (self.api.crypto_onetimeauth_poly1305_final)(self.state.get(), place) };
        if done != 0 {
            digest.fill(0);
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}
