//! Ciphers, in bursts.

use std::{ffi::c_int, ptr::from_ref};

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
    burst: Box<[api::Job; MOST]>,
}

impl Cipher {
    pub(super) fn new(manager: Manager, mode: c_int, direction: c_int, keys: &[Vec<u8>]) -> Self {
        const SUBMIT_CIPHER_BURST_NOCHECK: usize = 116;
        // SAFETY: the type is that of bursts of a cipher alone.
        let submit = unsafe { manager.function(SUBMIT_CIPHER_BURST_NOCHECK) };
        let burst = Box::new([api::Job::default(); MOST]);
        let key_len = keys[0].len();
        let keys = keys.iter().map(|key| *manager.expand(key)).collect();
        Self { manager, submit, mode, direction, keys, key_len, burst }
    }

    /// At most [`MOST`] of them, the first of which is the `from`th of its call.
    fn run<'a>(
        &mut self,
        from: usize,
        messages: impl Iterator<Item = (&'a [u8; 16], &'a mut [u8])>,
    ) {
        // It does not take what is empty.
        let messages = messages.enumerate().filter(|(_, (_, text))| !text.is_empty());
        let mut count = 0;
        for (job, (i, (iv, text))) in self.burst.iter_mut().zip(messages) {
            let [encrypt, decrypt] = jobs::of(&self.keys, from + i);
            job.encrypt_keys = from_ref(encrypt).cast();
            job.decrypt_keys = from_ref(decrypt).cast();
            (job.text, job.out) = (text.as_ptr(), text.as_mut_ptr());
            job.cipher_len = text.len() as u64;
            (job.iv, job.iv_len) = (iv.as_ptr(), 16);
            count += 1;
        }
        if count == 0 {
            return;
        }
        let (manager, burst, key_len) =
            (self.manager.0, self.burst.as_mut_ptr(), self.key_len as c_int);
        // SAFETY: the manager has been initialised, and that many jobs are filled in: keys of that
        // length, a whole counter block, and as many bytes as they say.
        let done =
            unsafe { (self.submit)(manager, burst, count, self.mode, self.direction, key_len) };
        assert_eq!(done, count, "it did not do every job");
    }
}

impl jobs::Cbc for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        jobs::Ctr::message(self, iv, text);
    }

    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        jobs::Ctr::messages(self, ivs, texts);
    }
}

impl jobs::Ctr for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.run(0, std::iter::once((iv, text)));
    }

    fn start(&mut self, _: &[u8; 16]) {}

    fn update(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        for (i, (ivs, texts)) in ivs.chunks(MOST).zip(texts.chunks_mut(MOST)).enumerate() {
            self.run(i * MOST, ivs.iter().zip(texts.iter_mut().map(Vec::as_mut_slice)));
        }
    }
}
