//! SM3, sixteen messages at once.

use std::ffi::c_int;

use libloading::os::unix::Library;

use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, HashCalls, Text, Turn},
    },
    tasks::{Cell, Mode},
};

/// The number of messages in a call, each with a separate pointer.
const LANES: usize = 16;

functions! {
    /// SM3. A status has four bits for each, of which 0 is no error.
    Sm3 {
        fn mbx_sm3_msg_digest_mb16(
            messages: *const *const u8,
            lens: *const c_int,
            digests: *const *mut u8,
        ) -> u64;
    }
}

/// A job of SM3.
pub(super) fn sm3(cell: &Cell, library: &'static Library) -> Result<Box<dyn Job>, Unavailable> {
    if !cell.count.is_multiple_of(LANES) {
        return Err(Unavailable("takes sixteen at once: --count 16".into()));
    }
    if cell.mode == Mode::Stream {
        return Err(Unavailable("takes whole messages".into()));
    }
    Ok(jobs::hash_calls(cell, Digests(Sm3::load(library)?)))
}

struct Digests(Sm3);

impl HashCalls for Digests {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let len = digests.len() / texts.len();
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let digests = &mut digests[range.start * len..range.end * len];
            let groups = texts[range].chunks_exact(LANES);
            for (texts, out) in groups.zip(digests.chunks_exact_mut(LANES * len)) {
                self.group(texts, out, len);
            }
        }
    }
}

impl Digests {
    fn group(&self, texts: &[Text], out: &mut [u8], len: usize) {
        let mut places = out.chunks_exact_mut(len).map(<[u8]>::as_mut_ptr);
        let places: [*mut u8; LANES] =
            std::array::from_fn(|_| places.next().expect("a digest for each"));
        let messages: [*const u8; LANES] = std::array::from_fn(|i| texts[i].as_ptr());
        let lens: [c_int; LANES] = std::array::from_fn(|i| texts[i].len() as c_int);
        let digest = self.0.mbx_sm3_msg_digest_mb16;
        // SAFETY: there are sixteen messages, as long as they say, and space for a digest of each.
        let status = unsafe { digest(messages.as_ptr(), lens.as_ptr(), places.as_ptr()) };
        if status != 0 {
            // A failed call must not look like an answer.
            out.fill(0);
        }
    }
}
