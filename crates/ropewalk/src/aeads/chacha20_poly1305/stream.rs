//! A message that comes in chunks.

use super::{
    Key, TAG_LEN, check_nonce, check_text,
    parts::{self, begin, end},
};
use crate::{
    aeads::{
        self,
        key::ChaCha20Poly1305,
        stream::{Place, Way},
    },
    core::{Error, tag::Tag, text::Text},
};

/// A message in chunks: additional data, and then the text, which is sealed or opened. All calls for it take the same key. A
/// clone continues from the same position. Both are wiped when they are dropped.
///
/// A nonce must never be used twice with one key to seal, not even by a clone that is given another text.
///
/// # Example
/// ```
/// # use ropewalk::chacha20_poly1305::{Key, Stream};
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
pub type Stream = aeads::stream::Stream<ChaCha20Poly1305, parts::Place, 64>;

impl Stream {
    /// Starts with a nonce, which must be new for this key if the text is sealed.
    ///
    /// # Errors
    /// [`Error::Length`] unless the nonce has 12 bytes.
    #[inline]
    pub fn new(key: &Key, nonce: &[u8]) -> Result<Self, Error> {
        Ok(Self::at(place(key, nonce)?))
    }

    /// Starts another message in the same place, as [`Stream::new`] does: a program with many messages moves nothing.
    ///
    /// # Errors
    /// [`Error::Length`] unless the nonce has 12 bytes; nothing has then changed.
    #[inline]
    pub fn restart(&mut self, key: &Key, nonce: &[u8]) -> Result<(), Error> {
        self.restart_at(place(key, nonce)?);
        Ok(())
    }
}

#[inline]
fn place(key: &Key, nonce: &[u8]) -> Result<parts::Place, Error> {
    let nonce = check_nonce(nonce)?;
    let mac = *begin(&**key.0, nonce, &[]);
    Ok(parts::Place::new(nonce, mac))
}

impl Place<64> for parts::Place {
    type Cipher = ChaCha20Poly1305;

    #[inline]
    fn check_aad(_: u64) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn check_text(len: u64) -> Result<(), Error> {
        check_text(len)
    }

    #[inline]
    fn absorb(&mut self, key: &Key, data: &[u8]) {
        parts::absorb_filled(&**key.0, &mut self.mac, data);
    }

    #[inline]
    fn crypt(&mut self, key: &Key, text: Text<'_>, way: Way) {
        key.0.piece(self, text, way);
    }

    #[inline]
    fn key_stream(&mut self, key: &Key, block: &mut [u8; 64]) {
        *block = [0; 64];
        self.apply(&**key.0, Text::in_place(block));
    }

    #[inline]
    fn tag(&mut self, _: &Key, aad: u64, text: u64) -> Tag {
        Tag { bytes: end(&mut self.mac, aad, text), len: TAG_LEN }
    }
}
