//! Ciphers.

use std::{ffi::c_int, ptr::from_ref};

use super::{
    api::{self, CIPHER_HASH},
    manager::{Manager, RoundKeys},
    row::Row,
    way::Way,
};
use crate::peers::jobs;

/// One cipher mode, in place.
pub(super) struct Cipher {
    manager: Manager,
    way: Way,
    mode: c_int,
    direction: c_int,
    keys: Vec<[RoundKeys; 2]>,
    key_len: usize,
}

impl Cipher {
    pub(super) fn new(manager: Manager, mode: c_int, direction: c_int, keys: &[Vec<u8>]) -> Self {
        let key_len = keys[0].len();
        let way = Way::cipher(manager, mode, direction, key_len);
        let keys = keys.iter().map(|key| *manager.expand(key)).collect();
        Self { manager, way, mode, direction, keys, key_len }
    }

    /// A job for each message of a call that is not empty: empty ones are refused.
    fn described(&self, call: &mut jobs::Buffer) -> Row {
        let messages = call.ivs.iter().zip(&mut call.texts).enumerate();
        let messages = messages.filter(|(_, (_, text))| !text.is_empty());
        let jobs = messages.map(|(i, (iv, text))| self.job(jobs::of(&self.keys, i), iv, text));
        Row::new(self.manager.interface, jobs)
    }

    fn job(&self, keys: &[RoundKeys; 2], iv: &[u8; 16], text: &mut [u8]) -> api::Job {
        let [encrypt, decrypt] = keys;
        api::Job {
            encrypt_keys: from_ref(encrypt).cast(),
            decrypt_keys: from_ref(decrypt).cast(),
            key_len: self.key_len as u64,
            text: text.as_ptr(),
            out: text.as_mut_ptr(),
            cipher_len: text.len() as u64,
            iv: iv.as_ptr(),
            iv_len: 16,
            cipher: self.mode,
            direction: self.direction,
            order: CIPHER_HASH,
            ..api::Job::default()
        }
    }
}

impl jobs::CipherCalls for Cipher {
    /// The descriptions of the messages are filled in before the first call.
    fn messages(&mut self, calls: usize, turn: &mut jobs::Turn, all: &mut [jobs::Buffer]) {
        let mut rows: Vec<_> = all.iter_mut().map(|call| self.described(call)).collect();
        for _ in 0..calls {
            let row = &mut rows[turn.take_one(all.len())];
            let range = row.all();
            // SAFETY: keys, vectors and texts live as long as this call: keys of that length, whole counter blocks, and
            // as many bytes as the jobs say.
            unsafe { self.way.run(row, range) }
        }
    }
}

/// One message, with a separate key.
impl jobs::Cbc for Cipher {
    const NOTE: &str = FILLED_IN;

    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        // It does not accept empty texts.
        if !text.is_empty() {
            let mut job = self.job(&self.keys[0], iv, text);
            // SAFETY: as for several.
            unsafe { self.way.one(&mut job) }
        }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.manager.expand_to(key, &mut self.keys[0]);
        true
    }
}

/// The note for those that describe each message again.
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
