//! Ciphers of many messages in a call, each with a vector of its own, as the nets see them.

use ropewalk::{Error, InMessage, aes_ctr, aes_xts, backend::Primitive};

use crate::{independent, kinds::counter};

/// One of many messages.
pub(crate) struct Vectored<'a, K> {
    pub(crate) key: &'a K,
    pub(crate) iv: &'a [u8; 16],
    pub(crate) text: &'a mut [u8],
}

/// What encrypts and decrypts many messages in a call.
pub(crate) trait CipherMany: Sized {
    type Key;
    /// That of its keys.
    const ONE: Primitive;
    const KEY_LENS: &[usize];
    /// The fewest bytes of a text.
    const SHORTEST: usize;

    fn with_backend(backend: &str) -> Result<Self, Error>;
    /// What is chosen here: it alone weighs lanes against one message at a time.
    fn best() -> Self;
    fn backend(&self) -> &'static str;
    fn key(secret: &[u8]) -> Self::Key;
    fn key_of(secret: &[u8], backend: &str) -> Self::Key;
    fn encrypt(&self, messages: &mut [Vectored<'_, Self::Key>]) -> Result<(), InMessage>;
    fn decrypt(&self, messages: &mut [Vectored<'_, Self::Key>]) -> Result<(), InMessage>;
    /// By the function that needs no such object, as [`CipherMany::encrypt`] of the best one.
    fn encrypt_many(messages: &mut [Vectored<'_, Self::Key>]) -> Result<(), InMessage>;
    fn decrypt_many(messages: &mut [Vectored<'_, Self::Key>]) -> Result<(), InMessage>;

    fn independent(secret: &[u8], iv: &[u8; 16], text: &mut [u8]);
}

/// AES-CTR with a counter of so many bits.
pub(crate) struct CtrMany<const BITS: u32>(aes_ctr::Many);

impl<const BITS: u32> CipherMany for CtrMany<BITS> {
    type Key = aes_ctr::Key;
    const ONE: Primitive = aes_ctr::PRIMITIVE;
    const KEY_LENS: &[usize] = &[16, 24, 32];
    const SHORTEST: usize = 0;

    fn with_backend(backend: &str) -> Result<Self, Error> {
        aes_ctr::Many::with_backend(backend).map(Self)
    }
    fn best() -> Self {
        Self(aes_ctr::Many::new())
    }
    fn backend(&self) -> &'static str {
        self.0.backend()
    }
    fn key(secret: &[u8]) -> aes_ctr::Key {
        aes_ctr::Key::new(secret).unwrap()
    }
    fn key_of(secret: &[u8], backend: &str) -> aes_ctr::Key {
        aes_ctr::Key::with_backend(secret, backend).unwrap()
    }
    fn encrypt(&self, messages: &mut [Vectored<'_, aes_ctr::Key>]) -> Result<(), InMessage> {
        self.0.apply_keystream(counter(BITS), &mut counted(messages))
    }
    fn decrypt(&self, messages: &mut [Vectored<'_, aes_ctr::Key>]) -> Result<(), InMessage> {
        self.encrypt(messages)
    }
    fn encrypt_many(messages: &mut [Vectored<'_, aes_ctr::Key>]) -> Result<(), InMessage> {
        aes_ctr::apply_keystream_many(counter(BITS), &mut counted(messages))
    }
    fn decrypt_many(messages: &mut [Vectored<'_, aes_ctr::Key>]) -> Result<(), InMessage> {
        Self::encrypt_many(messages)
    }

    fn independent(secret: &[u8], iv: &[u8; 16], text: &mut [u8]) {
        independent::ctr(BITS, secret, iv, text);
    }
}

fn counted<'a>(messages: &'a mut [Vectored<'_, aes_ctr::Key>]) -> Vec<aes_ctr::Message<'a>> {
    let messages = messages.iter_mut();
    messages.map(|Vectored { key, iv, text }| aes_ctr::Message { key, iv, text }).collect()
}

fn units<'a>(messages: &'a mut [Vectored<'_, aes_xts::Key>]) -> Vec<aes_xts::Message<'a>> {
    let messages = messages.iter_mut();
    messages.map(|Vectored { key, iv, text }| aes_xts::Message { key, tweak: iv, text }).collect()
}

impl CipherMany for aes_xts::Many {
    type Key = aes_xts::Key;
    const ONE: Primitive = aes_xts::PRIMITIVE;
    const KEY_LENS: &[usize] = &[32, 64];
    const SHORTEST: usize = 16;

    fn with_backend(backend: &str) -> Result<Self, Error> {
        Self::with_backend(backend)
    }
    fn best() -> Self {
        Self::new()
    }
    fn backend(&self) -> &'static str {
        self.backend()
    }
    fn key(secret: &[u8]) -> aes_xts::Key {
        aes_xts::Key::new(secret).unwrap()
    }
    fn key_of(secret: &[u8], backend: &str) -> aes_xts::Key {
        aes_xts::Key::with_backend(secret, backend).unwrap()
    }
    fn encrypt(&self, messages: &mut [Vectored<'_, aes_xts::Key>]) -> Result<(), InMessage> {
        self.encrypt(&mut units(messages))
    }
    fn decrypt(&self, messages: &mut [Vectored<'_, aes_xts::Key>]) -> Result<(), InMessage> {
        self.decrypt(&mut units(messages))
    }
    fn encrypt_many(messages: &mut [Vectored<'_, aes_xts::Key>]) -> Result<(), InMessage> {
        aes_xts::encrypt_many(&mut units(messages))
    }
    fn decrypt_many(messages: &mut [Vectored<'_, aes_xts::Key>]) -> Result<(), InMessage> {
        aes_xts::decrypt_many(&mut units(messages))
    }

    fn independent(secret: &[u8], tweak: &[u8; 16], text: &mut [u8]) {
        independent::xts_encrypt(secret, tweak, text);
    }
}
