//! Bursts of a hash function or a MAC alone.

use std::ffi::{c_int, c_void};

use super::{
    api::{self, MOST},
    manager::Manager,
};
use crate::peers::jobs::Turn;

/// Takes several messages in a call and works on them side by side.
pub(super) struct Burst {
    manager: Manager,
    submit: api::HashBurst,
    algorithm: c_int,
}

impl Burst {
    pub(super) fn new(manager: Manager, algorithm: c_int) -> Self {
        const SUBMIT_HASH_BURST_NOCHECK: usize = 118;
        // SAFETY: the type is that of bursts of a hash function alone.
        let submit = unsafe { manager.function(SUBMIT_HASH_BURST_NOCHECK) };
        Self { manager, submit, algorithm }
    }

    /// So many calls that write the digests of the texts whose turn it is. What tells the library of them is filled in
    /// before the first.
    ///
    /// # Safety
    /// `keys` must be what the algorithm takes besides for each text of a call, and its digests as long as the places.
    pub(super) unsafe fn run(
        &mut self,
        keys: impl Fn(usize) -> [*const c_void; 3],
        calls: usize,
        turn: &mut Turn,
        texts: &[Vec<u8>],
        digests: &mut [u8],
    ) {
        let mut jobs = described(keys, turn, texts, digests);
        for _ in 0..calls {
            for jobs in jobs[turn.take(texts.len())].chunks_mut(MOST) {
                // SAFETY: each has a text as long as it says, room for a digest, and the keys that the caller promises.
                unsafe { self.submit(jobs) }
            }
        }
    }

    /// One call, of no more than it takes.
    ///
    /// # Safety
    /// What the jobs point to must live, and be what the algorithm takes.
    pub(super) unsafe fn submit(&mut self, jobs: &mut [api::Job]) {
        let count = jobs.len() as u32;
        // SAFETY: the manager has been initialised, and that many jobs are filled in, as the caller promises.
        let done =
            unsafe { (self.submit)(self.manager.0, jobs.as_mut_ptr(), count, self.algorithm) };
        assert_eq!(done, count, "it did not do every job");
    }
}

/// A job for each text, with what `keys` has for the place in its call.
pub(super) fn described(
    keys: impl Fn(usize) -> [*const c_void; 3],
    turn: &Turn,
    texts: &[Vec<u8>],
    digests: &mut [u8],
) -> Vec<api::Job> {
    let len = digests.len() / texts.len();
    let each = texts.iter().zip(digests.chunks_exact_mut(len)).enumerate();
    each.map(|(i, (text, digest))| job(keys(i % turn.count()), text, digest)).collect()
}

/// A job for one text.
pub(super) fn job(keys: [*const c_void; 3], text: &[u8], digest: &mut [u8]) -> api::Job {
    api::Job {
        text: text.as_ptr(),
        hash_len: text.len() as u64,
        tag: digest.as_mut_ptr(),
        tag_len: digest.len() as u64,
        of_algorithm: keys,
        ..api::Job::default()
    }
}
