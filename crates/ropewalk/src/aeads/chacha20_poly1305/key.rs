//! Keys of ChaCha20-Poly1305.

use super::{Each, Engine, Key, ManyEngine, Secret, TAG_LEN, check, check_key, many};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::chacha::chacha20::KeyWords;
use crate::{
    aeads::{
        key::{ChaCha20Poly1305, Cipher, Unverified, release},
        many::Batched,
    },
    chacha::poly1305::Block,
    core::{
        Error,
        backend::{Costs, Info},
        secret::{Contents, Kept, swept},
        tag::{Tag, check_tag},
        text::Text,
    },
};

impl Contents for Engine {
    const USED: [usize; 2] = [3072, 3072];

    fn info(&self) -> &'static Info {
        Engine::info(self)
    }
}

impl Key {
    /// Makes a key of 32 bytes, with the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length.
    #[inline(always)]
    pub fn new(secret: &[u8]) -> Result<Self, Error> {
        Ok(Self::of_checked(check_key(secret)?))
    }

    /// With the backend of that name in [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    #[inline(always)]
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        let secret = check_key(secret)?;
        let make = Engine::named(name)?;
        Ok(swept(256, || Self(Kept::new(make(secret)))))
    }

    /// Makes a key of a secret whose length has been checked; otherwise the process ends. It is not part of `new`, which is inlined
    /// so that the key is made in the caller's place.
    #[doc(hidden)]
    #[inline(never)]
    pub fn of_checked(secret: Secret<'_>) -> Self {
        swept(256, || Self(Kept::new(Engine::best(secret))))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.public().info().name
    }

    /// The words of its secret, after the constants.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline]
    pub(super) fn words(&self) -> &KeyWords {
        self.0.words()
    }
}

impl Cipher for ChaCha20Poly1305 {
    type Kept = Kept<Engine>;

    #[inline]
    fn tag_len(_: &Kept<Engine>) -> usize {
        TAG_LEN
    }

    #[inline]
    fn seal(key: &Kept<Engine>, nonce: &[u8], aad: &[u8], text: Text<'_>) -> Result<Tag, Error> {
        let nonce = check(nonce, text.len())?;
        let mut tag = Tag::default();
        Engine::seal(key, nonce, aad, text, &mut tag.bytes);
        Ok(tag)
    }

    #[inline]
    fn open(
        key: &Kept<Engine>,
        nonce: &[u8],
        aad: &[u8],
        mut text: Text<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let nonce = check(nonce, text.len())?;
        check_tag(tag, TAG_LEN)?;
        let mut right = [0; TAG_LEN];
        Engine::open(key, nonce, aad, text.reborrow(), &mut right);
        release(text, &right, tag)
    }
}

impl Unverified for ChaCha20Poly1305 {
    #[inline]
    fn open_unverified(
        key: &Kept<Engine>,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
    ) -> Result<Tag, Error> {
        let nonce = check(nonce, text.len())?;
        let mut tag = Tag::default();
        Engine::open(key, nonce, aad, text, &mut tag.bytes);
        Ok(tag)
    }
}

impl Batched for ChaCha20Poly1305 {
    type Engine = ManyEngine;

    #[inline]
    fn check(_: &Kept<Engine>, nonce: &[u8], _: &[u8], text_len: usize) -> Result<(), Error> {
        check(nonce, text_len).map(|_| ())
    }

    /// Nonzero also for a text of 2^37 bytes or more, which may be allowed.
    #[inline(always)]
    fn precheck(_: &Kept<Engine>, nonce: &[u8], _: &[u8], text_len: usize) -> u64 {
        (nonce.len() ^ 12) as u64 | text_len as u64 >> 37
    }

    #[inline]
    fn seal_checked(key: &Kept<Engine>, nonce: &[u8], aad: &[u8], text: Text<'_>, tag: &mut Block) {
        if let Ok(nonce) = nonce.try_into() {
            Engine::seal(key, nonce, aad, text, tag);
        }
    }

    #[inline]
    fn open_checked(
        key: &Kept<Engine>,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
        right: &mut Block,
    ) {
        if let Ok(nonce) = nonce.try_into() {
            Engine::open(key, nonce, aad, text, right);
        }
    }

    #[inline]
    fn few(messages: &[Each<'_>]) -> bool {
        many::few(messages)
    }

    /// The cost of a serial message is in a table of the cost model (`Cost`).
    #[inline]
    fn recorded(many: &Info) -> Costs {
        Costs { one: 0, step: many.cycles, start: many.start }
    }

    #[inline]
    fn pays(many: &Info, _: &Costs, messages: &[Each<'_>]) -> bool {
        many::pays(many, messages)
    }

    #[inline]
    fn worth(many: &Info, costs: &Costs, messages: &[Each<'_>], of: u64) -> u64 {
        many::worth(many, costs, messages, of)
    }
}
