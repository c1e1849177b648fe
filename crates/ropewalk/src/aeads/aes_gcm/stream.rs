//! A message that comes in chunks.

use super::{
    Key, check_aad, check_nonce, check_text,
    parts::{self, First},
};
use crate::{
    aeads::{
        self,
        key::AesGcm,
        stream::{Place, Way},
    },
    core::{Error, block::Block, tag::Tag, text::Text},
};

/// A message in chunks: additional data, and then the text, which is sealed or opened. All calls for it take the same key. A
/// clone continues from the same position. Both are wiped when they are dropped.
///
/// A nonce must never be used twice with one key to seal, not even by a clone that is given another text.
///
/// # Example
/// ```
/// # use ropewalk::aes_gcm::{Key, Stream};
/// let (key, nonce) = (Key::new(&[7; 32])?, [0; 12]);
/// let mut text = *b"attack at dawn";
/// let mut stream = Stream::new(&key, &nonce)?;
/// stream.absorb_aad(&key, b"header")?;
/// let (head, rest) = text.split_at_mut(6);
/// stream.seal(&key, head)?;
/// stream.seal(&key, rest)?;
/// let tag = stream.tag(&key);
///
/// let mut stream = Stream::new(&key, &nonce)?;
/// stream.absorb_aad(&key, b"header")?;
/// stream.open_unverified(&key, &mut text)?;
/// stream.verify(&key, &tag)?;
/// // Not before.
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub type Stream = aeads::stream::Stream<AesGcm, parts::Place, 16>;

impl Stream {
    /// Starts with a nonce, which must be new for this key if the text is sealed.
    ///
    /// # Errors
    /// [`Error::Length`] for an empty nonce.
    #[inline]
    pub fn new(key: &Key, nonce: &[u8]) -> Result<Self, Error> {
        Ok(Self::at(parts::Place::new(first(key, nonce)?)))
    }

    /// Starts another message in the same place, as [`Stream::new`] does: a program with many messages moves nothing.
    ///
    /// # Errors
    /// [`Error::Length`] for an empty nonce; nothing has then changed.
    #[inline]
    pub fn restart(&mut self, key: &Key, nonce: &[u8]) -> Result<(), Error> {
        // Each case is stored to its final place: merged, it would be stored in halves, on which a wide load stalls.
        match nonce.try_into() {
            Ok(nonce) => self.restart_at(parts::Place::new(First::of(nonce))),
            Err(_) => self.restart_at(parts::Place::new(first_of_any(key, nonce)?)),
        }
        Ok(())
    }
}

#[inline]
fn first(key: &Key, nonce: &[u8]) -> Result<First, Error> {
    match nonce.try_into() {
        Ok(nonce) => Ok(First::of(nonce)),
        Err(_) => first_of_any(key, nonce),
    }
}

#[inline(never)]
fn first_of_any(key: &Key, nonce: &[u8]) -> Result<First, Error> {
    check_nonce(nonce)?;
    Ok(First::of_any(&*key.0.engine, nonce))
}

impl Place<16> for parts::Place {
    type Cipher = AesGcm;

    #[inline]
    fn check_aad(len: u64) -> Result<(), Error> {
        check_aad(len)
    }

    #[inline]
    fn check_text(len: u64) -> Result<(), Error> {
        check_text(len)
    }

    #[inline]
    fn absorb(&mut self, key: &Key, data: &[u8]) {
        key.0.engine.absorb(&mut self.hash, data);
    }

    #[inline]
    fn crypt(&mut self, key: &Key, text: Text<'_>, way: Way) {
        key.0.engine.piece(self, text, way);
    }

    #[inline]
    fn key_stream(&mut self, key: &Key, block: &mut Block) {
        *block = [0; 16];
        self.ctr(&*key.0.engine, Text::in_place(block));
    }

    #[inline]
    fn tag(&mut self, key: &Key, aad: u64, text: u64) -> Tag {
        let mut tag = Tag { bytes: [0; 16], len: key.0.tag_len };
        key.0.engine.finish(self, aad, text, &mut tag.bytes);
        tag
    }
}
