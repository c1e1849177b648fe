//! Digests of many messages.

use std::ffi::c_void;

use arrayvec::ArrayVec;
use ropewalk::{Hash as _, hash::Algorithm};

use super::{State, check_len, with_hash};
use crate::{
    algorithms::{Kind as _, ropewalk_hash},
    enter::call,
    many::GROUP,
    memory,
    overlap::{Span, batch, rows},
    status::{ropewalk_error, ropewalk_status},
};

/// One of many messages.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_hash_message {
    /// The message.
    pub message: *const c_void,
    /// Bytes of it.
    pub message_len: usize,
    /// Where its digest goes. It may lie within this message, and not within another one.
    pub digest: *mut c_void,
}

/// Writes the digest of each message, of `digest_len` bytes, side by side where that is faster. Messages of any lengths may be
/// mixed.
///
/// Where it fails, nothing is written.
///
/// # Safety
/// There are `count` messages, each with its bytes and room for its digest; `error` is for writing, or NULL.
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
        // SAFETY: the caller's messages.
        let messages = unsafe { memory::row("messages", messages, count) }?;
        let spans = |one: &ropewalk_hash_message| {
            let message = Span::new(one.message, one.message_len);
            // There is no key.
            [Span::new(one.digest, digest_len), message, Span::NOTHING]
        };
        if !rows::surely_apart::<_, 3, 1>(messages, spans, |_| true) {
            for (i, one) in messages.iter().enumerate() {
                let message = memory::check("message", one.message, one.message_len);
                let digest = || memory::check("digest", one.digest, digest_len);
                message.and_then(|()| digest()).map_err(|wrong| wrong.at(i))?;
            }
            batch::apart(messages, 1, spans)?;
        }
        with_hash!(algorithm, (H, digest, many) => {
            for group in messages.chunks(GROUP) {
                // SAFETY: each message has been checked.
                let message = |one: &ropewalk_hash_message| unsafe { memory::bytes(one.message, one.message_len) };
                let mut texts = ArrayVec::<&[u8], GROUP>::new();
                texts.extend(group.iter().map(message));
                let mut digests = ArrayVec::<_, GROUP>::new();
                digests.extend(group.iter().map(|_| [0; H::DIGEST_LEN]));
                many(&texts, &mut digests)?;
                for (one, digest) in group.iter().zip(&digests) {
                    // SAFETY: so has the room for its digest, and messages are not needed any more.
                    unsafe { memory::bytes_mut(one.digest, digest_len) }.copy_from_slice(digest);
                }
            }
        }, else {
            for one in messages {
                let mut state = State::new(algorithm);
                // SAFETY: the message has been checked; it is not needed once it is absorbed.
                state.update(unsafe { memory::bytes(one.message, one.message_len) })?;
                // SAFETY: so has the room for its digest.
                state.finish(unsafe { memory::bytes_mut(one.digest, digest_len) })?;
            }
        });
        Ok(())
    })
}
