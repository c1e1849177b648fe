//! Hash functions.

use std::ffi::c_int;

use super::{
    api::{self, MOST},
    manager::Manager,
};
use crate::peers::jobs;

/// SHA-256: a direct call for one message, bursts for several.
pub(super) struct Sha256 {
    manager: Manager,
    hash: api::Hash,
    submit: api::HashBurst,
    burst: Box<[api::Job; MOST]>,
}

impl Sha256 {
    pub(super) fn new(manager: Manager) -> Self {
        const SHA256: usize = 20;
        const SUBMIT_HASH_BURST_NOCHECK: usize = 118;
        // SAFETY: the type is that of the functions that hash one message.
        let hash = unsafe { manager.function(SHA256) };
        // SAFETY: the type is that of bursts of a hash function alone.
        let submit = unsafe { manager.function(SUBMIT_HASH_BURST_NOCHECK) };
        Self { manager, hash, submit, burst: Box::new([api::Job::default(); MOST]) }
    }
}

impl jobs::Hash<32> for Sha256 {
    fn message(&mut self, text: &[u8], digest: &mut [u8; 32]) {
        let place = digest.as_mut_ptr().cast();
        // SAFETY: the text is as long as it says, and a digest takes 32 bytes.
        unsafe { (self.hash)(text.as_ptr().cast(), text.len() as u64, place) }
    }

    fn start(&mut self) {}

    fn update(&mut self, _: &[u8]) {
        unreachable!("it has no streams");
    }

    fn finish(&mut self, _: &mut [u8; 32]) {
        unreachable!("it has no streams");
    }

    fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; 32]]) {
        const SHA_256: c_int = 15;
        for (texts, digests) in texts.chunks(MOST).zip(digests.chunks_mut(MOST)) {
            for ((job, text), digest) in self.burst.iter_mut().zip(texts).zip(&mut *digests) {
                job.text = text.as_ptr();
                job.hash_len = text.len() as u64;
                (job.tag, job.tag_len) = (digest.as_mut_ptr(), 32);
            }
            let (burst, count) = (self.burst.as_mut_ptr(), texts.len() as u32);
            // SAFETY: the manager has been initialised, and that many jobs are filled in: a text as
            // long as it says, and room for a digest.
            let done = unsafe { (self.submit)(self.manager.0, burst, count, SHA_256) };
            assert_eq!(done, count, "it did not do every job");
        }
    }
}

/// A direct call of a hash function.
pub(super) struct Hash(api::Hash);

impl Hash {
    pub(super) fn new(manager: Manager, place: usize) -> Self {
        // SAFETY: the type is that of the functions that hash one message.
        Self(unsafe { manager.function(place) })
    }
}

impl<const N: usize> jobs::Hash<N> for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        let place = digest.as_mut_ptr().cast();
        // SAFETY: the text is as long as it says, and a digest of the function takes N bytes.
        unsafe { (self.0)(text.as_ptr().cast(), text.len() as u64, place) }
    }

    fn start(&mut self) {}

    fn update(&mut self, _: &[u8]) {
        unreachable!("it has no streams");
    }

    fn finish(&mut self, _: &mut [u8; N]) {
        unreachable!("it has no streams");
    }
}
