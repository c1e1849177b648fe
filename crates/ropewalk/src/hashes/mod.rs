//! Hash functions: the common parts of those that absorb blocks, each function, and batches.
//!
//! A function is a type without values that implements `HashFunction`: `sha256::Function256`. [`Hasher`] and [`Many`] are generic
//! over these. Merkle–Damgård functions implement `MerkleDamgard`; SHA-3 has a folder of its own.

pub(crate) mod ends;
pub(crate) mod function;
#[cfg(target_arch = "x86_64")]
mod groups;
pub(crate) mod hasher;
pub(crate) mod interleaved;
pub(crate) mod known;
mod list;
pub(crate) mod many;
#[cfg(feature = "md5")]
pub mod md5;
pub(crate) mod merkle_damgard;
#[cfg(feature = "sha1")]
pub mod sha1;
#[cfg(target_arch = "x86_64")]
mod sha2;
#[cfg(feature = "sha256")]
pub mod sha256;
#[cfg(feature = "sha3")]
pub mod sha3;
#[cfg(feature = "sha512")]
pub mod sha512;
#[cfg(feature = "sm3")]
pub mod sm3;
mod tail;

use crate::core::{Error, backend::Costs};
use function::{BlockHash, FixedHash};
pub use hasher::Hasher;
pub(crate) use hasher::{Buffered, Described};
use many::BatchOf;
pub use many::Many;
pub(crate) use tail::{Tail, big_endian_32, big_endian_64, chained_block, little_endian_32};

/// A hash function: one type for messages in chunks, for whole messages, and for MACs.
///
/// It is sealed: the functions of this library implement it.
#[allow(private_bounds, reason = "only functions of this library implement it")]
pub trait Hash: Described<Function: FixedHash<Digest = Self::Digest>> + Clone + Default {
    /// An array of [`DIGEST_LEN`](Self::DIGEST_LEN) bytes.
    type Digest: Copy + AsRef<[u8]> + AsMut<[u8]> + Eq + core::fmt::Debug;
    /// The type for batches.
    #[cfg(feature = "many")]
    type Many: HashMany<One = Self>;

    /// Its name in lists: `sha256`.
    const NAME: &'static str;
    /// Bytes in a digest.
    const DIGEST_LEN: usize;
    /// Bytes in a block.
    const BLOCK_LEN: usize;

    /// With the backend of that name.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    fn with_backend(name: &str) -> Result<Self, Error>;

    /// The name of its backend.
    fn backend(&self) -> &'static str;

    /// Absorbs the next chunk of the message, of any length.
    fn update(&mut self, text: &[u8]);

    /// The digest of all chunks.
    fn finish(self) -> Self::Digest;

    /// The digest of all chunks. The hasher then starts another message, in the same place.
    fn finish_reset(&mut self) -> Self::Digest;

    /// Discards all chunks. The backend stays.
    fn reset(&mut self);

    /// The digest of a whole message, with this hasher's backend. Its own message is not affected.
    fn digest(&self, message: &[u8]) -> Self::Digest;
}

/// A hash function for batches, such as [`Sha256Many`](crate::sha256::Sha256Many): for generic code.
///
/// It is sealed, like [`Hash`].
#[allow(private_bounds, reason = "only functions of this library implement it")]
pub trait HashMany: BatchOf<Function = <Self::One as Described>::Function> + Default {
    /// The type for one message.
    type One: Hash;

    /// With the backend of that name, even where serial processing is faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    fn with_backend(name: &str) -> Result<Self, Error>;

    /// The name of its backend.
    fn backend(&self) -> &'static str;

    /// How many messages that backend hashes at a time.
    fn lanes(&self) -> usize;

    /// With the best backends of this processor, and their costs as measured on it.
    fn with_costs(costs: Costs) -> Self;

    /// The recorded costs of the best backends of this processor.
    fn costs() -> Costs;

    /// The digest of each message. Messages may differ in length.
    ///
    /// # Errors
    /// [`Error::Length`] where there are not as many digests as messages; none is then written.
    fn digest(
        &self,
        messages: &[&[u8]],
        digests: &mut [<Self::One as Hash>::Digest],
    ) -> Result<(), Error>;
}

/// The state of a hash function.
pub(crate) type StateOf<H> = <<H as Described>::Function as BlockHash>::State;
