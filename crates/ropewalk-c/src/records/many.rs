//! Many records, of any keys and lengths.

use std::{ffi::c_void, mem::discriminant};

use arrayvec::ArrayVec;
use ropewalk::{Error, cbc_hmac};

use super::{Key, ROPEWALK_RECORD_HEADER_LEN, ropewalk_record_key};
use crate::{
    enter::{Failure, Result, call},
    many::{GROUP, wrong},
    memory, object,
    overlap::{self, Span, as_long, batch, rows},
    status::{ropewalk_error, ropewalk_status},
};

/// One of many records.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_record {
    /// Its key, which others may have too.
    pub key: *const ropewalk_record_key,
    /// Its initialization vector, of 16 bytes.
    pub iv: *const c_void,
    /// Its sequence number, type and version, of ROPEWALK_RECORD_HEADER_LEN bytes.
    pub header: *const c_void,
    /// Sealing, its text; opening, the record.
    pub r#in: *const c_void,
    /// Bytes of it.
    pub in_len: usize,
    /// Sealing, the record; opening, its text and as much more as the record has. It may begin where `in` does.
    pub out: *mut c_void,
    /// Bytes of it: sealing, ropewalk_record_len(); opening, `in_len`.
    pub out_len: usize,
    /// Opening, how many bytes of `out` are the text, which is written; 0 where it is forged.
    pub text_len: usize,
    /// What became of it, which is written: ROPEWALK_OK, or opening ROPEWALK_FORGED.
    pub status: u32,
}

impl ropewalk_record {
    /// What it writes comes first.
    #[inline(always)]
    fn spans(&self) -> [Span; 5] {
        [
            Span::new(self.out, self.out_len),
            overlap::own_input((self.r#in, self.in_len), self.out),
            Span::new(self.iv, 16),
            Span::new(self.header, ROPEWALK_RECORD_HEADER_LEN),
            Span::of(self.key),
        ]
    }

    /// # Safety
    /// As [`ropewalk_record_seal_many`].
    unsafe fn check(&self, sealing: bool) -> Result<()> {
        let [_, _, iv, header, its_key] = self.spans();
        memory::not_null("iv", self.iv)?;
        memory::not_null("header", self.header)?;
        let (from, to) = ((self.r#in, self.in_len), (self.out, self.out_len));
        overlap::check_text(from, to, [iv, header, its_key])?;
        // SAFETY: as the caller says.
        unsafe { self.check_lens(sealing) }
    }

    /// # Safety
    /// As [`ropewalk_record_seal_many`].
    #[inline(always)]
    unsafe fn check_lens(&self, sealing: bool) -> Result<()> {
        // SAFETY: the caller's key.
        let key = unsafe { object::get(self.key) }?;
        if sealing {
            return key.check_text(self.in_len, self.out_len);
        }
        as_long("output", self.out_len, self.in_len, "as long as the input")?;
        let (len, least) = (self.in_len, key.sealed_len(0));
        let most = cbc_hmac::LONGEST_TEXT + 2048;
        match len.is_multiple_of(16) && (least..=most).contains(&len) {
            true => Ok(()),
            false => {
                Err(Failure::length("record", len, "whole blocks, with room for a MAC and padding"))
            }
        }
    }
}

/// Seals each record, side by side with others where that is faster: best where neighbours have one hash function. Those of any keys
/// and lengths may be mixed.
///
/// Fails as ropewalk_record_seal() for the first that would, whose index the error has, and with ROPEWALK_OVERLAP where one record
/// is written where another one has something. Nothing is then written.
///
/// # Safety
/// There are `count` records, each as for ropewalk_record_seal(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_record_seal_many(
    records: *mut ropewalk_record,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { run(records, count, true) })
}

/// Opens each record, side by side with others where that is faster. `status` of each says what became of it, and `text_len` how
/// long its text is; one that is forged is zeroed, and says nothing of the others.
///
/// Returns ROPEWALK_FORGED where some are, with the index of the first. Fails otherwise as ropewalk_record_open() for the first that
/// would, and as ropewalk_record_seal_many(): nothing is then written.
///
/// # Safety
/// There are `count` records, each as for ropewalk_record_open(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_record_open_many(
    records: *mut ropewalk_record,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { run(records, count, false) })
}

/// # Safety
/// As [`ropewalk_record_seal_many`].
unsafe fn run(records: *mut ropewalk_record, count: usize, sealing: bool) -> Result<()> {
    // SAFETY: the caller's records.
    let records = unsafe { memory::row_mut("records", records, count) }?;
    // SAFETY: as the caller says.
    let fine = |record: &ropewalk_record| unsafe { record.check_lens(sealing) }.is_ok();
    if !rows::surely_apart::<_, 5, 1>(records, ropewalk_record::spans, fine) {
        for (i, record) in records.iter().enumerate() {
            // SAFETY: as the caller says.
            unsafe { record.check(sealing) }.map_err(|wrong| wrong.at(i))?;
        }
        batch::apart_from_array("records", records, ropewalk_record::spans)?;
        batch::apart(records, 1, ropewalk_record::spans)?;
    }

    // SAFETY: their keys have been found ready.
    let key = |record: &ropewalk_record| unsafe { object::found(record.key) };
    let kind = |record: &ropewalk_record| discriminant(key(record));
    let (mut from, mut forged) = (0, None);
    for group in records.chunks_mut(GROUP) {
        for run in group.chunk_by_mut(|one, next| kind(one) == kind(next)) {
            let Some(first) = run.first() else { continue };
            let done = match (key(first), sealing) {
                (Key::Sha1(_), true) => sha1::seal,
                (Key::Sha1(_), false) => sha1::open,
                (Key::Sha256(_), true) => sha256::seal,
                (Key::Sha256(_), false) => sha256::open,
            };
            // SAFETY: each has been checked, and they are apart.
            unsafe { done(from, run) }?;
            let failed =
                run.iter().position(|one| one.status != ropewalk_status::ROPEWALK_OK as u32);
            forged = forged.or(failed.map(|index| from + index));
            from += run.len();
        }
    }
    match forged {
        None => Ok(()),
        Some(index) => Err(Failure::from(Error::Forged).at(index)),
    }
}

/// Writes what is done with neighbours of one hash function, each of which has been checked.
macro_rules! function {
    ($name:ident: $Hash:ident) => {
        mod $name {
            use cbc_hmac::{Message, open_many, seal_many};
            use ropewalk::$name::$Hash;

            use super::*;

            /// # Safety
            /// As [`ropewalk_record_seal_many`]; there are no more than go in a group.
            pub(super) unsafe fn seal(from: usize, run: &mut [ropewalk_record]) -> Result<()> {
                let mut all = ArrayVec::new();
                // SAFETY: as the caller says.
                unsafe { put_messages(run, &mut all) }?;
                seal_many(&mut all).map_err(|one| wrong(from, one))?;
                for record in run {
                    record.status = ropewalk_status::ROPEWALK_OK as u32;
                }
                Ok(())
            }

            /// # Safety
            /// As [`ropewalk_record_open_many`]; there are no more than go in a group.
            pub(super) unsafe fn open(from: usize, run: &mut [ropewalk_record]) -> Result<()> {
                let mut results = ArrayVec::<_, GROUP>::new();
                results.extend(run.iter().map(|_| Ok(())));
                let mut all = ArrayVec::new();
                // SAFETY: as the caller says.
                unsafe { put_messages(run, &mut all) }?;
                open_many(&mut all, &mut results).map_err(|one| wrong(from, one))?;
                for ((record, message), result) in run.iter_mut().zip(&all).zip(&results) {
                    (record.text_len, record.status) = match result {
                        Ok(()) => (message.len, ropewalk_status::ROPEWALK_OK as u32),
                        Err(_) => (0, ropewalk_status::ROPEWALK_FORGED as u32),
                    };
                }
                Ok(())
            }

            /// # Safety
            /// As [`ropewalk_record_seal_many`]; there are no more than go in a group.
            unsafe fn put_messages<'a>(
                run: &[ropewalk_record],
                all: &mut ArrayVec<Message<'a, $Hash>, GROUP>,
            ) -> Result<()> {
                for one in run {
                    // SAFETY: the caller's key, which has been found ready.
                    let Key::$Hash(key) = (unsafe { object::found(one.key) }) else {
                        unreachable!("neighbours of one hash function")
                    };
                    // SAFETY: the caller's bytes, which have been checked, apart from what is written.
                    let iv = unsafe { memory::array("iv", one.iv) }?;
                    // SAFETY: the same.
                    let header = unsafe { memory::array("header", one.header) }?;
                    let (from, to) = ((one.r#in, one.in_len), (one.out, one.out_len));
                    // SAFETY: the same, and for writing; the output is as long as the input, or longer.
                    let record = match unsafe { overlap::checked_text(from, to) } {
                        overlap::Text::InPlace(record) => record,
                        overlap::Text::Copying(from, to) => {
                            to[..from.len()].copy_from_slice(from);
                            to
                        }
                    };
                    all.push(Message { key, iv, header, record, len: one.in_len });
                }
                Ok(())
            }
        }
    };
}

function! { sha1: Sha1 }
function! { sha256: Sha256 }
