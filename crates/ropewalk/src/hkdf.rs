//! HKDF (RFC 5869): keys from what is secret, but not evenly random.
//!
//! ```
//! use ropewalk::{hkdf, hmac, sha256::Sha256};
//!
//! let salt = hmac::Key::<Sha256>::new(b"what both sides know");
//! let mut key = [0; 32];
//! hkdf::extract(&salt, b"what they agreed on").expand(&[b"client to server"], &mut key)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{Error, hash::Hash, hmac, secret::Wiped};

/// A pseudorandom key PRK (section 2.2), of which others are made. It is wiped when it is dropped.
pub struct Prk<H: Hash> {
    key: hmac::Key<H>,
    bytes: Wiped<H::Digest>,
}

/// HKDF-Extract (section 2.2), given a key that was made of the salt; where there is none, of nothing. The
/// backend is that of the salt's key.
pub fn extract<H: Hash>(salt: &hmac::Key<H>, secret: &[u8]) -> Prk<H> {
    Prk::of(salt, salt.mac(secret))
}

impl<H: Hash> Prk<H> {
    /// Of bytes that are evenly random already (section 3.3), with the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] unless they are as many as a digest has.
    pub fn new(bytes: &[u8]) -> Result<Self, Error> {
        let got = bytes.len();
        if got != H::DIGEST_LEN {
            return Err(Error::Length { what: "pseudorandom key", got, allowed: "as a digest" });
        }
        let mut copy = Wiped::new(H::nothing());
        copy.as_mut().copy_from_slice(bytes);
        Ok(Self { key: hmac::Key::new(bytes), bytes: copy })
    }

    /// With the backend of another key.
    pub(crate) fn of(key: &hmac::Key<H>, bytes: H::Digest) -> Self {
        Self { key: key.again(bytes.as_ref()), bytes: Wiped::new(bytes) }
    }

    /// It, as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The key of its MAC.
    pub(crate) fn key(&self) -> &hmac::Key<H> {
        &self.key
    }

    /// HKDF-Expand (section 2.3): fills `out`. `info`, in parts, says what for.
    ///
    /// # Errors
    /// [`Error::Length`] where `out` is longer than 255 digests; it is then untouched.
    pub fn expand(&self, info: &[&[u8]], out: &mut [u8]) -> Result<(), Error> {
        let got = out.len();
        if got > 255 * H::DIGEST_LEN {
            return Err(Error::Length { what: "key", got, allowed: "up to 255 digests" });
        }
        let mut last = Wiped::new(H::nothing());
        for (i, piece) in out.chunks_mut(H::DIGEST_LEN).enumerate() {
            let mut mac = self.key.start();
            if i > 0 {
                mac.update((*last).as_ref());
            }
            info.iter().for_each(|part| mac.update(part));
            mac.update(&[(i + 1) as u8]);
            *last = mac.finish();
            piece.copy_from_slice(&(*last).as_ref()[..piece.len()]);
        }
        Ok(())
    }
}
