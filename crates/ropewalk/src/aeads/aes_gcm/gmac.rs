//! GMAC (section 3): GCM without a text.

use super::{Key, Tag};
use crate::core::Error;

/// An AES key for GMAC, with the backends of AES-GCM. A nonce must never be used twice with one key, here or in a [`Key`]: that
/// is up to the caller. It is wiped when it is dropped.
///
/// # Example
/// ```
/// # use ropewalk::aes_gcm::Gmac;
/// let (key, nonce) = (Gmac::new(&[7; 16])?, [0; 12]);
/// let tag = key.mac(&nonce, b"attack at dawn")?;
/// key.verify(&nonce, b"attack at dawn", &tag)?;
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub struct Gmac(Key);

impl Gmac {
    /// Makes a key of 16, 24 or 32 bytes, with the best backend of this processor. Its tags have 16
    /// bytes.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length.
    pub fn new(secret: &[u8]) -> Result<Self, Error> {
        Key::new(secret).map(Self)
    }

    /// With the backend of that name in [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Gmac::new`].
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        Key::with_backend(secret, name).map(Self)
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.backend()
    }

    /// As [`Key::set_tag_len`].
    ///
    /// # Errors
    /// As [`Key::set_tag_len`].
    pub fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        self.0.set_tag_len(bytes)
    }

    /// The tag of a message. The nonce must be new for this key.
    ///
    /// # Errors
    /// [`Error::Length`] for an empty nonce.
    #[inline]
    pub fn mac(&self, nonce: &[u8], message: &[u8]) -> Result<Tag, Error> {
        self.0.seal(nonce, message, &mut [])
    }

    /// Whether `tag` is that of a message.
    ///
    /// # Errors
    /// [`Error::Forged`] if it is not; [`Error::Length`] for an empty nonce, and for a tag that is not
    /// as long as this key's.
    #[inline]
    pub fn verify(&self, nonce: &[u8], message: &[u8], tag: &[u8]) -> Result<(), Error> {
        self.0.open(nonce, message, &mut [], tag)
    }
}
