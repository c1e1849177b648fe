//! Tags of many messages.

use std::{ffi::c_void, mem::discriminant};

use arrayvec::ArrayVec;
use ropewalk::{Hash, aes_cmac, hmac};

use super::{Key, OfKey, check_tag, ropewalk_mac_key, with_hmac};
use crate::{
    enter::{Failure, Result, call},
    many::{FEW, GROUP, SHORT_TEXT},
    memory, object,
    overlap::{self, Span, batch, rows},
    status::{ropewalk_error, ropewalk_status},
};

/// One of many messages.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_mac_message {
    /// Its key, which others may have too.
    pub key: *const ropewalk_mac_key,
    /// The message.
    pub message: *const c_void,
    /// Bytes of it.
    pub message_len: usize,
    /// Where its tag goes; verifying, it is only read. It may lie within this message, and not within another one.
    pub tag: *mut c_void,
    /// Bytes of it.
    pub tag_len: usize,
    /// What became of it, which is written: ROPEWALK_OK, or verifying ROPEWALK_FORGED.
    pub status: u32,
}

impl ropewalk_mac_message {
    /// What it writes comes first.
    #[inline(always)]
    fn spans(&self) -> [Span; 3] {
        [
            Span::new(self.tag, self.tag_len),
            Span::new(self.message, self.message_len),
            Span::of(self.key),
        ]
    }

    /// # Safety
    /// As [`ropewalk_mac_many`].
    unsafe fn check(&self) -> Result<()> {
        overlap::apart("tag", self.spans()[0], [self.spans()[2]])?;
        memory::check("message", self.message, self.message_len)?;
        memory::check("tag", self.tag, self.tag_len)?;
        // SAFETY: the caller's key.
        check_tag(unsafe { object::get(self.key) }?, self.tag_len)
    }

    /// Whether its key is ready and has such tags, given the key of the message before and the length of its tags.
    ///
    /// # Safety
    /// As [`ropewalk_mac_many`].
    #[inline(always)]
    unsafe fn fits(&self, last: &mut Option<(*const ropewalk_mac_key, usize)>) -> bool {
        if let Some((key, tag_len)) = *last
            && std::ptr::eq(key, self.key)
        {
            return self.tag_len == tag_len;
        }
        // SAFETY: the caller's key.
        let Ok(key) = (unsafe { object::get(self.key) }) else { return false };
        if self.tag_len != key.tag_len() {
            return false;
        }
        // What is wrong is not kept: messages may be looked at once more.
        *last = Some((self.key, self.tag_len));
        true
    }

    /// # Safety
    /// As [`ropewalk_mac_many`], it has been checked.
    unsafe fn text<'a>(&self) -> &'a [u8] {
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { memory::bytes(self.message, self.message_len) }
    }
}

/// Writes the tag of each message, side by side with others where that is faster: best where neighbours have keys of one algorithm.
/// Those of any keys and lengths may be mixed.
///
/// Fails as ropewalk_mac_once() for the first message that would, whose index the error has, and with ROPEWALK_OVERLAP where a tag
/// goes where another message has something. Nothing is then written.
///
/// # Safety
/// There are `count` messages, each as for ropewalk_mac_once(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_many(
    messages: *mut ropewalk_mac_message,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's messages.
        let messages = unsafe { memory::row_mut("messages", messages, count) }?;
        let mut last = None;
        // SAFETY: as the caller says.
        let fine = |message: &ropewalk_mac_message| unsafe { message.fits(&mut last) };
        if !rows::surely_apart::<_, 3, 1>(messages, ropewalk_mac_message::spans, fine) {
            // SAFETY: as the caller says.
            unsafe { check_exactly(messages) }?;
        }
        for group in messages.chunks_mut(GROUP) {
            // SAFETY: each has been checked.
            for run in group.chunk_by_mut(|one, next| unsafe { alike(one, next) }) {
                // SAFETY: each has been checked, and they are alike.
                unsafe { tags(run) }?;
            }
        }
        Ok(())
    })
}

/// Whether the tag of each message is its tag; they may be cut as ropewalk_mac_verify() takes them. `status` of each message says
/// what became of it.
///
/// Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_mac_many(): nothing is then
/// written.
///
/// # Safety
/// There are `count` messages, each as for ropewalk_mac_verify(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_verify_many(
    messages: *mut ropewalk_mac_message,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's messages.
        let messages = unsafe { memory::row_mut("messages", messages, count) }?;
        for (i, one) in messages.iter().enumerate() {
            memory::check("message", one.message, one.message_len).map_err(|wrong| wrong.at(i))?;
            memory::check("tag", one.tag, one.tag_len).map_err(|wrong| wrong.at(i))?;
            // SAFETY: the caller's key.
            unsafe { object::get(one.key) }.map_err(|wrong| wrong.at(i))?;
        }
        batch::apart_from_array("messages", messages, ropewalk_mac_message::spans)?;
        let (mut from, mut first) = (0, None);
        for group in messages.chunks_mut(GROUP) {
            // SAFETY: each has been checked.
            for run in group.chunk_by_mut(|one, next| unsafe { alike(one, next) }) {
                let mut results = [Ok(()); GROUP];
                // SAFETY: each has been checked, and they are alike.
                unsafe { verdicts(run, &mut results[..run.len()]) }?;
                for (i, (message, result)) in run.iter_mut().zip(results).enumerate() {
                    let result = result.map_err(Failure::from);
                    message.status = result.as_ref().map_or_else(Failure::status, |()| OK) as u32;
                    if let (None, Err(failure)) = (&first, result) {
                        first = Some(failure.at(from + i));
                    }
                }
                from += run.len();
            }
        }
        first.map_or(Ok(()), Err)
    })
}

/// Whether messages are right, each by itself and with the others, whatever they are.
///
/// # Safety
/// As [`ropewalk_mac_many`].
#[cold]
unsafe fn check_exactly(messages: &[ropewalk_mac_message]) -> Result<()> {
    for (i, message) in messages.iter().enumerate() {
        // SAFETY: as the caller says.
        unsafe { message.check() }.map_err(|wrong| wrong.at(i))?;
    }
    batch::apart_from_array("messages", messages, ropewalk_mac_message::spans)?;
    batch::apart(messages, 1, ropewalk_mac_message::spans)
}

const OK: ropewalk_status = ropewalk_status::ROPEWALK_OK;

/// Whether two go together: their keys are of one algorithm.
///
/// # Safety
/// Both keys have been found ready.
unsafe fn alike(one: &ropewalk_mac_message, next: &ropewalk_mac_message) -> bool {
    // SAFETY: as the caller says.
    let kind = |key| discriminant(unsafe { object::found(key) });
    std::ptr::eq(one.key, next.key) || kind(one.key) == kind(next.key)
}

/// # Safety
/// As [`ropewalk_mac_many`]; all are checked and alike, and no more than go in a group.
unsafe fn tags(run: &mut [ropewalk_mac_message]) -> Result<()> {
    if run.len() < FEW && run.iter().all(|one| one.message_len <= SHORT_TEXT) {
        for one in run {
            // SAFETY: the caller's key, which has been found ready.
            let key = unsafe { object::found(one.key) };
            // SAFETY: the caller's bytes, which have been checked.
            let text = unsafe { one.text() };
            // SAFETY: the caller's bytes, for writing, which are asked for when the message has been read.
            key.mac(text, || unsafe { memory::bytes_mut(one.tag, one.tag_len) });
            one.status = OK as u32;
        }
        return Ok(());
    }
    let Some(first) = run.first() else { return Ok(()) };
    // SAFETY: the caller's key.
    with_hmac!(unsafe { object::get(first.key) }?, (H, _key) => {
        let mut messages = ArrayVec::new();
        // SAFETY: as the caller says.
        unsafe { put_hmacs::<H>(run, &mut messages) };
        let mut tags = ArrayVec::<_, GROUP>::new();
        tags.extend(run.iter().map(|_| [0; H::DIGEST_LEN]));
        hmac::mac_many::<<H as Hash>::Many>(&messages, &mut tags)?;
        for (one, tag) in run.iter_mut().zip(&tags) {
            // SAFETY: the caller's bytes, for writing, which have been checked; messages are not needed any more.
            unsafe { memory::bytes_mut(one.tag, one.tag_len) }.copy_from_slice(tag);
            one.status = OK as u32;
        }
    }, Key::Cmac(..) => {
        let mut messages = ArrayVec::new();
        // SAFETY: as the caller says.
        unsafe { put_cmacs(run, &mut messages) };
        let mut tags = ArrayVec::<_, GROUP>::new();
        tags.extend(run.iter().map(|_| aes_cmac::Tag::default()));
        aes_cmac::mac_many(&messages, &mut tags)?;
        for (one, tag) in run.iter_mut().zip(&tags) {
            // SAFETY: the caller's bytes, for writing, which have been checked; messages are not needed any more.
            unsafe { memory::bytes_mut(one.tag, one.tag_len) }.copy_from_slice(tag);
            one.status = OK as u32;
        }
    });
    Ok(())
}

/// # Safety
/// As [`ropewalk_mac_verify_many`]; all are checked and alike, and no more than go in a group.
unsafe fn verdicts(
    run: &[ropewalk_mac_message],
    results: &mut [std::result::Result<(), ropewalk::Error>],
) -> Result<()> {
    let Some(first) = run.first() else { return Ok(()) };
    // SAFETY: the caller's bytes, which have been checked.
    let tag = |one: &ropewalk_mac_message| unsafe { memory::bytes(one.tag, one.tag_len) };
    let mut tags = ArrayVec::<&[u8], GROUP>::new();
    tags.extend(run.iter().map(tag));
    // SAFETY: the caller's key.
    with_hmac!(unsafe { object::get(first.key) }?, (H, _key) => {
        let mut messages = ArrayVec::new();
        // SAFETY: as the caller says.
        unsafe { put_hmacs::<H>(run, &mut messages) };
        hmac::Many::<<H as Hash>::Many>::new().verify(&messages, &tags, results)?;
    }, Key::Cmac(..) => {
        let mut messages = ArrayVec::new();
        // SAFETY: as the caller says.
        unsafe { put_cmacs(run, &mut messages) };
        aes_cmac::Many::new().verify(&messages, &tags, results)?;
    });
    Ok(())
}

/// # Safety
/// As [`tags`].
unsafe fn put_hmacs<'a, H: OfKey>(
    run: &[ropewalk_mac_message],
    all: &mut ArrayVec<hmac::Message<'a, H>, GROUP>,
) {
    for one in run {
        // SAFETY: the caller's key, which has been found ready and stays until the call returns.
        let key = H::key(unsafe { object::found(one.key) });
        // SAFETY: as the caller says.
        all.push(hmac::Message { key, text: unsafe { one.text() } });
    }
}

/// # Safety
/// As [`tags`].
unsafe fn put_cmacs<'a>(
    run: &[ropewalk_mac_message],
    all: &mut ArrayVec<aes_cmac::Message<'a>, GROUP>,
) {
    for one in run {
        // SAFETY: the caller's key, which has been found ready and stays until the call returns.
        let Key::Cmac(key, _) = (unsafe { object::found(one.key) }) else {
            unreachable!("neighbours of one algorithm")
        };
        // SAFETY: as the caller says.
        all.push(aes_cmac::Message { key, text: unsafe { one.text() } });
    }
}
