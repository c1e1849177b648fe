//! Hashes of batches of messages.

use super::{Batch, Engines, Item, hash, one_or_many};
use crate::{
    core::{
        Error,
        backend::{Costs, TwoKinds},
    },
    hashes::{
        HashMany, Hasher,
        function::{Backed, FixedHash},
    },
};

/// Hashes batches of messages, which share the processor's vectors.
///
/// ```
/// use ropewalk::sha256::{self, Sha256Many};
///
/// let messages = [b"one".as_slice(), b"another", b""];
/// let mut digests = [[0; 32]; 3];
/// Sha256Many::new().digest(&messages, &mut digests)?;
/// assert_eq!(digests[1], sha256::digest(b"another"));
/// # Ok::<(), ropewalk::Error>(())
/// ```
#[allow(private_bounds, reason = "only functions of this library hash many messages")]
pub struct Many<F: Backed>(Engines<F::One, F::Many>);

#[allow(private_bounds, reason = "only functions of this library hash many messages")]
impl<F: Backed> Many<F> {
    /// With the best backends of this processor.
    #[inline]
    pub fn new() -> Self {
        Self::with_costs(Self::costs())
    }

    /// With the best backends of this processor, and their costs as measured on it.
    #[inline]
    pub fn with_costs(costs: Costs) -> Self {
        Self(Engines::with_costs(costs))
    }

    /// The recorded costs of the best backends of this processor.
    #[inline]
    pub fn costs() -> Costs {
        Engines::<F::One, F::Many>::costs()
    }

    /// With the backend of that name in the batch list of the primitive, even where serial processing is faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self(Engines::named(name)?))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.info().name
    }

    /// How many messages that backend hashes at a time.
    pub fn lanes(&self) -> usize {
        self.0.info().lanes
    }

    /// For a function with these backends.
    #[inline(always)]
    pub(crate) fn batch<H: Backed<One = F::One, Many = F::Many>>(&self) -> Batch<'_, H> {
        Batch(&self.0)
    }
}

#[allow(private_bounds, reason = "only functions of this library hash many messages")]
impl<F: FixedHash> Many<F> {
    /// The digest of each message. Messages may differ in length.
    ///
    /// # Errors
    /// [`Error::Length`] where there are not as many digests as messages; none is then written.
    #[inline]
    pub fn digest(&self, messages: &[&[u8]], digests: &mut [F::Digest]) -> Result<(), Error> {
        let batch = self.batch::<F>();
        // A named backend also hashes single messages.
        if !batch.prices().too_few(1) {
            return self.digest_all(messages, digests);
        }
        one_or_many(
            messages,
            digests,
            few_lanes::<F>,
            |message| F::digest(batch.one(), message),
            |messages, digests| self.digest_all(messages, digests),
        )
    }

    /// The same in a function of its own, which keeps the stack frame of lanes out of the caller's.
    #[inline(never)]
    fn digest_all(&self, messages: &[&[u8]], digests: &mut [F::Digest]) -> Result<(), Error> {
        hash(self.batch::<F>(), messages, digests)
    }

    /// The same with the best backends of this processor.
    #[inline(never)]
    pub(crate) fn digest_by_best(
        messages: &[&[u8]],
        digests: &mut [F::Digest],
    ) -> Result<(), Error> {
        hash(Self::new().batch::<F>(), messages, digests)
    }

    /// The digest of each message, or its tag.
    pub(crate) fn hash<I: Item<F::State, F::Digest>>(
        &self,
        messages: &[I],
        digests: &mut [F::Digest],
    ) -> Result<(), Error> {
        hash(self.batch::<F>(), messages, digests)
    }
}

/// The number of messages that a narrow-batch backend interleaves, if one can run here; otherwise zero.
#[inline]
pub(crate) fn few_lanes<F: Backed>() -> usize {
    F::Many::few().map_or(0, |(_, info)| info.lanes)
}

impl<F: Backed> Default for Many<F> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

/// A batch type that belongs to one hash function.
pub(crate) trait BatchOf {
    type Function: FixedHash;

    fn many(&self) -> &Many<Self::Function>;
}

impl<F: FixedHash> BatchOf for Many<F> {
    type Function = F;

    #[inline(always)]
    fn many(&self) -> &Self {
        self
    }
}

impl<F: FixedHash> HashMany for Many<F> {
    type One = Hasher<F>;

    fn with_backend(name: &str) -> Result<Self, Error> {
        Self::with_backend(name)
    }
    fn backend(&self) -> &'static str {
        self.backend()
    }
    fn lanes(&self) -> usize {
        self.lanes()
    }
    fn with_costs(costs: Costs) -> Self {
        Self::with_costs(costs)
    }
    fn costs() -> Costs {
        Self::costs()
    }
    fn digest(&self, messages: &[&[u8]], digests: &mut [F::Digest]) -> Result<(), Error> {
        self.digest(messages, digests)
    }
}
