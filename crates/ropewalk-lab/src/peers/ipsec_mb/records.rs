//! AES-CBC after HMAC in one job.

use std::ptr::from_ref;

use super::{
    api::{self, CBC, ENCRYPT, HASH_CIPHER},
    mac::{Hmac, Keys},
    manager::{Manager, RoundKeys},
    way::Way,
};
use crate::{peers::jobs, tasks::Function};

pub(super) struct Records {
    manager: Manager,
    way: Way,
    hmac: Hmac,
    mac_len: usize,
    keys: Keys,
    round_keys: Box<[RoundKeys; 2]>,
    key_len: usize,
    /// The hashed data is contiguous, with the pseudo header first: a record is assembled here.
    place: Vec<u8>,
}

impl Records {
    pub(super) fn new(
        manager: Manager,
        function: Function,
        hmac: Hmac,
        keys: jobs::RecordKeys<'_>,
    ) -> Self {
        Self {
            manager,
            // Bursts have only one algorithm.
            way: Way::queue(manager),
            hmac,
            mac_len: function.output_len(),
            keys: Keys::hmac(manager, hmac, keys.mac),
            round_keys: manager.expand(keys.aes),
            key_len: keys.aes.len(),
            place: Vec::new(),
        }
    }
}

/// The length of the pseudo header: that of a record, and the length of its text.
const PSEUDO_HEADER: usize = 13;

impl jobs::Records for Records {
    const SEAL_NOTE: &str = "hashes what lies in one piece: the copy of the text counts";

    fn seal(&mut self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8], len: usize) {
        let tag_at = PSEUDO_HEADER + len;
        let (text, rest) = record.split_at(len);
        self.place.resize(PSEUDO_HEADER + record.len(), 0);
        self.place[..11].copy_from_slice(header);
        self.place[11..PSEUDO_HEADER].copy_from_slice(&(len as u16).to_be_bytes());
        self.place[PSEUDO_HEADER..tag_at].copy_from_slice(text);
        let padding = rest.len() - self.mac_len;
        self.place[tag_at + self.mac_len..].fill((padding - 1) as u8);
        let start = self.place.as_mut_ptr();
        let mut job = api::Job {
            encrypt_keys: from_ref(&self.round_keys[0]).cast(),
            decrypt_keys: from_ref(&self.round_keys[1]).cast(),
            key_len: self.key_len as u64,
            text: start,
            out: record.as_mut_ptr(),
            cipher_from: PSEUDO_HEADER as u64,
            cipher_len: record.len() as u64,
            hash_len: tag_at as u64,
            iv: iv.as_ptr(),
            iv_len: 16,
            tag: start.wrapping_add(tag_at),
            tag_len: self.mac_len as u64,
            of_algorithm: self.keys.places(),
            cipher: CBC,
            direction: ENCRYPT,
            hash: self.hmac.number,
            order: HASH_CIPHER,
            ..api::Job::default()
        };
        // SAFETY: the hashed data ends where the tag begins, the encrypted data has the length of the record,
        // both are in `place`, and the keys are those of the algorithms.
        unsafe { self.way.one(&mut job) }
    }

    fn open(&mut self, _: &[u8; 16], _: &[u8; 11], _: &[u8], _: &mut [u8]) -> Option<usize> {
        unreachable!("it only seals");
    }

    fn rekey(&mut self, keys: jobs::RecordKeys<'_>) -> bool {
        self.keys = Keys::hmac(self.manager, self.hmac, keys.mac);
        self.manager.expand_to(keys.aes, &mut self.round_keys);
        true
    }
}
