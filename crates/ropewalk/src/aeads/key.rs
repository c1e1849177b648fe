//! A key of an authenticated cipher: texts in place or copied, with separate or appended tags.

use crate::core::{
    Error,
    block::Block,
    tag::{Tag, same},
    text::Text,
};

/// An authenticated cipher, as keys need it.
pub(crate) trait Cipher: Sized + 'static {
    /// The contents of a key.
    type Kept;

    /// The tag length in bytes.
    fn tag_len(key: &Self::Kept) -> usize;

    /// Encrypts the text, if its lengths are right.
    fn seal(key: &Self::Kept, nonce: &[u8], aad: &[u8], text: Text<'_>) -> Result<Tag, Error>;

    /// Decrypts the text, if its lengths are right and the tag is its own.
    fn open(
        key: &Self::Kept,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
        tag: &[u8],
    ) -> Result<(), Error>;
}

/// A cipher that can also decrypt a text without its tag.
pub(crate) trait Unverified: Cipher {
    /// Decrypts the text, if its lengths are right, and returns the tag that it should have.
    fn open_unverified(
        key: &Self::Kept,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
    ) -> Result<Tag, Error>;
}

/// AES-GCM.
#[derive(Clone, Copy, Debug)]
pub enum AesGcm {}

/// AES-CCM.
#[derive(Clone, Copy, Debug)]
pub enum AesCcm {}

/// ChaCha20-Poly1305.
#[derive(Clone, Copy, Debug)]
pub enum ChaCha20Poly1305 {}

/// Any of them, selected by name.
#[derive(Clone, Copy, Debug)]
pub enum Named {}

/// A key of an authenticated cipher. It is wiped when it is dropped, and so is a clone.
#[allow(private_bounds, reason = "only ciphers of this library have keys")]
pub struct Key<C: Cipher>(pub(crate) C::Kept);

impl<C: Cipher<Kept: Clone>> Clone for Key<C> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[allow(private_bounds, reason = "only ciphers of this library have keys")]
impl<C: Cipher> Key<C> {
    /// Encrypts `text` in place and returns its tag. The nonce must be new for this key.
    ///
    /// # Errors
    /// [`Error::Length`] for a text, additional data or a nonce of a length that the cipher does not take; `text` is then
    /// untouched.
    #[inline]
    pub fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<Tag, Error> {
        C::seal(&self.0, nonce, aad, Text::in_place(text))
    }

    /// Encrypts `plaintext` to `ciphertext` and returns its tag. The nonce must be new for this key.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::seal`], and unless both are equally long; `ciphertext` is then untouched.
    #[inline]
    pub fn seal_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<Tag, Error> {
        C::seal(&self.0, nonce, aad, Text::copying(plaintext, ciphertext)?)
    }

    /// Encrypts all of `message` in place except for the space for a tag at its end, and writes the tag there. The nonce must be
    /// new for this key.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::seal`], and where there is no space for a tag; `message` is then untouched.
    #[inline]
    pub fn seal_appended(&self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> Result<(), Error> {
        let (text, place) = self.split_mut(message)?;
        place.copy_from_slice(&self.seal(nonce, aad, text)?);
        Ok(())
    }

    /// Encrypts `plaintext` to `message`, followed by the tag. The nonce must be new for this key.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::seal`], and unless `message` is longer by a tag; it is then untouched.
    #[inline]
    pub fn seal_appended_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        message: &mut [u8],
    ) -> Result<(), Error> {
        if plaintext.len().checked_add(C::tag_len(&self.0)) != Some(message.len()) {
            let allowed = "that of the text and a tag";
            return Err(Error::Length { what: "message", got: message.len(), allowed });
        }
        let (text, place) = self.split_mut(message)?;
        place.copy_from_slice(&self.seal_to(nonce, aad, plaintext, text)?);
        Ok(())
    }

    /// Decrypts `text` in place, if `tag` is its tag.
    ///
    /// # Errors
    /// [`Error::Forged`] if it is not; `text` is then zeroed. [`Error::Length`] as [`Key::seal`], and for a tag that is not as
    /// long as this key's; `text` is then untouched.
    #[inline]
    pub fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        C::open(&self.0, nonce, aad, Text::in_place(text), tag)
    }

    /// Decrypts `ciphertext` to `plaintext`, if `tag` is its tag.
    ///
    /// # Errors
    /// As [`Key::open`], and [`Error::Length`] unless both are equally long.
    #[inline]
    pub fn open_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        C::open(&self.0, nonce, aad, Text::copying(ciphertext, plaintext)?, tag)
    }

    /// Decrypts all of `message` in place except for the tag at its end, and returns the text.
    ///
    /// # Errors
    /// As [`Key::open`], and [`Error::Length`] where the message is shorter than a tag.
    #[inline]
    pub fn open_appended<'a>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        message: &'a mut [u8],
    ) -> Result<&'a mut [u8], Error> {
        let (text, tag) = self.split_mut(message)?;
        self.open(nonce, aad, text, tag)?;
        Ok(text)
    }

    /// Decrypts `message`, which ends with its tag, to `plaintext`.
    ///
    /// # Errors
    /// As [`Key::open`], and [`Error::Length`] unless `message` is longer by a tag.
    #[inline]
    pub fn open_appended_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        message: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        let text = message.len().checked_sub(C::tag_len(&self.0));
        let (text, tag) = message.split_at(text.ok_or_else(|| no_room(message))?);
        self.open_to(nonce, aad, text, plaintext, tag)
    }

    /// The text, and the tag that follows.
    #[inline]
    fn split_mut<'a>(&self, message: &'a mut [u8]) -> Result<(&'a mut [u8], &'a mut [u8]), Error> {
        match message.len().checked_sub(C::tag_len(&self.0)) {
            Some(text) => Ok(message.split_at_mut(text)),
            None => Err(no_room(message)),
        }
    }

    #[inline]
    pub(crate) fn seal_text(&self, nonce: &[u8], aad: &[u8], text: Text<'_>) -> Result<Tag, Error> {
        C::seal(&self.0, nonce, aad, text)
    }

    #[inline]
    pub(crate) fn open_text(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        C::open(&self.0, nonce, aad, text, tag)
    }

    #[inline]
    pub(crate) fn tag_len(&self) -> usize {
        C::tag_len(&self.0)
    }
}

#[allow(private_bounds, reason = "only ciphers of this library have keys")]
impl<C: Unverified> Key<C> {
    /// Decrypts `text` in place, and returns the tag that it should have.
    ///
    /// The text is **unauthenticated**. Compare the tag with the one that was received, in constant time, and discard the text
    /// if they differ. This is for interfaces that get the tag later; [`Key::open`] compares it.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::open`]; `text` is then untouched.
    #[inline]
    pub fn open_unverified(&self, nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<Tag, Error> {
        C::open_unverified(&self.0, nonce, aad, Text::in_place(text))
    }

    /// Decrypts `ciphertext` to `plaintext`, and returns the tag that it should have: see [`Key::open_unverified`].
    ///
    /// # Errors
    /// As [`Key::open_unverified`], and [`Error::Length`] unless both are equally long.
    #[inline]
    pub fn open_unverified_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
    ) -> Result<Tag, Error> {
        C::open_unverified(&self.0, nonce, aad, Text::copying(ciphertext, plaintext)?)
    }
}

/// Leaves the decrypted text, or zeroes it where `right` is not `tag`.
#[inline]
pub(crate) fn release(mut text: Text<'_>, right: &Block, tag: &[u8]) -> Result<(), Error> {
    if same(right, tag) {
        return Ok(());
    }
    text.output().fill(0);
    Err(Error::Forged)
}

#[cold]
fn no_room(message: &[u8]) -> Error {
    Error::Length { what: "message", got: message.len(), allowed: "at least that of a tag" }
}
