//! HMAC, as in the crate `hmac`.
//!
//! ```
//! use ropewalk::rustcrypto::{hmac::{Hmac, KeyInit, Mac}, sha2::Sha256};
//!
//! let mut mac = Hmac::<Sha256>::new_from_slice(b"a secret")?;
//! mac.update(b"attack at dawn");
//! let tag = mac.clone().finalize().into_bytes();
//! assert!(mac.verify(&tag).is_ok());
//! # Ok::<(), ropewalk::rustcrypto::hmac::digest::InvalidLength>(())
//! ```

use core::{fmt, mem};

use digest::{
    FixedOutput, FixedOutputReset, InvalidLength, Key, MacMarker, Output, OutputSizeUser, Reset,
    Update,
    common::{AlgorithmName, BlockSizeUser, KeySizeUser},
};
use zeroize::ZeroizeOnDrop;

use crate::{hashes::Hash, keyed::hmac};

pub use digest::{self, Digest, KeyInit, Mac};

/// A hash function for [`Hmac`]: any of this module with digests of one length. It is sealed, as only they implement
/// [`Hash`](trait@Hash).
pub trait EagerHash: Digest + BlockSizeUser {
    #[doc(hidden)]
    type Of: Hash;
}

/// HMAC with a hash function. A key may have any length.
///
/// It keeps the key with the message: for many messages, reset it, or clone it.
pub struct Hmac<D: EagerHash> {
    key: hmac::Key<D::Of>,
    message: hmac::Mac<D::Of>,
}

/// The type of the crate `hmac` for consecutive messages; here it is the same type.
pub type HmacReset<D> = Hmac<D>;

impl<D: EagerHash> KeySizeUser for Hmac<D> {
    type KeySize = D::BlockSize;
}

impl<D: EagerHash> KeyInit for Hmac<D> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self::from(hmac::Key::new(key))
    }

    #[inline]
    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Ok(Self::from(hmac::Key::new(key)))
    }
}

impl<D: EagerHash> From<hmac::Key<D::Of>> for Hmac<D> {
    #[inline]
    fn from(key: hmac::Key<D::Of>) -> Self {
        let message = key.start();
        Self { key, message }
    }
}

impl<D: EagerHash> Clone for Hmac<D> {
    fn clone(&self) -> Self {
        let Self { key, message } = self;
        Self { key: key.clone(), message: message.clone() }
    }
}

impl<D: EagerHash> fmt::Debug for Hmac<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hmac { ... }")
    }
}

impl<D: EagerHash + AlgorithmName> AlgorithmName for Hmac<D> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hmac<")?;
        D::write_alg_name(f)?;
        f.write_str(">")
    }
}

impl<D: EagerHash> BlockSizeUser for Hmac<D> {
    type BlockSize = D::BlockSize;
}

impl<D: EagerHash> OutputSizeUser for Hmac<D> {
    type OutputSize = D::OutputSize;
}

impl<D: EagerHash> MacMarker for Hmac<D> {}

impl<D: EagerHash> Update for Hmac<D> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }
}

impl<D: EagerHash> FixedOutput for Hmac<D> {
    #[inline]
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.message.finish().as_ref());
    }
}

impl<D: EagerHash> Reset for Hmac<D> {
    #[inline]
    fn reset(&mut self) {
        self.message = self.key.start();
    }
}

impl<D: EagerHash> FixedOutputReset for Hmac<D> {
    #[inline]
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        let message = mem::replace(&mut self.message, self.key.start());
        out.copy_from_slice(message.finish().as_ref());
    }
}

impl<D: EagerHash> ZeroizeOnDrop for Hmac<D> {}
