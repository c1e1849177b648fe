//! A message of a batch.

use super::{Batch, LaneHash};
use crate::core::secret::{Keep, Loose};

/// A message of a batch: a text, or a text with a key (HMAC).
pub(crate) trait Item<State, Digest>: Sized {
    /// Whether it has a key. The hash of its text and that of its digest then each continue from a state that has absorbed one
    /// block.
    const KEYED: bool;
    /// The storage of its states during the hash: wiped, or not.
    type Keep<R>: Keep<R>;

    fn text(&self) -> &[u8];
    /// Blocks that were absorbed before its text.
    #[inline]
    fn blocks_before(&self) -> usize {
        usize::from(Self::KEYED)
    }
    /// The state that its hash continues from, if it has a key.
    fn inner(&self) -> Option<State>;
    /// The state that the hash of its digest continues from, if it has a key.
    fn outer(&self) -> Option<State>;
    /// Whether another message has the same key, or neither has one.
    fn shares_key(&self, other: &Self) -> bool;
    /// The digest, by a backend for one message.
    fn digest<H: LaneHash<State = State, Output = Digest>>(&self, batch: Batch<'_, H>) -> Digest;
}

impl<State, Digest> Item<State, Digest> for &[u8] {
    const KEYED: bool = false;
    type Keep<R> = Loose<R>;

    #[inline]
    fn text(&self) -> &[u8] {
        self
    }
    #[inline]
    fn inner(&self) -> Option<State> {
        None
    }
    #[inline]
    fn outer(&self) -> Option<State> {
        None
    }
    #[inline]
    fn shares_key(&self, _: &Self) -> bool {
        true
    }
    #[inline]
    fn digest<H: LaneHash<State = State, Output = Digest>>(&self, batch: Batch<'_, H>) -> Digest {
        H::digest(batch.one(), self)
    }
}
