//! Batches of records, of any keys and lengths.

use std::{ffi::c_void, mem::discriminant, slice};

use arrayvec::ArrayVec;
use ropewalk::{Error, cbc_hmac};

use super::{Key, ROPEWALK_RECORD_HEADER_LEN, ropewalk_record_key};
use crate::{
    enter::{Failure, Result, call},
    many::{self, Call, GROUP, Gain, wrong},
    memory, object,
    overlap::{self, Region, Span, as_long},
    status::{ropewalk_error, ropewalk_status},
};

/// A record of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_record {
    /// Its key. Records may share a key.
    pub key: *const ropewalk_record_key,
    /// Its initialization vector, of 16 bytes.
    pub iv: *const c_void,
    /// Its sequence number, type and version, of ROPEWALK_RECORD_HEADER_LEN bytes.
    pub header: *const c_void,
    /// For sealing, its text; for opening, the record.
    pub r#in: *const c_void,
    /// Its length in bytes.
    pub in_len: usize,
    /// For sealing, the record; for opening, its text with space for the whole record. It may begin where `in` does.
    pub out: *mut c_void,
    /// Its length in bytes: for sealing, ropewalk_record_len(); for opening, `in_len`.
    pub out_len: usize,
    /// Written when opening: how many bytes of `out` are the text; 0 if it is forged.
    pub text_len: usize,
    /// Written: ROPEWALK_OK or, when opening, ROPEWALK_FORGED.
    pub status: u32,
}

impl ropewalk_record {
    /// The written span comes first.
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

    /// Seals or opens one record. When opening, returns the length of its text.
    ///
    /// # Safety
    /// As [`ropewalk_record_seal_many`]; it has been checked.
    #[inline(always)]
    unsafe fn run_checked<const SEAL: bool>(&self) -> Result<usize> {
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(self.key) };
        // SAFETY: the caller's bytes, which have been checked, apart from what is written.
        let iv = unsafe { memory::array("iv", self.iv) }?;
        // SAFETY: the same.
        let header = unsafe { memory::array("header", self.header) }?;
        let (from, to) = ((self.r#in, self.in_len), (self.out, self.out_len));
        // SAFETY: the same, and for writing.
        let text = unsafe { overlap::checked_text(from, to) };
        match SEAL {
            true => key.seal(iv, header, text, self.in_len).map(|()| 0),
            false => key.open(iv, header, text),
        }
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

/// Seals each record, with the results of a loop over ropewalk_record_seal(), and in lanes where that is faster: best if
/// neighbours have the same hash function. Records may differ in key and length.
///
/// Fails as ropewalk_record_seal() for the first record that would, with its index in the error, and with ROPEWALK_OVERLAP where
/// one writes into `records`, or the key of another one, or a key lies there. Nothing is then written.
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
    call(error, || unsafe { many::run(&Records::<true>, "records", records, count) })
}

/// Opens each record, with the results of a loop over ropewalk_record_open(), and in lanes where that is faster. `status` of each
/// is its result, and `text_len` the length of its text; a forged record is zeroed, and the others are opened.
///
/// Returns ROPEWALK_FORGED where some are forged, with the index of the first. Fails otherwise as ropewalk_record_open() for the
/// first that would, and as ropewalk_record_seal_many(): nothing is then written.
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
    call(error, || unsafe { many::run(&Records::<false>, "records", records, count) })
}

/// Seals or opens.
struct Records<const SEAL: bool>;

impl<const SEAL: bool> Call<5, 1> for Records<SEAL> {
    type Message = ropewalk_record;
    type Keys = ();

    #[inline(always)]
    fn spans(&self, record: &ropewalk_record) -> [Span; 5] {
        record.spans()
    }

    #[inline]
    unsafe fn gain(&self, record: &ropewalk_record, count: usize) -> Gain {
        // measured: on Rocket Lake, eight of 256 bytes take 0.90 of a loop, of 1360 1.1; four of 1360 0.94
        Gain::much_if(count >= 8 && record.in_len >= 1024)
    }

    #[inline(always)]
    unsafe fn fits(&self, record: &ropewalk_record, (): &mut ()) -> bool {
        // SAFETY: as the caller says.
        unsafe { record.check_lens(SEAL) }.is_ok()
    }

    #[inline(always)]
    fn are_alike(&self, one: &ropewalk_record, other: &ropewalk_record) -> bool {
        std::ptr::eq(one.key, other.key) && one.in_len == other.in_len
    }

    #[inline(always)]
    fn is_apart(&self, record: &ropewalk_record) -> bool {
        let input = Region::new("input", (record.r#in, record.in_len));
        let output = Region::new("output", (record.out, record.out_len));
        let iv = Region::new("iv", (record.iv, 16));
        let header = Region::new("header", (record.header, ROPEWALK_RECORD_HEADER_LEN));
        overlap::surely_apart(&input, &output, &[Region::object(record.key), iv, header], &[])
    }

    unsafe fn check(&self, record: &ropewalk_record) -> Result<()> {
        let [_, _, iv, header, key] = record.spans();
        memory::not_null("iv", record.iv)?;
        memory::not_null("header", record.header)?;
        let (from, to) = ((record.r#in, record.in_len), (record.out, record.out_len));
        overlap::check_text(from, to, [iv, header, key])?;
        // SAFETY: as the caller says.
        unsafe { record.check_lens(SEAL) }
    }
    #[inline(always)]
    unsafe fn alone(&self, record: *mut ropewalk_record) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { &*record };
        // SAFETY: the same.
        let done = unsafe { one.run_checked::<SEAL>() };
        let text_len = match done {
            Ok(len) => len,
            Err(failure) => {
                if failure.is_forgery() {
                    // SAFETY: as the caller says, for writing.
                    unsafe { (*record).text_len = 0 };
                    // SAFETY: the same.
                    unsafe { (*record).status = ropewalk_status::ROPEWALK_FORGED as u32 };
                }
                return Err(failure);
            }
        };
        if !SEAL {
            // SAFETY: as the caller says, for writing.
            unsafe { (*record).text_len = text_len };
        }
        // SAFETY: the same.
        unsafe { (*record).status = ropewalk_status::ROPEWALK_OK as u32 };
        Ok(())
    }

    /// Neighbours with the same hash function are processed together.
    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        mut from: usize,
        records: *mut ropewalk_record,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's records, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(records, count) };
        // SAFETY: their keys have been found ready.
        let key = |record: &ropewalk_record| unsafe { object::found(record.key) };
        let alike = |one: &_, next: &_| discriminant(key(one)) == discriminant(key(next));
        let mut all = Ok(());
        for run in group.chunk_by_mut(alike) {
            let done = match (run.first().map(key), SEAL) {
                (Some(Key::Sha1(_)), true) => sha1::seal,
                (Some(Key::Sha1(_)), false) => sha1::open,
                (_, true) => sha256::seal,
                (_, false) => sha256::open,
            };
            // SAFETY: as the caller says, and they are of this function.
            all = all.and(unsafe { done(from, run) });
            from += run.len();
        }
        all
    }
}

/// Declares the functions for neighbours with the same hash function, each of which has been checked.
macro_rules! function {
    ($name:ident: $Hash:ident) => {
        mod $name {
            use cbc_hmac::{Message, open_many, seal_many};
            use ropewalk::$name::$Hash;

            use super::*;

            /// # Safety
            /// As [`ropewalk_record_seal_many`]; there are at most as many as in a group.
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
            /// As [`ropewalk_record_open_many`]; there are at most as many as in a group.
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
                match results.iter().position(|result| result.is_err()) {
                    None => Ok(()),
                    Some(index) => Err(Failure::from(Error::Forged).at(from + index)),
                }
            }

            /// # Safety
            /// As [`ropewalk_record_seal_many`]; there are at most as many as in a group.
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
