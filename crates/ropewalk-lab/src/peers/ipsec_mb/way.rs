//! Passes jobs to the library: in bursts, if its version supports the algorithm in them, or through its
//! queue.

use std::{ffi::c_int, ops::Range, ptr::copy_nonoverlapping};

use super::{
    api::{self, CCM, COMPLETED, Job, MOST},
    manager::Manager,
    row::Row,
};

/// The way for one algorithm.
pub(super) struct Way {
    manager: Manager,
    submit: Submit,
}

enum Submit {
    Hash(api::HashBurst, c_int),
    /// With mode, direction, and the key's length.
    Cipher(api::CipherBurst, [c_int; 3]),
    Queue(Queue),
}

impl Way {
    /// For a hash function or a MAC without a cipher.
    pub(super) fn hash(manager: Manager, algorithm: c_int) -> Self {
        const SUBMIT_HASH_BURST_NOCHECK: usize = 118;
        if !manager.interface.bursts_hash(algorithm) {
            return Self::queue(manager);
        }
        // SAFETY: the type is that of bursts of a hash function alone.
        let submit = unsafe { manager.function(SUBMIT_HASH_BURST_NOCHECK) };
        Self { manager, submit: Submit::Hash(submit, algorithm) }
    }

    /// For a cipher, with or without authentication.
    pub(super) fn cipher(manager: Manager, mode: c_int, direction: c_int, key_len: usize) -> Self {
        const SUBMIT_CIPHER_BURST_NOCHECK: usize = 116;
        const SUBMIT_AEAD_BURST_NOCHECK: usize = 129;
        if !manager.interface.bursts_cipher(mode) {
            return Self::queue(manager);
        }
        let slot =
            if mode == CCM { SUBMIT_AEAD_BURST_NOCHECK } else { SUBMIT_CIPHER_BURST_NOCHECK };
        // SAFETY: the type is that of bursts of a cipher, and of those of an authenticated one.
        let submit = unsafe { manager.function(slot) };
        Self { manager, submit: Submit::Cipher(submit, [mode, direction, key_len as c_int]) }
    }

    /// For every algorithm.
    pub(super) fn queue(manager: Manager) -> Self {
        Self { manager, submit: Submit::Queue(Queue::new(manager)) }
    }

    /// Processes one job.
    ///
    /// # Safety
    /// The memory of the job must be valid, with the lengths that it states, and the algorithms must be those
    /// of this way.
    pub(super) unsafe fn one(&self, job: &mut Job) {
        // SAFETY: as the caller promises.
        unsafe { self.submit(job, 1) }
    }

    /// Processes the jobs of a range.
    ///
    /// # Safety
    /// As for one job.
    pub(super) unsafe fn run(&self, row: &mut Row, range: Range<usize>) {
        for (first, count) in row.parts(range, MOST) {
            // SAFETY: that many jobs stand there, as far apart as the version has them.
            unsafe { self.submit(first, count) }
        }
    }

    /// # Safety
    /// As for one job, for each.
    unsafe fn submit(&self, first: *mut Job, count: usize) {
        let (manager, number) = (self.manager.place, count as u32);
        let done = match &self.submit {
            // SAFETY: the manager has been initialised, and that many jobs are filled in, as the caller promises.
            Submit::Hash(submit, algorithm) => unsafe {
                submit(manager, first, number, *algorithm)
            },
            // SAFETY: as above, and their keys have that length.
            Submit::Cipher(submit, [mode, direction, key_len]) => unsafe {
                submit(manager, first, number, *mode, *direction, *key_len)
            },
            // SAFETY: as above.
            Submit::Queue(queue) => return unsafe { queue.run(self.manager, first, count) },
        };
        assert_eq!(done, number, "it did not do every job");
    }
}

/// Takes jobs of every algorithm one by one, and processes some in parallel.
struct Queue {
    next: api::NextJob,
    submit: api::NextJob,
    flush: api::NextJob,
}

impl Queue {
    fn new(manager: Manager) -> Self {
        const GET_NEXT_JOB: usize = 0;
        const SUBMIT_JOB_NOCHECK: usize = 2;
        const FLUSH_JOB: usize = 4;
        Self {
            // SAFETY: the type is that of the functions that take the manager and give a job; so are those that follow.
            next: unsafe { manager.function(GET_NEXT_JOB) },
            // SAFETY: as above.
            submit: unsafe { manager.function(SUBMIT_JOB_NOCHECK) },
            // SAFETY: as above.
            flush: unsafe { manager.function(FLUSH_JOB) },
        }
    }

    /// Processes jobs, and flushes the queue.
    ///
    /// # Safety
    /// There must be that many jobs, as [`Way::one`] requires.
    unsafe fn run(&self, manager: Manager, first: *const Job, count: usize) {
        let (manager, each) = (manager.place, manager.interface.job_bytes);
        let mut left = count;
        for i in 0..count {
            // SAFETY: the manager has been initialised.
            let place = unsafe { (self.next)(manager) };
            // SAFETY: the `i`th job is there.
            let job = unsafe { first.byte_add(i * each) };
            // SAFETY: both have as many bytes, and one lies inside the manager.
            unsafe { copy_nonoverlapping(job.cast::<u8>(), place.cast(), each) };
            // SAFETY: the job is filled in, as the caller promises.
            let done = unsafe { (self.submit)(manager) };
            // SAFETY: what is not null is the place of a job inside the manager.
            left -= usize::from(unsafe { is_done(done) });
        }
        for _ in 0..left {
            // SAFETY: the manager has been initialised. It does what waits.
            let done = unsafe { (self.flush)(manager) };
            // SAFETY: as above.
            assert!(unsafe { is_done(done) }, "it did not do every job");
        }
    }
}

/// Whether a job was returned, which is then complete.
///
/// # Safety
/// It is null, or points to a job.
unsafe fn is_done(job: *const Job) -> bool {
    if job.is_null() {
        return false;
    }
    // SAFETY: a job is there, of which all versions have this much.
    let status = unsafe { &raw const (*job).status };
    // SAFETY: as above, and the library has written it.
    let status = unsafe { status.read() };
    assert_eq!(status, COMPLETED, "it did not do the job");
    true
}
