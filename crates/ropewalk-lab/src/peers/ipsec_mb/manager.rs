//! The manager, which holds the functions for its processor.

use std::{
    ffi::c_void,
    ptr::{from_mut, null_mut},
};

use libloading::os::unix::Library;

use super::api;
use crate::peers::Unavailable;

/// A manager of the library, which lives until the process ends.
#[derive(Clone, Copy)]
pub(super) struct Manager(pub(super) *mut c_void);

impl Manager {
    /// The one that suits the processor, but for words: `sse` or `avx2` in place of it, `no-sha`,
    /// `no-gfni`.
    pub(super) fn new(library: &'static Library, words: &str) -> Result<Self, Unavailable> {
        let api = api::Make::load(library)?;
        let has = |word: &str| words.split(',').any(|given| given == word);
        let flags = u64::from(has("no-sha")) | u64::from(has("no-gfni")) << 1;
        // SAFETY: both flags are known, and it may answer null.
        let made = unsafe { (api.alloc_mb_mgr)(flags) };
        if made.is_null() {
            return Err(Unavailable("alloc_mb_mgr failed".into()));
        }
        let manager = Self(made);
        if has("sse") {
            // SAFETY: it has been allocated.
            unsafe { (api.init_mb_mgr_sse)(made) }
        } else if has("avx2") {
            // SAFETY: as above.
            unsafe { (api.init_mb_mgr_avx2)(made) }
        } else {
            // SAFETY: as above; which it chooses need not be said.
            unsafe { (api.init_mb_mgr_auto)(made, null_mut()) }
        }
        // SAFETY: it has been allocated.
        match unsafe { (api.imb_get_errno)(made) } {
            0 => Ok(manager),
            _ => Err(Unavailable("needs features that this processor lacks".into())),
        }
    }

    /// A function of its table, at an offset that the public header fixes: new functions are added
    /// at the end.
    ///
    /// # Safety
    /// `F` must be the type that the header gives what stands there.
    pub(super) unsafe fn function<F: Copy>(self, slot: usize) -> F {
        const TABLE: usize = 64;
        assert_eq!(size_of::<F>(), size_of::<fn()>(), "a function pointer");
        // SAFETY: the table is inside the manager, which has been initialised.
        let at = unsafe { self.0.byte_add(TABLE + slot * size_of::<fn()>()) };
        // SAFETY: a function of this type stands there, as the caller promises.
        unsafe { at.cast::<F>().read() }
    }

    /// Makes the round keys of both directions.
    pub(super) fn expand(self, key: &[u8]) -> Box<[RoundKeys; 2]> {
        let mut keys = Box::new([RoundKeys([0; 240]); 2]);
        self.expand_to(key, &mut keys);
        keys
    }

    /// The same where others were.
    pub(super) fn expand_to(self, key: &[u8], keys: &mut [RoundKeys; 2]) {
        const KEYEXP_128: usize = 6;
        let slot = KEYEXP_128 + (key.len() - 16) / 8;
        // SAFETY: the type is that of the key expansions, which stand in order of length.
        let expand: api::Expand = unsafe { self.function(slot) };
        let [encrypt, decrypt] = keys;
        let (encrypt, decrypt) = (from_mut(encrypt).cast(), from_mut(decrypt).cast());
        // SAFETY: the key is as long as the function's name says, and there is room for 15 round
        // keys twice.
        unsafe { expand(key.as_ptr().cast(), encrypt, decrypt) }
    }
}

/// Up to 15 of them.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct RoundKeys([u8; 240]);

/// Jobs one by one.
pub(super) struct Queue {
    pub(super) manager: Manager,
    next: api::NextJob,
    submit: api::NextJob,
    flush: api::NextJob,
}

impl Queue {
    pub(super) fn new(manager: Manager) -> Self {
        const GET_NEXT_JOB: usize = 0;
        const SUBMIT_JOB_NOCHECK: usize = 2;
        const FLUSH_JOB: usize = 4;
        Self {
            manager,
            // SAFETY: the type is that of the functions that take the manager and give a job; so are those that follow.
            next: unsafe { manager.function(GET_NEXT_JOB) },
            // SAFETY: as above.
            submit: unsafe { manager.function(SUBMIT_JOB_NOCHECK) },
            // SAFETY: as above.
            flush: unsafe { manager.function(FLUSH_JOB) },
        }
    }

    /// Does one job.
    ///
    /// # Safety
    /// What it points to must be what its algorithms take, and as long as it says.
    pub(super) unsafe fn run(&self, job: &api::Job) {
        // SAFETY: the manager has been initialised.
        let place = unsafe { (self.next)(self.manager.0) };
        // SAFETY: it is the place of a job inside the manager.
        unsafe { place.write(*job) };
        // SAFETY: the job is filled in, as the caller promises.
        let mut done = unsafe { (self.submit)(self.manager.0) };
        if done.is_null() {
            // SAFETY: the manager has been initialised. It does what waits.
            done = unsafe { (self.flush)(self.manager.0) };
        }
        // SAFETY: what is not null is the place of a job inside the manager.
        let status = unsafe { done.as_ref() }.map(|job| job.status);
        assert_eq!(status, Some(api::COMPLETED), "it did not do the job");
    }
}
