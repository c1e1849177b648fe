//! Ciphers, in bursts.

use std::{ffi::c_int, ptr::from_ref, slice::from_mut};

use super::{
    api::{self, MOST},
    manager::{Manager, RoundKeys},
};
use crate::peers::jobs;

/// Bursts of one cipher mode, in place.
pub(super) struct Cipher {
    manager: Manager,
    submit: api::CipherBurst,
    mode: c_int,
    direction: c_int,
    keys: Vec<[RoundKeys; 2]>,
    key_len: usize,
}

impl Cipher {
    pub(super) fn new(manager: Manager, mode: c_int, direction: c_int, keys: &[Vec<u8>]) -> Self {
        const SUBMIT_CIPHER_BURST_NOCHECK: usize = 116;
        // SAFETY: the type is that of bursts of a cipher alone.
        let submit = unsafe { manager.function(SUBMIT_CIPHER_BURST_NOCHECK) };
        let key_len = keys[0].len();
        let keys = keys.iter().map(|key| *manager.expand(key)).collect();
        Self { manager, submit, mode, direction, keys, key_len }
    }

    /// A job for each message of a call that is not empty: it does not take what is.
    fn described(&self, call: &mut jobs::Buffer) -> Vec<api::Job> {
        let messages = call.ivs.iter().zip(&mut call.texts).enumerate();
        let messages = messages.filter(|(_, (_, text))| !text.is_empty());
        messages.map(|(i, (iv, text))| self.job(jobs::of(&self.keys, i), iv, text)).collect()
    }

    fn job(&self, keys: &[RoundKeys; 2], iv: &[u8; 16], text: &mut [u8]) -> api::Job {
        let [encrypt, decrypt] = keys;
        api::Job {
            encrypt_keys: from_ref(encrypt).cast(),
            decrypt_keys: from_ref(decrypt).cast(),
            text: text.as_ptr(),
            out: text.as_mut_ptr(),
            cipher_len: text.len() as u64,
            iv: iv.as_ptr(),
            iv_len: 16,
            ..api::Job::default()
        }
    }

    /// # Safety
    /// What the jobs point to must live and be as long as they say.
    unsafe fn submit(&self, jobs: &mut [api::Job]) {
        let (manager, key_len) = (self.manager.0, self.key_len as c_int);
        let (place, count) = (jobs.as_mut_ptr(), jobs.len() as u32);
        // SAFETY: the manager has been initialised, and that many jobs are filled in: keys of that length, a whole counter
        // block, and as many bytes as they say.
        let done =
            unsafe { (self.submit)(manager, place, count, self.mode, self.direction, key_len) };
        assert_eq!(done, count, "it did not do every job");
    }
}

impl jobs::CipherCalls for Cipher {
    /// What tells the library of the messages is filled in before the first call.
    fn messages(&mut self, calls: usize, turn: &mut jobs::Turn, all: &mut [jobs::Buffer]) {
        let mut bursts: Vec<_> = all.iter_mut().map(|call| self.described(call)).collect();
        for _ in 0..calls {
            for jobs in bursts[turn.take_one(all.len())].chunks_mut(MOST) {
                // SAFETY: keys, vectors and texts live as long as this call.
                unsafe { self.submit(jobs) }
            }
        }
    }
}

/// One message in a burst, with a key of its own.
impl jobs::Cbc for Cipher {
    const NOTE: &str = FILLED_IN;

    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        // It does not take what is empty.
        if !text.is_empty() {
            let mut job = self.job(&self.keys[0], iv, text);
            // SAFETY: keys, vector and text live as long as this call.
            unsafe { self.submit(from_mut(&mut job)) }
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.manager.expand_to(key, &mut self.keys[0]);
        true
    }
}

/// The note of those that tell the library of each message anew.
pub(super) const FILLED_IN: &str = "a job is filled in for each message, which counts";

impl jobs::Ctr for Cipher {
    const NOTE: &str = FILLED_IN;

    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        jobs::Cbc::message(self, iv, text);
    }

    fn start(&mut self, _: &[u8; 16]) {}

    fn update(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        jobs::Cbc::rekey(self, key)
    }
}
