//! Hash functions, and random bytes.

use libloading::os::unix::Library;

use super::api::{self, State};
use crate::peers::{Unavailable, jobs};

/// One call for a message, a state for a stream.
pub(super) struct Hash {
    api: api::Hash,
    state: State,
}

impl Hash {
    pub(super) fn new(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
        let mut hash = Self { api: api::Hash::named(library, name)?, state: State::new() };
        jobs::Hash::start(&mut hash);
        Ok(hash)
    }
}

impl jobs::Hash for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        let (place, start) = (digest.as_mut_ptr(), text.as_ptr());
        // SAFETY: the text has the given length, and a digest of the function is as long as its buffer.
        let done = unsafe { (self.api.whole)(place, start, text.len() as u64) };
        if done != 0 {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn start(&mut self) {
        // SAFETY: there is space for the state. It does not fail.
        unsafe { (self.api.init)(self.state.get()) };
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the state has been started, and the text has the given length. It does not fail.
        unsafe { (self.api.update)(self.state.get(), text.as_ptr(), text.len() as u64) };
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the state has been started, and a digest of the function is as long as its buffer.
        let done = unsafe { (self.api.end)(self.state.get(), digest.as_mut_ptr()) };
        if done != 0 {
            digest.fill(0);
        }
    }
}

/// The same with output of any length.
pub(super) struct Xof {
    api: api::Xof,
    state: State,
}

impl Xof {
    pub(super) fn new(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
        let mut xof = Self { api: api::Xof::named(library, name)?, state: State::new() };
        jobs::Hash::start(&mut xof);
        Ok(xof)
    }
}

impl jobs::Hash for Xof {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        let (place, start) = (digest.as_mut_ptr(), text.as_ptr());
        // SAFETY: both have the given lengths.
        let done = unsafe { (self.api.whole)(place, digest.len(), start, text.len() as u64) };
        if done != 0 {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn start(&mut self) {
        // SAFETY: there is space for the state. It does not fail.
        unsafe { (self.api.init)(self.state.get()) };
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the state has been started, and the text has the given length. What it fails at
        // is a state that has put out, and the answer then is wrong.
        unsafe { (self.api.update)(self.state.get(), text.as_ptr(), text.len() as u64) };
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // SAFETY: the state has been started, and the place has the given length.
        let done =
            unsafe { (self.api.squeeze)(self.state.get(), digest.as_mut_ptr(), digest.len()) };
        if done != 0 {
            digest.fill(0);
        }
    }
}

/// The generator that the library chooses: on Linux, the system's.
pub(super) struct Random(api::Random);

impl Random {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        Ok(Self(api::Random::load(library)?))
    }
}

impl jobs::Fill for Random {
    fn fill(&mut self, out: &mut [u8]) {
        // SAFETY: there are that many bytes. It ends the program rather than fail.
        unsafe { (self.0.randombytes_buf)(out.as_mut_ptr().cast(), out.len()) }
    }
}
