//! Keys of AES-CCM.

use super::{Each, Engine, Key, ManyEngine, check, many};
use crate::{
    aeads::{
        key::{AesCcm, Cipher, release},
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
    const USED: [usize; 2] = [1024, 2048];

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

    /// Sets the tag length: 4, 6, 8, 10, 12, 14 or 16 bytes. A key has tags of one length (section 5.4): if each message chose, a
    /// forger would choose the shortest. With less than eight bytes, limit the number of wrong tags that are ever checked
    /// (appendix B.2).
    ///
    /// # Errors
    /// [`Error::Length`] for any other length; the key is then as it was.
    pub fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        if !(4..=16).contains(&bytes) || !bytes.is_multiple_of(2) {
            let allowed = "4, 6, 8, 10, 12, 14 or 16 bytes";
            return Err(Error::Length { what: "tag", got: bytes, allowed });
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
}

impl Cipher for AesCcm {
    type Kept = Kept<Inner>;

    #[inline]
    fn tag_len(key: &Kept<Inner>) -> usize {
        key.public().tag_len
    }

    #[inline]
    fn seal(key: &Kept<Inner>, nonce: &[u8], aad: &[u8], text: Text<'_>) -> Result<Tag, Error> {
        check(nonce, text.len())?;
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
        check(nonce, text.len())?;
        check_tag(tag, key.public().tag_len)?;
        let mut right = [0; 16];
        Self::open_checked(key, nonce, aad, text.reborrow(), &mut right);
        release(text, &right, tag)
    }
}

impl Batched for AesCcm {
    type Engine = ManyEngine;

    #[inline]
    fn check(_: &Kept<Inner>, nonce: &[u8], _: &[u8], text_len: usize) -> Result<(), Error> {
        check(nonce, text_len)
    }

    /// Zero if the text length fits in its length field.
    #[inline(always)]
    fn precheck(_: &Kept<Inner>, nonce: &[u8], _: &[u8], text_len: usize) -> u64 {
        let more = nonce.len().wrapping_sub(7);
        let length_bits = 8 * (8 - more.min(6));
        u64::from(more > 6) | text_len as u64 >> 1 >> (length_bits - 1)
    }

    #[inline(always)]
    fn seal_checked(key: &Kept<Inner>, nonce: &[u8], aad: &[u8], text: Text<'_>, tag: &mut Block) {
        key.engine.crypt(false, nonce, key.public().tag_len, aad, text, tag);
    }

    #[inline(always)]
    fn open_checked(
        key: &Kept<Inner>,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
        right: &mut Block,
    ) {
        key.engine.crypt(true, nonce, key.public().tag_len, aad, text, right);
    }

    #[inline]
    fn few(messages: &[Each<'_>]) -> bool {
        many::few(messages)
    }

    #[inline]
    fn recorded(many: &Info) -> Costs {
        many::recorded(many)
    }

    #[inline]
    fn pays(many: &Info, costs: &Costs, messages: &[Each<'_>]) -> bool {
        many::pays(many, costs, messages)
    }

    #[inline]
    fn worth(many: &Info, costs: &Costs, messages: &[Each<'_>], of: u64) -> u64 {
        many::worth(many, costs, messages, of)
    }
}
