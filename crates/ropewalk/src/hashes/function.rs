//! The descriptions of hash functions, over which all code for hash functions is generic.

use core::fmt::Debug;

use super::{hasher::Incremental, many::LaneHash};
use crate::core::backend::{Chosen, TwoKinds};

/// A hash function with digests of one length.
#[allow(private_bounds, reason = "only arrays are digests")]
pub trait HashFunction: 'static {
    /// An array of bytes.
    type Digest: ByteArray;

    /// Its name in lists: `sha256`.
    const NAME: &'static str;
    /// A digest of zeros.
    const ZERO: Self::Digest = <Self::Digest as ByteArray>::ZERO;
}

/// A hash function with digests of one length, with everything that this library needs of it.
pub(crate) trait FixedHash:
    HashFunction + LaneHash<Output = <Self as HashFunction>::Digest>
{
}

impl<F: HashFunction + LaneHash<Output = <F as HashFunction>::Digest>> FixedHash for F {}

/// Functions with backends: the functions of a module share them.
pub(crate) trait Backed: Sized + 'static {
    /// A backend for one message.
    type One: Chosen + Clone + Send + Sync;
    /// A backend for many messages.
    type Many: TwoKinds<Lanes: Send + Sync, Few: Send + Sync>;
}

/// A function that absorbs a message in blocks, the last of which are padded.
pub(crate) trait BlockHash: Backed {
    /// The state that a block updates.
    type State: Copy + Send + Sync + 'static;
    type Block: ByteArray;
    type Output: ByteArray;
    /// The last blocks.
    type Tail: LastBlocks<Block = Self::Block>;
    /// A message in chunks.
    type Incremental: Incremental<Self>;

    const START: Self::State;
    /// The first byte of the padding, and the least number of further padding bytes in the last block.
    const MARKER: u8;
    const AFTER_MARKER: usize;

    /// Absorbs whole blocks.
    fn compress(engine: &Self::One, state: &mut Self::State, blocks: &[Self::Block]);

    /// Absorbs the rest of a message of `len` bytes, and the padding.
    fn complete(engine: &Self::One, state: &mut Self::State, text: &[u8], len: u64);

    /// Absorbs the digest of another message, which follows one block and ends this one, and the padding: the last step of HMAC.
    #[inline]
    fn chain(engine: &Self::One, state: &mut Self::State, digest: &Self::State) {
        let len = (Self::Block::LEN + Self::Output::LEN) as u64;
        Self::complete(engine, state, Self::output(engine, digest).as_ref(), len);
    }

    /// The output of a final state.
    fn output(engine: &Self::One, state: &Self::State) -> Self::Output;

    /// The output of a whole message.
    #[inline]
    fn digest(engine: &Self::One, message: &[u8]) -> Self::Output {
        let mut state = Self::START;
        Self::complete(engine, &mut state, message, message.len() as u64);
        Self::output(engine, &state)
    }
}

/// The last blocks of a message, padded.
pub(crate) trait LastBlocks: Copy {
    type Block: ByteArray;

    const EMPTY: Self;

    /// Sets it to the `rest` of a message of `len` bytes, which does not fill a block.
    fn set(&mut self, rest: &[u8], len: u64);

    /// The same, for an empty tail.
    fn fill(&mut self, rest: &[u8], len: u64);

    fn blocks(&self) -> &[Self::Block];

    /// Adds the end of the padding of a message of `len` bytes to a block, if the mask is all ones.
    fn end(block: &mut Self::Block, len: u64, is_last: u8);
}

/// An array of bytes: a block, or a digest.
pub(crate) trait ByteArray:
    Copy + AsRef<[u8]> + AsMut<[u8]> + Eq + Debug + Send + Sync + 'static
{
    const LEN: usize;
    const ZERO: Self;

    /// Splits into whole arrays and the bytes after them.
    fn split(text: &[u8]) -> (&[Self], &[u8]);
}

impl<const N: usize> ByteArray for [u8; N] {
    const LEN: usize = N;
    const ZERO: Self = [0; N];

    #[inline(always)]
    fn split(text: &[u8]) -> (&[Self], &[u8]) {
        text.as_chunks()
    }
}
