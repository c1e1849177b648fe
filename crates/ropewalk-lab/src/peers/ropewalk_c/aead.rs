//! Sealing and opening.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    How,
    api::{self, AEAD_KEY_WORDS, AEAD_STREAM_WORDS, AeadMessage, OK, Object},
    done, made, number,
};
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::{AeadOp, Cell, Kind, Mode},
};

/// A job of the cipher of a cell.
pub(super) fn job(
    library: &'static Library,
    cell: &Cell,
    how: How,
    op: AeadOp,
    key_len: usize,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::Aead::load(library)?;
    let algorithm = number(cell.task.name, api.ropewalk_aead_named)?;
    let one = move |secret: &[u8]| One::new(api, algorithm, secret);
    match (op, how) {
        // AES-CCM must know the length in advance.
        _ if cell.mode == Mode::Stream && matches!(cell.task.kind, Kind::Ccm { .. }) => {
            Err(Unavailable("a message goes through whole".into()))
        }
        (AeadOp::SetKey, _) => Err(Unavailable("keeps a key where it was made: see rekey".into())),
        (_, How::Alone) => jobs::aead(cell, op, key_len, one),
        _ if !matches!(op, AeadOp::Seal | AeadOp::Open) => jobs::aead(cell, op, key_len, one),
        _ => {
            let keys = jobs::keys(cell, key_len);
            let keys = keys.iter().map(|secret| key(&api, algorithm, secret));
            let keys = keys.collect::<Result<_, _>>()?;
            jobs::aead_calls(cell, op, key_len, Several { api, keys, how })
        }
    }
}

type Key = Object<AEAD_KEY_WORDS>;

fn key(api: &api::Aead, algorithm: u32, secret: &[u8]) -> Result<Key, Unavailable> {
    let mut key = Key::new();
    let (start, len) = (secret.as_ptr(), secret.len());
    // SAFETY: the key is for writing, the secret has the given length, and the error may be NULL.
    made(unsafe {
        (api.ropewalk_aead_key_init)(key.get_mut(), algorithm, start, len, null_mut())
    })?;
    Ok(key)
}

/// A key, and a message that it seals in chunks.
struct One {
    api: api::Aead,
    algorithm: u32,
    key: Key,
    stream: Object<AEAD_STREAM_WORDS>,
}

impl One {
    fn new(api: api::Aead, algorithm: u32, secret: &[u8]) -> Result<Self, Unavailable> {
        Ok(Self { api, algorithm, key: key(&api, algorithm, secret)?, stream: Object::new() })
    }
}

impl jobs::Aead for One {
    const STREAMS: bool = true;

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let start = text.as_mut_ptr();
        // SAFETY: the key was made, and each pointer has as many bytes as follow it.
        done(unsafe {
            (self.api.ropewalk_aead_seal)(
                self.key.get(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                start,
                start,
                text.len(),
                tag.as_mut_ptr(),
                tag.len(),
                null_mut(),
            )
        });
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        assert_eq!(sealed.len(), text.len(), "a place for it");
        // SAFETY: as for `seal`, and there is space for the text.
        let status = unsafe {
            (self.api.ropewalk_aead_open)(
                self.key.get(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                sealed.as_ptr(),
                text.as_mut_ptr(),
                text.len(),
                tag.as_ptr(),
                tag.len(),
                null_mut(),
            )
        };
        status == OK
    }

    fn rekey(&mut self, secret: &[u8]) {
        let (start, len) = (secret.as_ptr(), secret.len());
        // SAFETY: the key was made, and the secret has the given length.
        done(unsafe { (self.api.ropewalk_aead_rekey)(self.key.get_mut(), start, len, null_mut()) });
    }

    fn seal_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &mut [u8; 16],
    ) {
        let start = text.as_mut_ptr();
        // SAFETY: each pointer has as many bytes as follow it.
        done(unsafe {
            (self.api.ropewalk_aead_seal_once)(
                self.algorithm,
                key.as_ptr(),
                key.len(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                start,
                start,
                text.len(),
                tag.as_mut_ptr(),
                tag.len(),
                null_mut(),
            )
        });
    }

    fn open_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        assert_eq!(sealed.len(), text.len(), "a place for it");
        // SAFETY: each pointer has as many bytes as follow it, and there is space for the text.
        let status = unsafe {
            (self.api.ropewalk_aead_open_once)(
                self.algorithm,
                key.as_ptr(),
                key.len(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                sealed.as_ptr(),
                text.as_mut_ptr(),
                text.len(),
                tag.as_ptr(),
                tag.len(),
                null_mut(),
            )
        };
        status == OK
    }

    fn begin(&mut self, nonce: &[u8; 12]) {
        let (stream, key) = (self.stream.get_mut(), self.key.get());
        // SAFETY: the stream is for writing, the key was made and stays, and the nonce has the given length.
        done(unsafe {
            (self.api.ropewalk_aead_stream_init)(
                stream,
                key,
                nonce.as_ptr(),
                nonce.len(),
                null_mut(),
            )
        });
    }

    fn seal_piece(&mut self, text: &mut [u8]) {
        let start = text.as_mut_ptr();
        // SAFETY: the stream was made, its key is still there, and the text has the given length.
        done(unsafe {
            (self.api.ropewalk_aead_stream_seal)(
                self.stream.get_mut(),
                start,
                start,
                text.len(),
                null_mut(),
            )
        });
    }
}

/// Batches of messages in a call, with one key or with separate keys. They are laid out before the first
/// call, as they are in a program.
struct Several {
    api: api::Aead,
    keys: Vec<Key>,
    how: How,
}

impl Several {
    /// The `i`th message of a call.
    fn message(
        &self,
        i: usize,
        nonce: &[u8; 12],
        (from, to, len): (*const u8, *mut u8, usize),
        tag: *mut u8,
    ) -> AeadMessage {
        AeadMessage {
            key: jobs::of(&self.keys, i).get(),
            nonce: nonce.as_ptr(),
            nonce_len: nonce.len(),
            aad: jobs::AAD.as_ptr(),
            aad_len: jobs::AAD.len(),
            from,
            to,
            len,
            tag,
            tag_len: 16,
            status: OK,
        }
    }

    /// # Safety
    /// The pointers of each message have as many bytes as it says.
    unsafe fn seal_call(&self, messages: &mut [AeadMessage]) {
        let api = &self.api;
        if self.how == How::Many {
            let (all, count) = (messages.as_mut_ptr(), messages.len());
            // SAFETY: as the caller promises.
            return done(unsafe { (api.ropewalk_aead_seal_many)(all, count, null_mut()) });
        }
        for m in messages {
            // SAFETY: as the caller promises.
            done(unsafe {
                (api.ropewalk_aead_seal)(
                    m.key,
                    m.nonce,
                    m.nonce_len,
                    m.aad,
                    m.aad_len,
                    m.from,
                    m.to,
                    m.len,
                    m.tag,
                    m.tag_len,
                    null_mut(),
                )
            });
        }
    }

    /// Whether all tags are right.
    ///
    /// # Safety
    /// As [`Self::seal_call`].
    unsafe fn open_call(&self, messages: &mut [AeadMessage]) -> bool {
        let api = &self.api;
        if self.how == How::Many {
            let (all, count) = (messages.as_mut_ptr(), messages.len());
            // SAFETY: as the caller promises.
            return unsafe { (api.ropewalk_aead_open_many)(all, count, null_mut()) } == OK;
        }
        let mut right = true;
        for m in messages {
            // SAFETY: as the caller promises.
            let status = unsafe {
                (api.ropewalk_aead_open)(
                    m.key,
                    m.nonce,
                    m.nonce_len,
                    m.aad,
                    m.aad_len,
                    m.from,
                    m.to,
                    m.len,
                    m.tag,
                    m.tag_len,
                    null_mut(),
                )
            };
            right &= status == OK;
        }
        right
    }
}

impl jobs::AeadCalls for Several {
    fn seal(&mut self, calls: usize, turn: &mut jobs::Turn, messages: &mut [jobs::Message]) {
        let all = messages.iter_mut().enumerate().map(|(i, message)| {
            let jobs::Message { nonce, text, tag } = message;
            let start = text.as_mut_ptr();
            let places = (start.cast_const(), start, text.len());
            self.message(i % turn.count(), nonce, places, tag.as_mut_ptr())
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
        messages: &[jobs::Message],
        texts: &mut [jobs::Text],
    ) -> bool {
        let places: Vec<_> = texts.iter_mut().map(|text| (text.as_mut_ptr(), text.len())).collect();
        let all = messages.iter().enumerate().map(|(i, message)| {
            let jobs::Message { nonce, text: sealed, tag } = message;
            let i = i % turn.count();
            let (place, len) = places[i];
            assert_eq!(sealed.len(), len, "a place for it");
            // The tag is only read when opening.
            let tag = tag.as_ptr().cast_mut();
            self.message(i, nonce, (sealed.as_ptr(), place, len), tag)
        });
        let mut all: Vec<_> = all.collect();
        let mut right = true;
        for _ in 0..calls {
            let range = turn.take(all.len());
            // SAFETY: as for `seal`, and there is space for each text.
            right &= unsafe { self.open_call(&mut all[range]) };
        }
        right
    }
}
