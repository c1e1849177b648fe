//! SHA3-224, SHA3-256, SHA3-384 and SHA3-512, whose digests have one length (FIPS 202, section 6.1).

use super::{Engine, SpongeFunction};
use crate::hashes::{Hasher, function::BlockHash};
#[cfg(feature = "many")]
use crate::{
    core::Error,
    hashes::{Many, many::one_or_many},
};

/// SHA3-224.
pub type Sha3_224 = Hasher<SpongeFunction<144, 0x06, 28>>;

/// SHA3-256.
pub type Sha3_256 = Hasher<SpongeFunction<136, 0x06, 32>>;

/// SHA3-384.
pub type Sha3_384 = Hasher<SpongeFunction<104, 0x06, 48>>;

/// SHA3-512.
pub type Sha3_512 = Hasher<SpongeFunction<72, 0x06, 64>>;

/// SHA3-224 of many messages. Backends are in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY).
#[cfg(feature = "many")]
pub type Sha3_224Many = Many<SpongeFunction<144, 0x06, 28>>;

/// SHA3-256 of many messages. Backends are in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY).
#[cfg(feature = "many")]
pub type Sha3_256Many = Many<SpongeFunction<136, 0x06, 32>>;

/// SHA3-384 of many messages. Backends are in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY).
#[cfg(feature = "many")]
pub type Sha3_384Many = Many<SpongeFunction<104, 0x06, 48>>;

/// SHA3-512 of many messages. Backends are in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY).
#[cfg(feature = "many")]
pub type Sha3_512Many = Many<SpongeFunction<72, 0x06, 64>>;

/// The SHA3-224 digest of `message`, of any length.
#[inline]
pub fn sha3_224(message: &[u8]) -> [u8; 28] {
    <SpongeFunction<144, 0x06, 28>>::digest(&Engine::best(()), message)
}

/// The SHA3-256 digest of `message`, of any length.
#[inline]
pub fn sha3_256(message: &[u8]) -> [u8; 32] {
    <SpongeFunction<136, 0x06, 32>>::digest(&Engine::best(()), message)
}

/// The SHA3-384 digest of `message`, of any length.
#[inline]
pub fn sha3_384(message: &[u8]) -> [u8; 48] {
    <SpongeFunction<104, 0x06, 48>>::digest(&Engine::best(()), message)
}

/// The SHA3-512 digest of `message`, of any length.
#[inline]
pub fn sha3_512(message: &[u8]) -> [u8; 64] {
    <SpongeFunction<72, 0x06, 64>>::digest(&Engine::best(()), message)
}

/// The SHA3-224 digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn sha3_224_many(messages: &[&[u8]], digests: &mut [[u8; 28]]) -> Result<(), Error> {
    one_or_many(messages, digests, || 0, sha3_224, Sha3_224Many::digest_by_best)
}

/// The SHA3-256 digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn sha3_256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), Error> {
    one_or_many(messages, digests, || 0, sha3_256, Sha3_256Many::digest_by_best)
}

/// The SHA3-384 digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn sha3_384_many(messages: &[&[u8]], digests: &mut [[u8; 48]]) -> Result<(), Error> {
    one_or_many(messages, digests, || 0, sha3_384, Sha3_384Many::digest_by_best)
}

/// The SHA3-512 digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn sha3_512_many(messages: &[&[u8]], digests: &mut [[u8; 64]]) -> Result<(), Error> {
    one_or_many(messages, digests, || 0, sha3_512, Sha3_512Many::digest_by_best)
}
