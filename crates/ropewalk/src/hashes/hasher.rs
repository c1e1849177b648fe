//! A hash of one message in chunks.

#[cfg(feature = "many")]
use super::many::Many;
use super::{
    Hash,
    function::{BlockHash, ByteArray, FixedHash, HashFunction},
};
use crate::core::{Error, backend::Chosen, secret::Wiped};

/// A hash of a message in chunks.
///
/// A clone continues where the original stands. Both are wiped when they are dropped.
///
/// ```
/// use ropewalk::sha256::{self, Sha256};
///
/// let mut hasher = Sha256::new();
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// assert_eq!(hasher.finish(), sha256::digest(b"abc"));
/// ```
#[allow(private_bounds, reason = "only functions of this library have hashers")]
pub struct Hasher<F: FixedHash>(Wiped<F::Incremental>);

#[allow(private_bounds, reason = "only functions of this library have hashers")]
impl<F: FixedHash> Hasher<F> {
    /// With the best backend of this processor.
    #[inline]
    pub fn new() -> Self {
        Self(Wiped::new(F::Incremental::new(F::One::best())))
    }

    /// With the backend of that name in the list of the primitive.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self(Wiped::new(F::Incremental::new(F::One::named(name)?))))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.engine().info().name
    }

    /// Absorbs the next chunk of the message, of any length.
    pub fn update(&mut self, text: &[u8]) {
        self.0.update(text);
    }

    /// The digest of all chunks.
    pub fn finish(mut self) -> F::Digest {
        self.0.finish()
    }

    /// The digest of all chunks. The hasher then starts another message, in the same place.
    pub fn finish_reset(&mut self) -> F::Digest {
        self.0.finish_reset()
    }

    /// Discards all chunks. The backend stays.
    #[inline]
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// The digest of a whole message, with this hasher's backend. Its own message is not affected.
    #[inline]
    pub fn digest(&self, message: &[u8]) -> F::Digest {
        F::digest(self.0.engine(), message)
    }
}

impl<F: FixedHash> Clone for Hasher<F> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<F: FixedHash> Default for Hasher<F> {
    fn default() -> Self {
        Self::new()
    }
}

/// A type that belongs to one hash function.
pub(crate) trait Described: Sized + 'static {
    type Function: FixedHash;
}

impl<F: FixedHash> Described for Hasher<F> {
    type Function = F;
}

impl<F: FixedHash> Hash for Hasher<F> {
    type Digest = F::Digest;
    #[cfg(feature = "many")]
    type Many = Many<F>;

    const NAME: &'static str = <F as HashFunction>::NAME;
    const DIGEST_LEN: usize = F::Digest::LEN;
    const BLOCK_LEN: usize = F::Block::LEN;

    fn with_backend(name: &str) -> Result<Self, Error> {
        Self::with_backend(name)
    }
    fn backend(&self) -> &'static str {
        self.backend()
    }
    fn update(&mut self, text: &[u8]) {
        self.update(text);
    }
    fn finish(self) -> F::Digest {
        self.finish()
    }
    fn finish_reset(&mut self) -> F::Digest {
        self.finish_reset()
    }
    #[inline]
    fn reset(&mut self) {
        self.reset();
    }
    fn digest(&self, message: &[u8]) -> F::Digest {
        self.digest(message)
    }
}

/// The state of a function for a message in chunks.
pub(crate) trait Incremental<F: BlockHash>: Clone {
    fn new(engine: F::One) -> Self;
    fn engine(&self) -> &F::One;
    fn update(&mut self, text: &[u8]);
    /// The output of all chunks.
    fn finish(&mut self) -> F::Output;
    /// The same, ready for another message.
    fn finish_reset(&mut self) -> F::Output;
    fn reset(&mut self);
}

/// A message whose last block is buffered until it is whole.
pub(crate) struct Buffered<F: BlockHash> {
    pub(super) engine: F::One,
    pub(super) state: F::State,
    /// The partial last block; further bytes are stale.
    pub(super) part: F::Block,
    /// Bytes of the message so far.
    pub(super) len: u64,
}

impl<F: BlockHash> Buffered<F> {
    /// Continues after the first `len` bytes of a message, which are whole blocks.
    #[inline]
    pub(crate) fn after(engine: F::One, state: F::State, len: u64) -> Self {
        Self { engine, state, part: F::Block::ZERO, len }
    }

    #[inline]
    pub(crate) fn engine(&self) -> &F::One {
        &self.engine
    }

    /// Bytes of the partial last block.
    #[inline]
    fn filled(&self) -> usize {
        (self.len % F::Block::LEN as u64) as usize
    }

    #[inline]
    pub(crate) fn update(&mut self, text: &[u8]) {
        let mut text = text;
        let filled = self.filled();
        let Self { engine, state, part, len } = self;
        *len = len.wrapping_add(text.len() as u64);
        if filled > 0 {
            let (head, rest) = text.split_at(text.len().min(F::Block::LEN - filled));
            part.as_mut()[filled..filled + head.len()].copy_from_slice(head);
            if filled + head.len() < F::Block::LEN {
                return;
            }
            F::compress(engine, state, core::slice::from_ref(part));
            text = rest;
        }
        let (blocks, rest) = F::Block::split(text);
        if !blocks.is_empty() {
            F::compress(engine, state, blocks);
        }
        part.as_mut()[..rest.len()].copy_from_slice(rest);
    }

    /// The state that the digest is made of.
    #[inline]
    pub(crate) fn last_state(&self) -> F::State {
        let mut state = self.state;
        F::complete(&self.engine, &mut state, &self.part.as_ref()[..self.filled()], self.len);
        state
    }
}

impl<F: BlockHash> Clone for Buffered<F> {
    fn clone(&self) -> Self {
        let Self { engine, state, part, len } = self;
        Self { engine: engine.clone(), state: *state, part: *part, len: *len }
    }
}

impl<F: BlockHash> Incremental<F> for Buffered<F> {
    #[inline]
    fn new(engine: F::One) -> Self {
        Self::after(engine, F::START, 0)
    }
    #[inline]
    fn engine(&self) -> &F::One {
        &self.engine
    }
    #[inline]
    fn update(&mut self, text: &[u8]) {
        Self::update(self, text);
    }
    #[inline]
    fn finish(&mut self) -> F::Output {
        F::output(&self.engine, &self.last_state())
    }
    #[inline]
    fn finish_reset(&mut self) -> F::Output {
        let filled = self.filled();
        F::complete(&self.engine, &mut self.state, &self.part.as_ref()[..filled], self.len);
        let digest = F::output(&self.engine, &self.state);
        self.reset();
        digest
    }
    #[inline]
    fn reset(&mut self) {
        (self.state, self.part, self.len) = (F::START, F::Block::ZERO, 0);
    }
}
