//! Digests of batches.

use std::{ffi::c_void, slice};

use arrayvec::ArrayVec;
use ropewalk::{Hash as _, hash::Algorithm};

use super::{check_len, digest_to, with_hash};
use crate::{
    algorithms::{Kind as _, ropewalk_hash},
    enter::{Result, call},
    many::{self, Call, GROUP, Gain, serial},
    memory,
    overlap::Span,
    status::{ropewalk_error, ropewalk_status},
};

/// A message of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_hash_message {
    /// The message.
    pub message: *const c_void,
    /// Its length in bytes.
    pub message_len: usize,
    /// The output for its digest. It may lie within the message.
    pub digest: *mut c_void,
}

/// Writes the digest of each message, of `digest_len` bytes, with the results of a loop over ropewalk_hash_digest(), and in lanes
/// where that is faster. Messages may differ in length.
///
/// Fails as ropewalk_hash_digest() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP where
/// a digest overlaps `messages`. Nothing is then written.
///
/// # Safety
/// There are `count` messages, each with its bytes and space for its digest; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_digest_many(
    algorithm: ropewalk_hash,
    messages: *const ropewalk_hash_message,
    count: usize,
    digest_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let algorithm = Algorithm::numbered(algorithm)?;
        check_len(algorithm, digest_len)?;
        let call = Digests { algorithm, digest_len };
        // SAFETY: as the caller says; no message is written.
        unsafe { many::run(&call, "messages", messages.cast_mut(), count) }
    })
}

/// The parameters of a batch.
struct Digests {
    algorithm: Algorithm,
    digest_len: usize,
}

impl Call<3, 1> for Digests {
    type Message = ropewalk_hash_message;
    type Keys = ();

    /// There is no key.
    #[inline(always)]
    fn spans(&self, one: &ropewalk_hash_message) -> [Span; 3] {
        let message = Span::new(one.message, one.message_len);
        [Span::new(one.digest, self.digest_len), message, Span::NOTHING]
    }

    #[inline]
    unsafe fn gain(&self, message: &ropewalk_hash_message, count: usize) -> Gain {
        let len = message.message_len;
        match self.algorithm {
            Algorithm::Shake128 | Algorithm::Shake256 => Gain::None,
            Algorithm::Sha1 | Algorithm::Sha224 | Algorithm::Sha256 => {
                Gain::of_hashes(count, len, true)
            }
            _ => Gain::of_hashes(count, len, false),
        }
    }

    #[inline(always)]
    unsafe fn fits(&self, _: &ropewalk_hash_message, (): &mut ()) -> bool {
        true
    }

    #[inline(always)]
    fn are_alike(&self, one: &ropewalk_hash_message, other: &ropewalk_hash_message) -> bool {
        one.message_len == other.message_len
    }

    #[inline(always)]
    fn is_apart(&self, one: &ropewalk_hash_message) -> bool {
        let [digest, message, _] = self.spans(one);
        digest.is_there() && message.is_there()
    }

    unsafe fn check(&self, one: &ropewalk_hash_message) -> Result<()> {
        memory::check("digest", one.digest, self.digest_len)?;
        memory::check("message", one.message, one.message_len)
    }
    #[inline(always)]
    unsafe fn alone(&self, one: *mut ropewalk_hash_message) -> Result<()> {
        // SAFETY: as the caller says.
        let ropewalk_hash_message { message, message_len, digest } = unsafe { *one };
        // SAFETY: the caller's bytes, which have been checked.
        let message = || unsafe { memory::bytes(message, message_len) };
        // SAFETY: the caller's bytes, for writing; the slice is made when the message has been read.
        digest_to(self.algorithm, message, || unsafe { memory::bytes_mut(digest, self.digest_len) })
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut ropewalk_hash_message,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's messages, apart from what they write.
        let group = unsafe { slice::from_raw_parts(messages, count) };
        with_hash!(self.algorithm, (H, digest, many) => {
            // SAFETY: each message has been checked.
            let message = |one: &ropewalk_hash_message| unsafe { memory::bytes(one.message, one.message_len) };
            let mut texts = ArrayVec::<&[u8], GROUP>::new();
            texts.extend(group.iter().map(message));
            let mut digests = ArrayVec::<_, GROUP>::new();
            digests.extend(group.iter().map(|_| [0; H::DIGEST_LEN]));
            many(&texts, &mut digests)?;
            for (one, digest) in group.iter().zip(&digests) {
                // SAFETY: so has the space for its digest, and messages are not used any more.
                unsafe { memory::bytes_mut(one.digest, self.digest_len) }.copy_from_slice(digest);
            }
            Ok(())
        }, else {
            // SAFETY: as the caller says.
            unsafe { serial(self, from, messages, count) }
        })
    }
}
