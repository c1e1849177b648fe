//! Signatures.

use super::{SignatureBytes, der, is_scalar};
use crate::core::Error;

/// The bytes of a signature of fixed length.
pub const SIGNATURE_LEN: usize = 64;

/// A signature: numbers r and s from 1 to n - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature(SignatureBytes);

impl Signature {
    /// From r and s, 32 bytes each, big-endian, as in JOSE, WebCrypto and P1363.
    ///
    /// # Errors
    /// [`Error::Invalid`] where r or s is 0, or n or more: such a signature is never valid.
    pub fn from_bytes(bytes: &[u8; SIGNATURE_LEN]) -> Result<Self, Error> {
        if bytes.as_chunks().0.iter().any(|number| is_scalar(number) == 0) {
            return Err(Error::Invalid { what: "signature", why: "r or s is not from 1 to n - 1" });
        }
        Ok(Self(*bytes))
    }

    /// From DER: a sequence of two integers, as in X.509 and TLS.
    ///
    /// # Errors
    /// [`Error::Invalid`] for other bytes, as for negative or padded integers, long lengths, and bytes after the end; and as
    /// [`Signature::from_bytes`].
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(&der::read(bytes)?)
    }

    /// r and s, 32 bytes each, big-endian.
    pub fn to_bytes(&self) -> [u8; SIGNATURE_LEN] {
        self.0
    }

    /// In DER.
    pub fn to_der(&self) -> der::Der {
        der::Der::new(&self.0)
    }

    pub(super) fn as_bytes(&self) -> &SignatureBytes {
        &self.0
    }
}
