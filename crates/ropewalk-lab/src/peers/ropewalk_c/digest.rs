//! Hash functions.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    How,
    api::{self, HASH_STATE_WORDS, HashMessage, Object},
    done, made, number,
};
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::Cell,
};

/// A job of the hash function of a cell.
pub(super) fn job(
    library: &'static Library,
    cell: &Cell,
    how: How,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::Hash::load(library)?;
    let algorithm = number(cell.task.name, api.ropewalk_hash_named)?;
    if how != How::Alone {
        return Ok(jobs::hash_calls(cell, Several { api, algorithm, how }));
    }
    let mut one = One { api, algorithm, state: Object::new() };
    made(one.init())?;
    Ok(jobs::hash(cell, one))
}

/// A hash function, and a message that comes in chunks.
struct One {
    api: api::Hash,
    algorithm: u32,
    state: Object<HASH_STATE_WORDS>,
}

impl One {
    #[inline(always)]
    fn init(&mut self) -> api::Status {
        // SAFETY: the state is for writing, and the error may be NULL.
        unsafe { (self.api.ropewalk_hash_init)(self.state.get_mut(), self.algorithm, null_mut()) }
    }
}

impl jobs::Hash for One {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        // SAFETY: each pointer has as many bytes as follow it.
        done(unsafe {
            (self.api.ropewalk_hash_digest)(
                self.algorithm,
                text.as_ptr(),
                text.len(),
                digest.as_mut_ptr(),
                digest.len(),
                null_mut(),
            )
        });
    }

    fn message_anew(&mut self, text: &[u8], digest: &mut [u8]) {
        self.start();
        self.update(text);
        self.finish(digest);
    }

    fn start(&mut self) {
        done(self.init());
    }

    fn update(&mut self, text: &[u8]) {
        let (start, len) = (text.as_ptr(), text.len());
        // SAFETY: the state was made, and the text has the given length.
        done(unsafe {
            (self.api.ropewalk_hash_update)(self.state.get_mut(), start, len, null_mut())
        });
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let (start, len) = (digest.as_mut_ptr(), digest.len());
        // SAFETY: the state was made, and there is space for the digest.
        done(unsafe {
            (self.api.ropewalk_hash_finish)(self.state.get_mut(), start, len, null_mut())
        });
    }
}

/// Batches of messages in a call, which are laid out before the first one, as they are in a program.
struct Several {
    api: api::Hash,
    algorithm: u32,
    how: How,
}

impl Several {
    /// # Safety
    /// The pointers of each message have as many bytes as it says, and `len` for its digest.
    unsafe fn call(&self, messages: &[HashMessage], len: usize) {
        let (api, algorithm) = (&self.api, self.algorithm);
        if self.how == How::Many {
            let (all, count) = (messages.as_ptr(), messages.len());
            // SAFETY: as the caller promises.
            return done(unsafe {
                (api.ropewalk_hash_digest_many)(algorithm, all, count, len, null_mut())
            });
        }
        for m in messages {
            // SAFETY: as the caller promises.
            done(unsafe {
                (api.ropewalk_hash_digest)(
                    algorithm,
                    m.message,
                    m.message_len,
                    m.digest,
                    len,
                    null_mut(),
                )
            });
        }
    }
}

impl jobs::HashCalls for Several {
    fn messages(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        texts: &[jobs::Text],
        digests: &mut [u8],
    ) {
        let len = digests.len() / texts.len();
        let each = texts.iter().zip(digests.chunks_exact_mut(len));
        let all = each.map(|(text, digest)| HashMessage {
            message: text.as_ptr(),
            message_len: text.len(),
            digest: digest.as_mut_ptr(),
        });
        let all: Vec<_> = all.collect();
        for _ in 0..calls {
            let range = turn.take(all.len());
            // SAFETY: what they point to lives as long as this, and has the given length.
            unsafe { self.call(&all[range], len) };
        }
    }
}
