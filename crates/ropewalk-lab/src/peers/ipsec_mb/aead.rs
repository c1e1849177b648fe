//! Sealing and opening: with direct calls, and AES-CCM with jobs.

use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
    ptr::{from_ref, null, without_provenance},
};

use super::{
    api::{self, CBC_MAC_OF_CCM, CCM, CIPHER_HASH, DECRYPT, ENCRYPT, HASH_CIPHER},
    cipher::FILLED_IN,
    manager::{Manager, RoundKeys},
    row::Row,
    way::Way,
};
use crate::peers::jobs;

/// AES-GCM with direct calls. The key is expanded once.
pub(super) struct Gcm {
    set_key: api::SetKey,
    seal: api::Gcm,
    open: api::Gcm,
    key: Box<MaybeUninit<GcmKey>>,
    context: Box<MaybeUninit<GcmContext>>,
}

impl Gcm {
    pub(super) fn new(manager: Manager, key: &[u8]) -> Self {
        const GCM128_ENC: usize = 24;
        const GCM128_DEC: usize = 27;
        const GCM128_PRE: usize = 48;
        let length = (key.len() - 16) / 8;
        let mut gcm = Self {
            // SAFETY: the type is that of the functions that take a key, in order of its length; so
            // are those that follow.
            set_key: unsafe { manager.function(GCM128_PRE + length) },
            // SAFETY: as above.
            seal: unsafe { manager.function(GCM128_ENC + length) },
            // SAFETY: as above.
            open: unsafe { manager.function(GCM128_DEC + length) },
            key: Box::new_uninit(),
            context: Box::new_uninit(),
        };
        jobs::Aead::rekey(&mut gcm, key);
        gcm
    }

    /// The addresses of the key and of the context of a message.
    pub(super) fn places(&mut self) -> (*const c_void, *mut c_void) {
        (self.key.as_ptr().cast(), self.context.as_mut_ptr().cast())
    }

    /// # Safety
    /// There must be `len` bytes at both places.
    unsafe fn call(
        &mut self,
        function: api::Gcm,
        nonce: &[u8; 12],
        aad: &[u8],
        (text, out, len): (*const u8, *mut u8, usize),
        tag: &mut [u8; 16],
    ) {
        let (key, context) = self.places();
        let (nonce, data, data_len) = (nonce.as_ptr(), aad.as_ptr(), aad.len() as u64);
        let tag = tag.as_mut_ptr();
        // SAFETY: the key has been made, the nonce has the twelve bytes that it takes, all else is
        // as long as it says, and it may be in place.
        unsafe { function(key, context, out, text, len as u64, nonce, data, data_len, tag, 16) }
    }
}

/// Seals and opens with `call`, which takes either function, and both places of the text.
macro_rules! by_direct_calls {
    () => {
        fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
            let start = text.as_mut_ptr();
            // SAFETY: both places are the text.
            unsafe { self.call(self.seal, nonce, aad, (start, start, text.len()), tag) }
        }

        /// The library returns the right tag, and the caller compares.
        fn open(
            &mut self,
            nonce: &[u8; 12],
            aad: &[u8],
            sealed: &[u8],
            tag: &[u8; 16],
            text: &mut [u8],
        ) -> bool {
            assert_eq!(sealed.len(), text.len(), "a place for it");
            let mut right = [0; 16];
            let texts = (sealed.as_ptr(), text.as_mut_ptr(), sealed.len());
            // SAFETY: both are equally long.
            unsafe { self.call(self.open, nonce, aad, texts, &mut right) }
            u128::from_ne_bytes(right) ^ u128::from_ne_bytes(*tag) == 0
        }
    };
}

/// An expanded key. The library writes all of it that is read, and needs no more in any version.
#[repr(C, align(64))]
pub(super) struct GcmKey([u8; 1264]);

/// The context of a message.
#[repr(C, align(64))]
pub(super) struct GcmContext([u8; 88]);

impl jobs::Aead for Gcm {
    by_direct_calls! {}

    fn rekey(&mut self, key: &[u8]) {
        let made = self.key.as_mut_ptr().cast();
        // SAFETY: the key is as long as the function's name says, and there is space for 1264 bytes.
        unsafe { (self.set_key)(key.as_ptr().cast(), made) }
    }
}

/// AES-CCM, many messages in parallel, with one key or with separate keys.
pub(super) struct Ccm {
    manager: Manager,
    seal: Way,
    open: Way,
    keys: Vec<[RoundKeys; 2]>,
    key_len: usize,
}

impl Ccm {
    pub(super) fn new(manager: Manager, keys: &[Vec<u8>]) -> Self {
        let key_len = keys[0].len();
        let [seal, open] =
            [ENCRYPT, DECRYPT].map(|direction| Way::cipher(manager, CCM, direction, key_len));
        let keys = keys.iter().map(|key| *manager.expand(key)).collect();
        Self { manager, seal, open, keys, key_len }
    }

    /// The `i`th job of a call, with the place of its tag. Both places of the text have the given length.
    fn described(
        &self,
        i: usize,
        direction: c_int,
        nonce: &[u8; 12],
        aad: &[u8],
        (text, out, len): (*const u8, *mut u8, usize),
        tag: *mut [u8; 16],
    ) -> api::Job {
        api::Job {
            encrypt_keys: from_ref(&jobs::of(&self.keys, i)[0]).cast(),
            key_len: self.key_len as u64,
            text,
            out,
            cipher_len: len as u64,
            hash_len: len as u64,
            iv: nonce.as_ptr(),
            iv_len: 12,
            tag: tag.cast(),
            tag_len: 16,
            of_algorithm: [aad.as_ptr().cast(), without_provenance(aad.len()), null()],
            cipher: CCM,
            direction,
            hash: CBC_MAC_OF_CCM,
            // Jobs that do not seal authenticate first.
            order: if direction == ENCRYPT { HASH_CIPHER } else { CIPHER_HASH },
            ..api::Job::default()
        }
    }
}

impl jobs::AeadCalls for Ccm {
    /// The descriptions of the messages are filled in before the first call.
    fn seal(&mut self, calls: usize, turn: &mut jobs::Turn, messages: &mut [jobs::Message]) {
        let jobs = messages.iter_mut().enumerate().map(|(i, message)| {
            let jobs::Message { nonce, text, tag } = message;
            let start = text.as_mut_ptr();
            let places = (start.cast_const(), start, text.len());
            self.described(i % turn.count(), ENCRYPT, nonce, &jobs::AAD, places, tag)
        });
        let mut row = Row::new(self.manager.interface, jobs);
        for _ in 0..calls {
            // SAFETY: both places are the text of each, there is space for a tag, and the rest has the given length.
            unsafe { self.seal.run(&mut row, turn.take(messages.len())) }
        }
    }

    /// The library returns the right tags, and the caller compares.
    fn open(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        messages: &[jobs::Message],
        texts: &mut [jobs::Text],
    ) -> bool {
        let mut tags = vec![[0; 16]; messages.len()];
        // Every tag is written and read through this pointer, since the library keeps the address.
        let place = tags.as_mut_ptr();
        let jobs = messages.iter().enumerate().map(|(i, message)| {
            let jobs::Message { nonce, text: sealed, .. } = message;
            let tag = place.wrapping_add(i);
            let i = i % turn.count();
            let text = &mut texts[i];
            assert_eq!(sealed.len(), text.len(), "a place for it");
            let places = (sealed.as_ptr(), text.as_mut_ptr(), sealed.len());
            self.described(i, DECRYPT, nonce, &jobs::AAD, places, tag)
        });
        let mut row = Row::new(self.manager.interface, jobs);
        let mut right = true;
        for _ in 0..calls {
            let range = turn.take(messages.len());
            // SAFETY: both places of each are equally long, there is space for a tag, and the rest has the given length.
            unsafe { self.open.run(&mut row, range.clone()) }
            for (i, message) in range.clone().zip(&messages[range]) {
                // SAFETY: there are as many tags as messages.
                let tag = unsafe { place.wrapping_add(i).read() };
                right &= u128::from_ne_bytes(tag) ^ u128::from_ne_bytes(message.tag) == 0;
            }
        }
        right
    }
}

impl jobs::Aead for Ccm {
    const SEAL_NOTE: &str = FILLED_IN;
    const OPEN_NOTE: &str = FILLED_IN;

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let start = text.as_mut_ptr();
        let places = (start.cast_const(), start, text.len());
        let mut job = self.described(0, ENCRYPT, nonce, aad, places, tag);
        // SAFETY: as for several.
        unsafe { self.seal.one(&mut job) }
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
        let mut right = [0; 16];
        let places = (sealed.as_ptr(), text.as_mut_ptr(), sealed.len());
        let mut job = self.described(0, DECRYPT, nonce, aad, places, &mut right);
        // SAFETY: as for several.
        unsafe { self.open.one(&mut job) }
        u128::from_ne_bytes(right) ^ u128::from_ne_bytes(*tag) == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        self.manager.expand_to(key, &mut self.keys[0]);
    }
}

/// ChaCha20-Poly1305 with direct calls. A key is set for each message.
pub(super) struct ChaChaPoly {
    start: api::ChaChaStart,
    seal: api::ChaChaUpdate,
    open: api::ChaChaUpdate,
    finish: api::ChaChaFinish,
    key: [u8; 32],
    context: Box<MaybeUninit<ChaChaContext>>,
}

/// The context of a message: slightly more than 204 bytes.
#[repr(C, align(64))]
pub(super) struct ChaChaContext([u8; 512]);

impl ChaChaPoly {
    pub(super) fn new(manager: Manager, key: &[u8]) -> Self {
        const CHACHA20_POLY1305_INIT: usize = 107;
        Self {
            // SAFETY: the type is that of the function that starts a message.
            start: unsafe { manager.function(CHACHA20_POLY1305_INIT) },
            // SAFETY: the type is that of the function that encrypts.
            seal: unsafe { manager.function(CHACHA20_POLY1305_INIT + 1) },
            // SAFETY: the type is that of the function that decrypts.
            open: unsafe { manager.function(CHACHA20_POLY1305_INIT + 2) },
            // SAFETY: the type is that of the function that gives the tag.
            finish: unsafe { manager.function(CHACHA20_POLY1305_INIT + 3) },
            key: key.try_into().expect("32 bytes"),
            context: Box::new_uninit(),
        }
    }

    /// # Safety
    /// `len` bytes must be readable and writable at both places.
    unsafe fn call(
        &mut self,
        update: api::ChaChaUpdate,
        nonce: &[u8; 12],
        aad: &[u8],
        (text, out, len): (*const u8, *mut u8, usize),
        tag: &mut [u8; 16],
    ) {
        let (key, context) = (self.key.as_ptr().cast(), self.context.as_mut_ptr().cast());
        let (nonce, data) = (nonce.as_ptr().cast(), aad.as_ptr().cast());
        // SAFETY: the key has 32 bytes, the nonce twelve, and there is space for the context.
        unsafe { (self.start)(key, context, nonce, data, aad.len() as u64) };
        // SAFETY: the message has been started, and there is as much at both places.
        unsafe { update(key, context, out.cast(), text.cast(), len as u64) };
        // SAFETY: there is space for a whole tag.
        unsafe { (self.finish)(context, tag.as_mut_ptr().cast(), 16) };
    }
}

impl jobs::Aead for ChaChaPoly {
    by_direct_calls! {}

    fn rekey(&mut self, key: &[u8]) {
        self.key = key.try_into().expect("32 bytes");
    }
}
