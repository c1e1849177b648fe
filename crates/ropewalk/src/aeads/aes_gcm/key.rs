//! Keys of AES-GCM.

use super::{Each, Engine, Key, ManyEngine, check, many, parts};
use crate::{
    aeads::{
        key::{AesGcm, Cipher, Unverified, release},
        many::Batched,
    },
    aes,
    core::{
        Error,
        backend::{Costs, Info},
        block::Block,
        secret::{Contents, Kept, swept},
        tag::{Tag, check_tag},
        text::Text,
    },
};

/// The contents of a key.
#[derive(Clone)]
pub(crate) struct Inner {
    pub(super) engine: Engine,
    /// The tag length in bytes.
    pub(super) tag_len: usize,
}

impl Contents for Inner {
    const USED: [usize; 2] = [2048, 2560];

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn more_stack(&self) -> usize {
        match &self.engine {
            Engine::Vaes512(key) => key.more_stack(),
            _ => 0,
        }
    }

    fn info(&self) -> &'static Info {
        self.engine.info()
    }
}

impl Key {
    /// Makes a key of 16, 24 or 32 bytes, with the best backend of this processor. Its tags have 16
    /// bytes.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length.
    #[inline(always)]
    pub fn new(secret: &[u8]) -> Result<Self, Error> {
        aes::check_key(secret)?;
        Ok(Self::of_checked(secret))
    }

    /// With the backend of that name in [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    #[inline(always)]
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        aes::check_key(secret)?;
        let make = Engine::named(name)?;
        Ok(Self::of(make(secret)))
    }

    /// Makes a key of a secret whose length has been checked; otherwise the process ends. It is not part of `new`, which is inlined
    /// so that the key is made in the caller's place.
    #[doc(hidden)]
    #[inline(never)]
    pub fn of_checked(secret: &[u8]) -> Self {
        Self::of(Engine::best(secret))
    }

    #[inline(always)]
    fn of(engine: Engine) -> Self {
        Self(Kept::new(Inner { engine, tag_len: 16 }))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.public().engine.info().name
    }

    /// Sets the tag length: 12 to 16 bytes. A key has tags of one length (section 5.2.1.2): if each message chose, a forger would
    /// choose the shortest.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length; the key is then as it was.
    pub fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        if !(12..=16).contains(&bytes) {
            return Err(Error::Length { what: "tag", got: bytes, allowed: "12 to 16 bytes" });
        }
        self.0.tag_len = bytes;
        Ok(())
    }

    /// Replaces the key by another one, with the same backend and tag length.
    ///
    /// # Errors
    /// [`Error::Length`] unless the key has 16, 24 or 32 bytes; the key is then as it was.
    pub fn rekey(&mut self, secret: &[u8]) -> Result<(), Error> {
        aes::check_key(secret)?;
        swept(self.0.engine.swept(), || self.0.engine.rekey(secret));
        Ok(())
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn engine(&self) -> &Engine {
        &self.0.engine
    }
}

impl Cipher for AesGcm {
    type Kept = Kept<Inner>;

    #[inline]
    fn tag_len(key: &Kept<Inner>) -> usize {
        key.public().tag_len
    }

    #[inline]
    fn seal(key: &Kept<Inner>, nonce: &[u8], aad: &[u8], text: Text<'_>) -> Result<Tag, Error> {
        Self::check(key, nonce, aad, text.len())?;
        let mut tag = Tag { bytes: [0; 16], len: key.public().tag_len };
        Self::seal_checked(key, nonce, aad, text, &mut tag.bytes);
        Ok(tag)
    }

    #[inline]
    fn open(
        key: &Kept<Inner>,
        nonce: &[u8],
        aad: &[u8],
        mut text: Text<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        Self::check(key, nonce, aad, text.len())?;
        check_tag(tag, key.public().tag_len)?;
        let mut right = [0; 16];
        Self::open_checked(key, nonce, aad, text.reborrow(), &mut right);
        release(text, &right, tag)
    }
}

impl Unverified for AesGcm {
    #[inline]
    fn open_unverified(
        key: &Kept<Inner>,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
    ) -> Result<Tag, Error> {
        Self::check(key, nonce, aad, text.len())?;
        let mut tag = Tag { bytes: [0; 16], len: key.public().tag_len };
        Self::open_checked(key, nonce, aad, text, &mut tag.bytes);
        Ok(tag)
    }
}

impl Batched for AesGcm {
    type Engine = ManyEngine;

    #[inline]
    fn check(key: &Kept<Inner>, nonce: &[u8], aad: &[u8], text_len: usize) -> Result<(), Error> {
        match Self::precheck(key, nonce, aad, text_len) {
            0 => Ok(()),
            _ => check(nonce, aad, text_len),
        }
    }

    /// Checks in one expression that the nonce is not empty, and that no length reaches 2^35 bytes.
    #[inline(always)]
    fn precheck(_: &Kept<Inner>, nonce: &[u8], aad: &[u8], text_len: usize) -> u64 {
        // In 64 bits: what is below zero in 32 would not reach 2^35.
        let [nonce, aad, text] = [nonce.len(), aad.len(), text_len].map(|len| len as u64);
        (nonce.wrapping_sub(1) | aad | text) >> 35
    }

    #[inline(always)]
    fn seal_checked(key: &Kept<Inner>, nonce: &[u8], aad: &[u8], text: Text<'_>, tag: &mut Block) {
        match nonce.try_into() {
            Ok(nonce) => key.engine.seal(nonce, aad, text, tag),
            Err(_) => seal_with_any(key, nonce, aad, text, tag),
        }
    }

    #[inline(always)]
    fn open_checked(
        key: &Kept<Inner>,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
        right: &mut Block,
    ) {
        match nonce.try_into() {
            Ok(nonce) => key.engine.open(nonce, aad, text, right),
            Err(_) => open_with_any(key, nonce, aad, text, right),
        }
    }

    #[inline]
    fn few(messages: &[Each<'_>]) -> bool {
        many::few(messages)
    }

    /// The cost model does not use any.
    #[inline]
    fn recorded(_: &Info) -> Costs {
        Costs { one: 0, step: 0, start: 0 }
    }

    #[inline]
    fn pays(many: &Info, _: &Costs, messages: &[Each<'_>]) -> bool {
        many::pays(many, messages)
    }

    /// All or none of the messages that `alike` has left.
    #[inline]
    fn worth(many: &Info, _: &Costs, messages: &[Each<'_>], of: u64) -> u64 {
        if many::lanes_pay(many, messages) { of } else { 0 }
    }
}

#[inline(never)]
fn seal_with_any(key: &Kept<Inner>, nonce: &[u8], aad: &[u8], text: Text<'_>, tag: &mut Block) {
    let first = parts::First::of_any(&*key.engine, nonce);
    parts::seal(&*key.engine, &first, aad, text, tag);
}

#[inline(never)]
fn open_with_any(key: &Kept<Inner>, nonce: &[u8], aad: &[u8], text: Text<'_>, right: &mut Block) {
    let first = parts::First::of_any(&*key.engine, nonce);
    parts::open(&*key.engine, &first, aad, text, right);
}
