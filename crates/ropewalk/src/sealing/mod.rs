//! What everybody calls who seals and opens, for every authenticated cipher: in place or copied, with the tag
//! apart or behind the text.

use crate::core::{Error, block::Block, tag::same, text::Text};

#[cfg(feature = "aes-ccm")]
pub mod aes_ccm;
#[cfg(feature = "aes-gcm")]
pub mod aes_gcm;
#[cfg(feature = "chacha20-poly1305")]
pub mod chacha20_poly1305;
pub(crate) mod collected;
pub(crate) mod known;
pub(crate) mod many;
pub(crate) mod stream;

/// Writes the calls of a key, given in words what is too long and which nonce is wrong, and its `seal_text`,
/// `open_text` and `tag_len`.
macro_rules! sealing {
    (past $past:literal, $nonce:literal) => {
        /// Encrypts `text` in place and returns its tag. The nonce must be new for this key.
        ///
        /// # Errors
        #[doc = concat!("[`Error::Length`](crate::core::Error::Length) past ", $past, ", and ", $nonce, "; `text` is then untouched.")]
        #[inline]
        pub fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<$crate::core::tag::Tag, $crate::core::Error> {
            self.seal_text(nonce, aad, $crate::core::text::Text::in_place(text))
        }

        /// Encrypts `plaintext` to `ciphertext` and returns its tag. The nonce must be new for this key.
        ///
        /// # Errors
        /// [`Error::Length`](crate::Error::Length) as [`Key::seal`], and unless both are equally long; `ciphertext` is then
        /// untouched.
        #[inline]
        pub fn seal_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            plaintext: &[u8],
            ciphertext: &mut [u8],
        ) -> Result<$crate::core::tag::Tag, $crate::core::Error> {
            self.seal_text(nonce, aad, $crate::core::text::Text::copying(plaintext, ciphertext)?)
        }

        /// Encrypts all of `message` in place but for room for a tag at its end, where the tag goes. The
        /// nonce must be new for this key.
        ///
        /// # Errors
        /// [`Error::Length`](crate::Error::Length) as [`Key::seal`], and where a tag has no room; `message` is then untouched.
        #[inline]
        pub fn seal_appended(&self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> Result<(), $crate::core::Error> {
            let (text, place) = self.split_mut(message)?;
            place.copy_from_slice(&self.seal(nonce, aad, text)?);
            Ok(())
        }

        /// Encrypts `plaintext` to `message`, where the tag follows. The nonce must be new for this key.
        ///
        /// # Errors
        /// [`Error::Length`](crate::Error::Length) as [`Key::seal`], and unless `message` is longer by a tag; it is then
        /// untouched.
        #[inline]
        pub fn seal_appended_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            plaintext: &[u8],
            message: &mut [u8],
        ) -> Result<(), $crate::core::Error> {
            if plaintext.len().checked_add(self.tag_len()) != Some(message.len()) {
                let allowed = "that of the text and a tag";
                return Err($crate::core::Error::Length { what: "message", got: message.len(), allowed });
            }
            let (text, place) = self.split_mut(message)?;
            place.copy_from_slice(&self.seal_to(nonce, aad, plaintext, text)?);
            Ok(())
        }

        /// Decrypts `text` in place, if `tag` is its tag.
        ///
        /// # Errors
        #[doc = concat!(
            "[`Error::Forged`](crate::core::Error::Forged) if it is not; `text` is then zeroed. \
             [`Error::Length`](crate::core::Error::Length) past ", $past, ", ", $nonce, ", and for a tag that is not \
             as long as this key's; `text` is then untouched."
        )]
        #[inline]
        pub fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), $crate::core::Error> {
            self.open_text(nonce, aad, $crate::core::text::Text::in_place(text), tag)
        }

        /// Decrypts `ciphertext` to `plaintext`, if `tag` is its tag.
        ///
        /// # Errors
        /// As [`Key::open`], and [`Error::Length`](crate::Error::Length) unless both are equally long.
        #[inline]
        pub fn open_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            ciphertext: &[u8],
            plaintext: &mut [u8],
            tag: &[u8],
        ) -> Result<(), $crate::core::Error> {
            self.open_text(nonce, aad, $crate::core::text::Text::copying(ciphertext, plaintext)?, tag)
        }

        /// Decrypts all of `message` in place but its tag, which is at its end, and returns the text.
        ///
        /// # Errors
        /// As [`Key::open`], and [`Error::Length`](crate::Error::Length) where the message is shorter than a tag.
        #[inline]
        pub fn open_appended<'a>(
            &self,
            nonce: &[u8],
            aad: &[u8],
            message: &'a mut [u8],
        ) -> Result<&'a mut [u8], $crate::core::Error> {
            let (text, tag) = self.split_mut(message)?;
            self.open(nonce, aad, text, tag)?;
            Ok(text)
        }

        /// Decrypts `message`, which ends with its tag, to `plaintext`.
        ///
        /// # Errors
        /// As [`Key::open`], and [`Error::Length`](crate::Error::Length) unless `message` is longer by a tag.
        #[inline]
        pub fn open_appended_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            message: &[u8],
            plaintext: &mut [u8],
        ) -> Result<(), $crate::core::Error> {
            let text = message.len().checked_sub(self.tag_len());
            let (text, tag) = message.split_at(text.ok_or_else(|| $crate::sealing::no_room(message))?);
            self.open_to(nonce, aad, text, plaintext, tag)
        }

        /// The text, and the tag that follows.
        #[inline]
        fn split_mut<'a>(&self, message: &'a mut [u8]) -> Result<(&'a mut [u8], &'a mut [u8]), $crate::core::Error> {
            match message.len().checked_sub(self.tag_len()) {
                Some(text) => Ok(message.split_at_mut(text)),
                None => Err($crate::sealing::no_room(message)),
            }
        }
    };
}
pub(crate) use sealing;

/// Writes a call for those who compare tags themselves, given `check`, `open_checked` and `tag_len`.
macro_rules! unverified {
    () => {
        /// Decrypts `text` in place, and returns the tag that it should have.
        ///
        /// What it gives may be anybody's until that tag is compared with the one that came, in constant time, and is to be
        /// thrown away if they differ: it is for interfaces that are given the tag later. Whoever has it takes [`Key::open`].
        ///
        /// # Errors
        /// [`Error::Length`](crate::Error::Length) as [`Key::open`]; `text` is then untouched.
        #[inline]
        pub fn open_unverified(
            &self,
            nonce: &[u8],
            aad: &[u8],
            text: &mut [u8],
        ) -> Result<$crate::core::tag::Tag, $crate::core::Error> {
            self.open_unverified_text(nonce, aad, $crate::core::text::Text::in_place(text))
        }

        /// Decrypts `ciphertext` to `plaintext`, and returns the tag that it should have: see [`Key::open_unverified`].
        ///
        /// # Errors
        /// As [`Key::open_unverified`], and [`Error::Length`](crate::Error::Length) unless both are equally long.
        #[inline]
        pub fn open_unverified_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            ciphertext: &[u8],
            plaintext: &mut [u8],
        ) -> Result<$crate::core::tag::Tag, $crate::core::Error> {
            self.open_unverified_text(
                nonce,
                aad,
                $crate::core::text::Text::copying(ciphertext, plaintext)?,
            )
        }

        #[inline]
        fn open_unverified_text(
            &self,
            nonce: &[u8],
            aad: &[u8],
            text: $crate::core::text::Text<'_>,
        ) -> Result<$crate::core::tag::Tag, $crate::core::Error> {
            self.check(nonce, aad, text.len())?;
            let mut tag = $crate::core::tag::Tag { bytes: [0; 16], len: self.tag_len() };
            self.open_checked(nonce, aad, text, &mut tag.bytes);
            Ok(tag)
        }
    };
}
pub(crate) use unverified;

/// Leaves what was decrypted, or zeroes it where `right` is not `tag`.
#[inline]
pub(crate) fn release(mut text: Text<'_>, right: &Block, tag: &[u8]) -> Result<(), Error> {
    if same(right, tag) {
        return Ok(());
    }
    text.output().fill(0);
    Err(Error::Forged)
}

#[cold]
pub(crate) fn no_room(message: &[u8]) -> Error {
    Error::Length { what: "message", got: message.len(), allowed: "at least that of a tag" }
}
