//! TLS records: AES-CBC with HMAC.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    How,
    api::{self, OK, Object, RECORD_KEY_WORDS, Record},
    done, made, number,
};
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::{Cell, Function, Kind},
};

/// A job of records.
pub(super) fn job(
    library: &'static Library,
    cell: &Cell,
    how: How,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::Records::load(library)?;
    let Kind::Records { function, .. } = cell.task.kind else { unreachable!("records") };
    let name = if function == Function::Sha1 { "sha1" } else { "sha256" };
    let hash = number(name, api.ropewalk_hash_named)?;
    if how == How::Alone {
        return jobs::records(cell, move |keys| {
            let mut key = Key::new();
            set(&api, hash, &mut key, keys)?;
            Ok(One { api, hash, key })
        });
    }
    jobs::record_calls(cell, |all| {
        let mut keys = Vec::new();
        for of_it in all {
            let mut key = Key::new();
            set(&api, hash, &mut key, *of_it)?;
            keys.push(key);
        }
        Ok(Several { api, keys, how })
    })
}

type Key = Object<RECORD_KEY_WORDS>;

/// Makes a key in unused words.
fn set(
    api: &api::Records,
    hash: u32,
    key: &mut Key,
    keys: jobs::RecordKeys<'_>,
) -> Result<(), Unavailable> {
    let jobs::RecordKeys { aes, mac } = keys;
    // SAFETY: the key is for writing, each secret has the given length, and the error may be NULL.
    made(unsafe {
        (api.ropewalk_record_key_init)(
            key.get_mut(),
            hash,
            aes.as_ptr(),
            aes.len(),
            mac.as_ptr(),
            mac.len(),
            null_mut(),
        )
    })
}

struct One {
    api: api::Records,
    hash: u32,
    key: Key,
}

impl jobs::Records for One {
    fn seal(&mut self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8], len: usize) {
        assert!(len <= record.len(), "a text in front");
        let start = record.as_mut_ptr();
        // SAFETY: the key was made, and each pointer has as many bytes as follow it.
        done(unsafe {
            (self.api.ropewalk_record_seal)(
                self.key.get(),
                iv.as_ptr(),
                iv.len(),
                header.as_ptr(),
                header.len(),
                start,
                len,
                start,
                record.len(),
                null_mut(),
            )
        });
    }

    fn open(
        &mut self,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &[u8],
        text: &mut [u8],
    ) -> Option<usize> {
        assert_eq!(record.len(), text.len(), "a place for it");
        let mut len = 0;
        // SAFETY: as for `seal`, there is space for the text, and its length is for writing.
        let status = unsafe {
            (self.api.ropewalk_record_open)(
                self.key.get(),
                iv.as_ptr(),
                iv.len(),
                header.as_ptr(),
                header.len(),
                record.as_ptr(),
                text.as_mut_ptr(),
                text.len(),
                &mut len,
                null_mut(),
            )
        };
        (status == OK).then_some(len)
    }

    fn rekey(&mut self, keys: jobs::RecordKeys<'_>) -> bool {
        // SAFETY: the key was made.
        unsafe { (self.api.ropewalk_record_key_wipe)(self.key.get_mut()) };
        set(&self.api, self.hash, &mut self.key, keys).expect("it has been made before");
        true
    }
}

/// Batches of records in a call, with one key or with separate keys. They are laid out before the first call,
/// as they are in a program.
struct Several {
    api: api::Records,
    keys: Vec<Key>,
    how: How,
}

impl Several {
    /// The `i`th record of a call.
    fn record(
        &self,
        i: usize,
        iv: &[u8; 16],
        (from, from_len): (*const u8, usize),
        (to, to_len): (*mut u8, usize),
    ) -> Record {
        let key = jobs::of(&self.keys, i).get();
        let (iv, header) = (iv.as_ptr(), jobs::HEADER.as_ptr());
        Record { key, iv, header, from, from_len, to, to_len, text_len: 0, status: OK }
    }

    /// # Safety
    /// The pointers of each record have as many bytes as it says.
    unsafe fn seal_call(&self, records: &mut [Record]) {
        let api = &self.api;
        if self.how == How::Many {
            let (all, count) = (records.as_mut_ptr(), records.len());
            // SAFETY: as the caller promises.
            return done(unsafe { (api.ropewalk_record_seal_many)(all, count, null_mut()) });
        }
        for r in records {
            // SAFETY: as the caller promises.
            done(unsafe {
                (api.ropewalk_record_seal)(
                    r.key,
                    r.iv,
                    16,
                    r.header,
                    jobs::HEADER.len(),
                    r.from,
                    r.from_len,
                    r.to,
                    r.to_len,
                    null_mut(),
                )
            });
        }
    }

    /// Each record has its status and the length of its text.
    ///
    /// # Safety
    /// As [`Self::seal_call`].
    unsafe fn open_call(&self, records: &mut [Record]) {
        let api = &self.api;
        if self.how == How::Many {
            let (all, count) = (records.as_mut_ptr(), records.len());
            // SAFETY: as the caller promises.
            let status = unsafe { (api.ropewalk_record_open_many)(all, count, null_mut()) };
            assert!(status == OK || status == FORGED, "the library refuses its own records");
            return;
        }
        for r in records {
            // SAFETY: as the caller promises.
            r.status = unsafe {
                (api.ropewalk_record_open)(
                    r.key,
                    r.iv,
                    16,
                    r.header,
                    jobs::HEADER.len(),
                    r.from,
                    r.to,
                    r.to_len,
                    &mut r.text_len,
                    null_mut(),
                )
            };
        }
    }
}

/// `ROPEWALK_FORGED`.
const FORGED: api::Status = 1;

impl jobs::RecordCalls for Several {
    fn seal(&mut self, calls: usize, turn: &mut jobs::Turn, records: &mut [jobs::Record]) {
        let all = records.iter_mut().enumerate().map(|(i, (iv, text, record))| {
            let start = record.as_mut_ptr();
            let places = ((start.cast_const(), text.len()), (start, record.len()));
            self.record(i % turn.count(), iv, places.0, places.1)
        });
        let mut all: Vec<_> = all.collect();
        for _ in 0..calls {
            let range = turn.take(all.len());
            // SAFETY: what they point to lives as long as this, and has the given length.
            unsafe { self.seal_call(&mut all[range]) };
        }
    }

    fn open(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        records: &[jobs::Record],
        texts: &mut [jobs::Text],
        lens: &mut [Option<usize>],
    ) {
        let places: Vec<_> = texts.iter_mut().map(|text| (text.as_mut_ptr(), text.len())).collect();
        let all = records.iter().enumerate().map(|(i, (iv, _, record))| {
            let i = i % turn.count();
            assert_eq!(record.len(), places[i].1, "a place for it");
            self.record(i, iv, (record.as_ptr(), record.len()), places[i])
        });
        let mut all: Vec<_> = all.collect();
        for _ in 0..calls {
            let opened = &mut all[turn.take(records.len())];
            // SAFETY: as for `seal`, and there is space for each text.
            unsafe { self.open_call(opened) };
            for (len, record) in lens.iter_mut().zip(opened) {
                *len = (record.status == OK).then_some(record.text_len);
            }
        }
    }
}
