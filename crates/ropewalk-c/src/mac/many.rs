//! Tags of batches.

use std::{ffi::c_void, mem::discriminant, slice};

use arrayvec::ArrayVec;
use ropewalk::{Hash, aes_cmac, hmac};

use super::{Key, OfKey, check_tag, ropewalk_mac_key, with_hmac};
use crate::{
    enter::{Failure, Result, call},
    many::{self, Call, GROUP, Gain, serial},
    memory, object,
    overlap::{self, Span},
    status::{ropewalk_error, ropewalk_status},
};

/// A message of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_mac_message {
    /// Its key. Messages may share a key.
    pub key: *const ropewalk_mac_key,
    /// The message.
    pub message: *const c_void,
    /// Its length in bytes.
    pub message_len: usize,
    /// Its tag: written, but only read when verifying. It may lie within the message.
    pub tag: *mut c_void,
    /// Its length in bytes.
    pub tag_len: usize,
    /// Written: ROPEWALK_OK or, when verifying, ROPEWALK_FORGED.
    pub status: u32,
}

impl ropewalk_mac_message {
    /// The written span comes first.
    #[inline(always)]
    fn spans(&self) -> [Span; 3] {
        [
            Span::new(self.tag, self.tag_len),
            Span::new(self.message, self.message_len),
            Span::of(self.key),
        ]
    }

    /// # Safety
    /// As [`ropewalk_mac_many`], it has been checked.
    #[inline(always)]
    unsafe fn text<'a>(&self) -> &'a [u8] {
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { memory::bytes(self.message, self.message_len) }
    }
}

/// Writes the tag of each message, with the results of a loop over ropewalk_mac_once(), and in lanes where that is faster: best
/// if neighbours have keys of the same algorithm. Messages may differ in key and length.
///
/// Fails as ropewalk_mac_once() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP where a
/// tag overlaps `messages`, or the key of another message, or a key lies in `messages`. Nothing is then written.
///
/// # Safety
/// There are `count` messages, each as for ropewalk_mac_once(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_many(
    messages: *mut ropewalk_mac_message,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Tags, "messages", messages, count) })
}

/// Computes tags.
struct Tags;

impl Call<3, 1> for Tags {
    type Message = ropewalk_mac_message;
    type Keys = Keys;

    #[inline(always)]
    fn spans(&self, message: &ropewalk_mac_message) -> [Span; 3] {
        message.spans()
    }

    #[inline]
    unsafe fn gain(&self, message: &ropewalk_mac_message, count: usize) -> Gain {
        // SAFETY: the caller's key.
        let Ok(key) = (unsafe { object::get(message.key) }) else { return Gain::None };
        let has_instructions =
            matches!(key, Key::HmacSha1(_) | Key::HmacSha224(_) | Key::HmacSha256(_));
        match key {
            Key::Cmac(..) => Gain::of_chains(count, message.message_len, true),
            _ => Gain::of_hashes(count, message.message_len, has_instructions),
        }
    }

    #[inline(always)]
    unsafe fn fits(&self, message: &ropewalk_mac_message, keys: &mut Keys) -> bool {
        // SAFETY: as the caller says.
        let found = unsafe { keys.find(message.key) };
        found && keys.tag_len == message.tag_len
    }

    #[inline(always)]
    fn are_alike(&self, one: &ropewalk_mac_message, other: &ropewalk_mac_message) -> bool {
        std::ptr::eq(one.key, other.key) && one.message_len == other.message_len
    }

    #[inline(always)]
    fn is_apart(&self, message: &ropewalk_mac_message) -> bool {
        let [tag, text, key] = message.spans();
        text.is_there() && tag.is_there() && !tag.overlaps(key)
    }

    unsafe fn check(&self, message: &ropewalk_mac_message) -> Result<()> {
        let [tag, _, key] = message.spans();
        overlap::apart("tag", tag, [key])?;
        memory::check("message", message.message, message.message_len)?;
        memory::check("tag", message.tag, message.tag_len)?;
        // SAFETY: the caller's key.
        check_tag(unsafe { object::get(message.key) }?, message.tag_len)
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_mac_message) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked.
        let text = || unsafe { one.text() };
        // SAFETY: the caller's bytes, for writing; the slice is made when the message has been read.
        key.mac(text, || unsafe { memory::bytes_mut(one.tag, one.tag_len) });
        // SAFETY: as the caller says, for writing.
        unsafe { (*message).status = OK as u32 };
        Ok(())
    }

    /// Neighbours with the same algorithm are processed together.
    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        mut from: usize,
        messages: *mut ropewalk_mac_message,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's messages, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(messages, count) };
        // SAFETY: their keys have been found ready.
        for run in group.chunk_by_mut(|one, next| unsafe { alike(one, next) }) {
            // SAFETY: as the caller says.
            match unsafe { many::gain(self, run) } {
                // SAFETY: as the caller says.
                Gain::None => unsafe { serial(self, from, run.as_mut_ptr(), run.len()) },
                // SAFETY: as the caller says, and they are alike.
                _ => unsafe { tags(run) },
            }?;
            from += run.len();
        }
        Ok(())
    }
}

/// The keys of messages, where neighbours mostly have the same.
#[derive(Default)]
struct Keys {
    last: Option<*const ropewalk_mac_key>,
    tag_len: usize,
}

impl Keys {
    /// Whether a key is ready; it becomes the last one.
    ///
    /// # Safety
    /// As [`ropewalk_mac_many`].
    #[inline(always)]
    unsafe fn find(&mut self, at: *const ropewalk_mac_key) -> bool {
        if self.last != Some(at) {
            // SAFETY: the caller's key.
            let Ok(key) = (unsafe { object::get(at) }) else { return false };
            (self.last, self.tag_len) = (Some(at), key.tag_len());
        }
        true
    }
}

/// Verifies the tag of each message; tags may be truncated as for ropewalk_mac_verify(). `status` of each message is its result.
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
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Verdicts, "messages", messages, count) })
}

/// Verifies tags. Only the results are written to messages.
struct Verdicts;

impl Call<3, 0> for Verdicts {
    type Message = ropewalk_mac_message;
    type Keys = Option<*const ropewalk_mac_key>;

    #[inline(always)]
    fn spans(&self, message: &ropewalk_mac_message) -> [Span; 3] {
        message.spans()
    }

    #[inline]
    unsafe fn gain(&self, message: &ropewalk_mac_message, count: usize) -> Gain {
        // SAFETY: as the caller says.
        unsafe { Tags.gain(message, count) }
    }

    #[inline(always)]
    fn are_alike(&self, one: &ropewalk_mac_message, other: &ropewalk_mac_message) -> bool {
        Tags.are_alike(one, other)
    }

    #[inline(always)]
    unsafe fn fits(
        &self,
        message: &ropewalk_mac_message,
        last: &mut Option<*const ropewalk_mac_key>,
    ) -> bool {
        // SAFETY: the caller's key.
        if *last != Some(message.key) && unsafe { object::get(message.key) }.is_err() {
            return false;
        }
        *last = Some(message.key);
        true
    }

    #[inline(always)]
    fn is_apart(&self, message: &ropewalk_mac_message) -> bool {
        let [tag, text, _] = message.spans();
        text.is_there() && tag.is_there()
    }

    unsafe fn check(&self, message: &ropewalk_mac_message) -> Result<()> {
        memory::check("message", message.message, message.message_len)?;
        memory::check("tag", message.tag, message.tag_len)?;
        // SAFETY: the caller's key.
        unsafe { object::get(message.key) }.map(|_| ())
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_mac_message) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked.
        let text = unsafe { one.text() };
        // SAFETY: the same.
        let done = key.verify(text, unsafe { memory::bytes(one.tag, one.tag_len) });
        match done {
            Ok(()) => {
                // SAFETY: as the caller says, for writing.
                unsafe { (*message).status = OK as u32 };
                Ok(())
            }
            Err(failure) => {
                // SAFETY: the same.
                unsafe { (*message).status = failure.status() as u32 };
                Err(failure)
            }
        }
    }

    /// Neighbours with the same algorithm are processed together.
    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        mut from: usize,
        messages: *mut ropewalk_mac_message,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's messages, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(messages, count) };
        let mut all = Ok(());
        // SAFETY: their keys have been found ready.
        for run in group.chunk_by_mut(|one, next| unsafe { alike(one, next) }) {
            let mut results = [Ok(()); GROUP];
            // SAFETY: as the caller says, and they are alike.
            unsafe { verdicts(run, &mut results[..run.len()]) }?;
            for (i, (message, result)) in run.iter_mut().zip(results).enumerate() {
                let result = result.map_err(|error| Failure::from(error).at(from + i));
                message.status = result.as_ref().map_or_else(Failure::status, |()| OK) as u32;
                all = all.and(result);
            }
            from += run.len();
        }
        all
    }
}

const OK: ropewalk_status = ropewalk_status::ROPEWALK_OK;

/// Whether two messages are processed together: their keys have the same algorithm.
///
/// # Safety
/// Both keys have been found ready.
unsafe fn alike(one: &ropewalk_mac_message, next: &ropewalk_mac_message) -> bool {
    // SAFETY: as the caller says.
    let kind = |key| discriminant(unsafe { object::found(key) });
    std::ptr::eq(one.key, next.key) || kind(one.key) == kind(next.key)
}

/// # Safety
/// As [`ropewalk_mac_many`]; all are checked, apart and alike, and at most as many as in a group.
unsafe fn tags(run: &mut [ropewalk_mac_message]) -> Result<()> {
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
            // SAFETY: the caller's bytes, for writing, which have been checked; messages are not used any more.
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
            // SAFETY: the caller's bytes, for writing, which have been checked; messages are not used any more.
            unsafe { memory::bytes_mut(one.tag, one.tag_len) }.copy_from_slice(tag);
            one.status = OK as u32;
        }
    });
    Ok(())
}

/// # Safety
/// As [`ropewalk_mac_verify_many`]; all are checked, apart and alike, and at most as many as in a group.
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
