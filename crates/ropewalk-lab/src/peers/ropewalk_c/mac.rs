//! HMAC and CMAC.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    How,
    api::{self, MAC_KEY_WORDS, MAC_STATE_WORDS, MacMessage, OK, Object},
    done, made, number,
};
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::{Cell, Kind},
};

/// A job of the MAC of a cell.
pub(super) fn job(
    library: &'static Library,
    cell: &Cell,
    how: How,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::Mac::load(library)?;
    let algorithm = number(cell.task.name, api.ropewalk_mac_named)?;
    if how == How::Alone {
        return jobs::mac(cell, move |secret| One::new(api, algorithm, secret));
    }
    let Kind::Mac(mac) = cell.task.kind else { unreachable!("a MAC") };
    let mut keys = Vec::new();
    for secret in jobs::keys(cell, mac.key_len()) {
        let mut key = Key::new();
        set(&api, algorithm, &mut key, &secret)?;
        keys.push(key);
    }
    Ok(jobs::hash_calls(cell, Several { api, keys, how }))
}

type Key = Object<MAC_KEY_WORDS>;

/// Makes a key in unused words.
fn set(api: &api::Mac, algorithm: u32, key: &mut Key, secret: &[u8]) -> Result<(), Unavailable> {
    let (start, len) = (secret.as_ptr(), secret.len());
    // SAFETY: the key is for writing, the secret has the given length, and the error may be NULL.
    made(unsafe { (api.ropewalk_mac_key_init)(key.get_mut(), algorithm, start, len, null_mut()) })
}

/// A key, and a message that comes in chunks.
struct One {
    api: api::Mac,
    algorithm: u32,
    key: Key,
    state: Object<MAC_STATE_WORDS>,
}

impl One {
    fn new(api: api::Mac, algorithm: u32, secret: &[u8]) -> Result<Self, Unavailable> {
        let mut key = Key::new();
        set(&api, algorithm, &mut key, secret)?;
        Ok(Self { api, algorithm, key, state: Object::new() })
    }
}

impl jobs::Hash for One {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        // SAFETY: the key was made, and each pointer has as many bytes as follow it.
        done(unsafe {
            (self.api.ropewalk_mac_once)(
                self.key.get(),
                text.as_ptr(),
                text.len(),
                digest.as_mut_ptr(),
                digest.len(),
                null_mut(),
            )
        });
    }

    fn start(&mut self) {
        let (state, key) = (self.state.get_mut(), self.key.get());
        // SAFETY: the state is for writing, and the key was made and stays.
        done(unsafe { (self.api.ropewalk_mac_init)(state, key, null_mut()) });
    }

    fn update(&mut self, text: &[u8]) {
        let (start, len) = (text.as_ptr(), text.len());
        // SAFETY: the state was made, and the text has the given length.
        done(unsafe {
            (self.api.ropewalk_mac_update)(self.state.get_mut(), start, len, null_mut())
        });
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let (start, len) = (digest.as_mut_ptr(), digest.len());
        // SAFETY: the state was made, and there is space for the tag.
        done(unsafe {
            (self.api.ropewalk_mac_finish)(self.state.get_mut(), start, len, null_mut())
        });
    }

    fn rekey(&mut self, secret: &[u8]) -> bool {
        // SAFETY: the key was made.
        unsafe { (self.api.ropewalk_mac_key_wipe)(self.key.get_mut()) };
        set(&self.api, self.algorithm, &mut self.key, secret).expect("it has been made before");
        true
    }
}

/// Batches of messages in a call, with one key or with separate keys. They are laid out before the first
/// call, as they are in a program.
struct Several {
    api: api::Mac,
    keys: Vec<Key>,
    how: How,
}

impl Several {
    /// # Safety
    /// The pointers of each message have as many bytes as it says.
    unsafe fn call(&self, messages: &mut [MacMessage]) {
        let api = &self.api;
        if self.how == How::Many {
            let (all, count) = (messages.as_mut_ptr(), messages.len());
            // SAFETY: as the caller promises.
            return done(unsafe { (api.ropewalk_mac_many)(all, count, null_mut()) });
        }
        for m in messages {
            // SAFETY: as the caller promises.
            done(unsafe {
                (api.ropewalk_mac_once)(
                    m.key,
                    m.message,
                    m.message_len,
                    m.tag,
                    m.tag_len,
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
        let each = texts.iter().zip(digests.chunks_exact_mut(len)).enumerate();
        let all = each.map(|(i, (text, tag))| MacMessage {
            key: jobs::of(&self.keys, i % turn.count()).get(),
            message: text.as_ptr(),
            message_len: text.len(),
            tag: tag.as_mut_ptr(),
            tag_len: tag.len(),
            status: OK,
        });
        let mut all: Vec<_> = all.collect();
        for _ in 0..calls {
            let range = turn.take(all.len());
            // SAFETY: what they point to lives as long as this, and has the given length.
            unsafe { self.call(&mut all[range]) };
        }
    }
}
