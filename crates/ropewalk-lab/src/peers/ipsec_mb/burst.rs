//! Bursts of a hash function or a MAC alone.

use std::ffi::{c_int, c_void};

use super::{
    api::{self, MOST},
    manager::Manager,
};

/// Takes several messages in a call and works on them side by side.
pub(super) struct Burst {
    manager: Manager,
    submit: api::HashBurst,
    algorithm: c_int,
    jobs: Box<[api::Job; MOST]>,
}

impl Burst {
    pub(super) fn new(manager: Manager, algorithm: c_int) -> Self {
        const SUBMIT_HASH_BURST_NOCHECK: usize = 118;
        // SAFETY: the type is that of bursts of a hash function alone.
        let submit = unsafe { manager.function(SUBMIT_HASH_BURST_NOCHECK) };
        Self { manager, submit, algorithm, jobs: Box::new([api::Job::default(); MOST]) }
    }

    /// Writes the digest of each text.
    ///
    /// # Safety
    /// `keys` must be what the algorithm takes besides for each text, and its digests must have `N` bytes.
    pub(super) unsafe fn run<const N: usize>(
        &mut self,
        keys: impl Fn(usize) -> [*const c_void; 3],
        texts: &[&[u8]],
        digests: &mut [[u8; N]],
    ) {
        for (from, (texts, digests)) in texts.chunks(MOST).zip(digests.chunks_mut(MOST)).enumerate()
        {
            let jobs = self.jobs.iter_mut().enumerate();
            for (((i, job), text), digest) in jobs.zip(texts).zip(&mut *digests) {
                job.text = text.as_ptr();
                job.hash_len = text.len() as u64;
                (job.tag, job.tag_len) = (digest.as_mut_ptr(), N as u64);
                job.of_algorithm = keys(from * MOST + i);
            }
            let (jobs, count) = (self.jobs.as_mut_ptr(), texts.len() as u32);
            // SAFETY: the manager has been initialised, and that many jobs are filled in: a text as long as it says, room
            // for a digest, and the keys that the caller promises.
            let done = unsafe { (self.submit)(self.manager.0, jobs, count, self.algorithm) };
            assert_eq!(done, count, "it did not do every job");
        }
    }
}
