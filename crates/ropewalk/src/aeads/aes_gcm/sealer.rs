use super::{Key, Nonce, Tag};
use crate::core::{Error, secret::Wiped};

/// A key that never seals twice with one nonce, and refuses to seal when its nonces are used up.
///
/// ```
/// use ropewalk::aes_gcm::{Key, Sealer};
///
/// let mut sealer = Sealer::random(Key::new(&[7; 32])?);
/// let mut text = *b"attack at dawn";
/// let (nonce, tag) = sealer.seal(b"header", &mut text)?;
/// sealer.key().open(&nonce, b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub struct Sealer(Wiped<Parts>);

struct Parts {
    key: Key,
    nonces: Nonces,
    /// Messages that may still be sealed.
    left: u128,
}

enum Nonces {
    /// The fixed field and the next invocation field.
    Counter([u8; 4], u64),
    #[cfg(feature = "random")]
    Random,
}

impl Sealer {
    /// Nonces of four bytes `fixed` and an eight-byte big-endian counter of messages from `first` on (section 8.2.1). `fixed`
    /// must differ from that of every other sealer with the same key, at any time; otherwise `first` must be greater than all
    /// that the other has counted.
    ///
    /// It seals up to 2^64 − `first` messages.
    pub fn counter(key: Key, fixed: [u8; 4], first: u64) -> Self {
        let left = (1 << 64) - u128::from(first);
        Self(Wiped::new(Parts { key, nonces: Nonces::Counter(fixed, first), left }))
    }

    /// Random nonces (section 8.2.2), of [`random`](crate::random).
    ///
    /// It seals up to 2^32 messages, the limit of section 8.3 for a key: it applies to all sealers with this key together.
    #[cfg(feature = "random")]
    pub fn random(key: Key) -> Self {
        Self(Wiped::new(Parts { key, nonces: Nonces::Random, left: 1 << 32 }))
    }

    /// Limits the sealer to `messages` from now on: TLS 1.3 allows a key to seal 2^24.5 full records.
    pub fn limit(mut self, messages: u64) -> Self {
        self.0.left = self.0.left.min(messages.into());
        self
    }

    /// Encrypts `text` in place, and returns its nonce and tag.
    ///
    /// # Errors
    /// [`Error::Exhausted`] once no nonce is left, [`Error::NoRandomness`] where the operating system
    /// has none, [`Error::Length`] as [`Key::seal`]; `text` is then untouched.
    pub fn seal(&mut self, aad: &[u8], text: &mut [u8]) -> Result<(Nonce, Tag), Error> {
        let nonce = self.next()?;
        Ok((nonce, self.0.key.seal(&nonce, aad, text)?))
    }

    /// Encrypts `plaintext` to `message`: the nonce, the ciphertext and the tag.
    ///
    /// # Errors
    /// As [`Sealer::seal`], and [`Error::Length`] unless `message` is longer by twelve bytes and a
    /// tag; it is then untouched.
    pub fn seal_message(
        &mut self,
        aad: &[u8],
        plaintext: &[u8],
        message: &mut [u8],
    ) -> Result<(), Error> {
        let got = message.len();
        if plaintext.len().checked_add(12 + self.0.key.0.tag_len) != Some(got) {
            let allowed = "that of the text, a nonce and a tag";
            return Err(Error::Length { what: "message", got, allowed });
        }
        let nonce = self.next()?;
        self.0.key.seal_appended_to(&nonce, aad, plaintext, &mut message[12..])?;
        message[..12].copy_from_slice(&nonce);
        Ok(())
    }

    /// Decrypts the output of [`Sealer::seal_message`], sealed with the same secret.
    ///
    /// # Errors
    /// As [`Key::open_appended_to`].
    pub fn open_message(
        &self,
        aad: &[u8],
        message: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        let parts = message.split_at_checked(12);
        let Some((nonce, sealed)) =
            parts.filter(|(_, sealed)| sealed.len() >= self.0.key.0.tag_len)
        else {
            let allowed = "at least that of a nonce and a tag";
            return Err(Error::Length { what: "message", got: message.len(), allowed });
        };
        self.0.key.open_appended_to(nonce, aad, sealed, plaintext)
    }

    /// The key, for opening.
    pub fn key(&self) -> &Key {
        &self.0.key
    }

    /// A nonce that is used only once.
    fn next(&mut self) -> Result<Nonce, Error> {
        self.0.left = self.0.left.checked_sub(1).ok_or(Error::Exhausted)?;
        let mut nonce = [0; 12];
        match &mut self.0.nonces {
            Nonces::Counter(fixed, count) => {
                nonce[..4].copy_from_slice(fixed);
                nonce[4..].copy_from_slice(&count.to_be_bytes());
                *count = count.wrapping_add(1);
            }
            #[cfg(feature = "random")]
            Nonces::Random => crate::random::fill(&mut nonce)?,
        }
        Ok(nonce)
    }
}
