//! AES in its modes, AES key wrap, and ChaCha20.

use arrayvec::ArrayVec;
use ropewalk::{
    aes_cbc,
    aes_ctr::{self, Counter, Key, Stream},
    aes_ecb, aes_kw, aes_xts, chacha20,
};

use crate::peers::jobs;

pub(super) struct Cipher {
    pub(super) key: Key,
    pub(super) stream: Stream,
}

impl jobs::Ctr for Cipher {
    // As with the other libraries, whose one call is inlined without being asked for.
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.key.apply_keystream(Counter::Bits128, iv, text).expect("no length is too long");
    }
    fn start(&mut self, iv: &[u8; 16]) {
        self.stream = Stream::new(Counter::Bits128, iv);
    }
    fn update(&mut self, text: &mut [u8]) {
        self.stream.apply_keystream(&self.key, text).expect("no length is too long");
    }
}

/// Encrypts many messages in a call.
pub(super) struct CtrMany {
    one: Cipher,
    many: aes_ctr::Many,
}

impl CtrMany {
    pub(super) fn new(secret: &[u8], backend: &str) -> Result<Self, ropewalk::Error> {
        // The choice between lanes and one by one is part of what a user gets.
        let many = match aes_ctr::Many::new() {
            best if best.backend() == backend => best,
            _ => aes_ctr::Many::with_backend(backend)?,
        };
        let stream = Stream::new(Counter::Bits128, &[0; 16]);
        Ok(Self { one: Cipher { key: Key::new(secret)?, stream }, many })
    }
}

impl jobs::Ctr for CtrMany {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.one.message(iv, text);
    }
    fn start(&mut self, iv: &[u8; 16]) {
        self.one.start(iv);
    }
    fn update(&mut self, text: &mut [u8]) {
        self.one.update(text);
    }

    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        const MOST: usize = 64;
        for (ivs, texts) in ivs.chunks(MOST).zip(texts.chunks_mut(MOST)) {
            let message = |(iv, text)| aes_ctr::Message { key: &self.one.key, iv, text };
            let texts = texts.iter_mut().map(Vec::as_mut_slice);
            let mut messages = ArrayVec::<_, MOST>::new();
            messages.extend(ivs.iter().zip(texts).map(message));
            let done = self.many.apply_keystream(Counter::Bits128, &mut messages);
            done.expect("no length is too long");
        }
    }
}

/// A key, and whether it encrypts.
pub(super) struct Cbc<const ENCRYPT: bool>(pub(super) aes_cbc::Key);

impl<const ENCRYPT: bool> jobs::Cbc for Cbc<ENCRYPT> {
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let done = if ENCRYPT { self.0.encrypt(iv, text) } else { self.0.decrypt(iv, text) };
        done.expect("whole blocks");
    }
}

/// Encrypts many messages in a call, with one key or with one for each.
pub(super) struct CbcMany {
    keys: Vec<aes_cbc::Key>,
    many: aes_cbc::Many,
}

impl CbcMany {
    pub(super) fn new(secrets: &[Vec<u8>], backend: &str) -> Result<Self, ropewalk::Error> {
        // The choice between lanes and one by one is part of what a user gets.
        let many = match aes_cbc::Many::new() {
            best if best.backend() == backend => best,
            _ => aes_cbc::Many::with_backend(backend)?,
        };
        let keys = secrets.iter().map(|secret| aes_cbc::Key::new(secret));
        Ok(Self { keys: keys.collect::<Result<_, _>>()?, many })
    }
}

impl jobs::Cbc for CbcMany {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.keys[0].encrypt(iv, text).expect("whole blocks");
    }

    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        const MOST: usize = 64;
        let mut keys = (0..).map(|i| jobs::of(&self.keys, i));
        for (ivs, texts) in ivs.chunks(MOST).zip(texts.chunks_mut(MOST)) {
            let message = |((iv, text), key)| aes_cbc::Message { key, iv, text };
            let texts = texts.iter_mut().map(Vec::as_mut_slice);
            let mut messages = ArrayVec::<_, MOST>::new();
            messages.extend(ivs.iter().zip(texts).zip(&mut keys).map(message));
            self.many.encrypt(&mut messages).expect("whole blocks");
        }
    }
}

/// A key, and whether it encrypts.
pub(super) struct Ecb<const ENCRYPT: bool>(pub(super) aes_ecb::Key);

impl<const ENCRYPT: bool> jobs::Cbc for Ecb<ENCRYPT> {
    #[inline(always)]
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        let done = if ENCRYPT { self.0.encrypt(text) } else { self.0.decrypt(text) };
        done.expect("whole blocks");
    }
}

/// A key, and whether it encrypts.
pub(super) struct Xts<const ENCRYPT: bool>(pub(super) aes_xts::Key);

impl<const ENCRYPT: bool> jobs::Cbc for Xts<ENCRYPT> {
    #[inline(always)]
    fn message(&mut self, tweak: &[u8; 16], text: &mut [u8]) {
        let done = if ENCRYPT { self.0.encrypt(tweak, text) } else { self.0.decrypt(tweak, text) };
        done.expect("a block or more");
    }
}

/// Encrypts many data units in a call, or decrypts them, with one key or with one for each.
pub(super) struct XtsMany<const ENCRYPT: bool> {
    keys: Vec<aes_xts::Key>,
    many: aes_xts::Many,
}

impl<const ENCRYPT: bool> XtsMany<ENCRYPT> {
    pub(super) fn new(secrets: &[Vec<u8>], backend: &str) -> Result<Self, ropewalk::Error> {
        let many = match aes_xts::Many::new() {
            best if best.backend() == backend => best,
            _ => aes_xts::Many::with_backend(backend)?,
        };
        let keys = secrets.iter().map(|secret| aes_xts::Key::new(secret));
        Ok(Self { keys: keys.collect::<Result<_, _>>()?, many })
    }
}

impl<const ENCRYPT: bool> jobs::Cbc for XtsMany<ENCRYPT> {
    fn message(&mut self, tweak: &[u8; 16], text: &mut [u8]) {
        let key = &self.keys[0];
        let done = if ENCRYPT { key.encrypt(tweak, text) } else { key.decrypt(tweak, text) };
        done.expect("a block or more");
    }

    fn messages(&mut self, tweaks: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        const MOST: usize = 64;
        let mut keys = (0..).map(|i| jobs::of(&self.keys, i));
        for (tweaks, texts) in tweaks.chunks(MOST).zip(texts.chunks_mut(MOST)) {
            let message = |((tweak, text), key)| aes_xts::Message { key, tweak, text };
            let texts = texts.iter_mut().map(Vec::as_mut_slice);
            let mut messages = ArrayVec::<_, MOST>::new();
            messages.extend(tweaks.iter().zip(texts).zip(&mut keys).map(message));
            let done = match ENCRYPT {
                true => self.many.encrypt(&mut messages),
                false => self.many.decrypt(&mut messages),
            };
            done.expect("a block or more");
        }
    }
}

pub(super) struct KeyWrap(pub(super) aes_kw::Key);

impl jobs::KeyWrap for KeyWrap {
    #[inline(always)]
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        self.0.wrap_to(key, wrapped).expect("whole semiblocks");
    }
    #[inline(always)]
    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        self.0.unwrap_to(wrapped, key).is_ok()
    }
}

pub(super) struct ChaCha {
    pub(super) key: chacha20::Key,
    pub(super) stream: chacha20::Stream,
}

/// A counter, and a nonce.
pub(super) fn split(iv: &[u8; 16]) -> (u32, &[u8; 12]) {
    let (counter, nonce) = iv.split_first_chunk().expect("four of sixteen");
    (u32::from_le_bytes(*counter), nonce.try_into().expect("twelve of sixteen"))
}

impl jobs::Ctr for ChaCha {
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (counter, nonce) = split(iv);
        self.key.apply_keystream(counter, nonce, text).expect("no length is too long");
    }
    fn start(&mut self, iv: &[u8; 16]) {
        let (counter, nonce) = split(iv);
        self.stream = chacha20::Stream::new(counter, nonce);
    }
    fn update(&mut self, text: &mut [u8]) {
        if self.stream.apply_keystream(&self.key, text).is_err() {
            self.start(&[0; 16]);
        }
    }
}
