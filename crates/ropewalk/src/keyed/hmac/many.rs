//! HMAC of many messages.

use super::{Inner, Key, Message, check_tag, compare};
use crate::{
    core::{
        Error,
        secret::{Kept, Wiped},
    },
    hashes::{
        Hash, HashMany,
        function::{BlockHash, ByteArray, HashFunction},
        many,
    },
};

/// The tag of each message. Messages may differ in length and key. `M` is the batch type of the hash function:
/// [`Sha256Many`](crate::sha256::Sha256Many).
///
/// # Errors
/// [`Error::Length`] where there are not as many tags as messages; none is then written.
#[inline]
pub fn mac_many<M: HashMany>(
    messages: &[Message<'_, M::One>],
    tags: &mut [<M::One as Hash>::Digest],
) -> Result<(), Error> {
    let below = |most: usize| messages.iter().all(|message| message.text.len() < most);
    let serial = match messages.len() {
        1 => true,
        2..=many::FEW if below(many::SHORT - 64) => true,
        len @ 2..8 => match many::few_lanes::<<M as many::BatchOf>::Function>() {
            0 => false,
            few => below(many::serial_below(len, few, true)),
        },
        _ => false,
    };
    if serial && messages.len() == tags.len() {
        for (Message { key, text }, tag) in messages.iter().zip(tags) {
            *tag = key.mac(text);
        }
        return Ok(());
    }
    Many::<M>::new().mac(messages, tags)
}

/// HMAC of batches, with the batch type of a hash function: `Many<Sha256Many>`. The state of a batch is on the stack, at most 5
/// KiB, and wiped.
pub struct Many<M: HashMany>(M);

impl<M: HashMany> Many<M> {
    /// With the best backends of this processor. Groups that are too small for lanes are processed serially, by the backend of
    /// each key.
    #[inline]
    pub fn new() -> Self {
        Self(M::default())
    }

    /// With the backend of that name in the batch list of the hash function, even where serial processing is faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self(M::with_backend(name)?))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.backend()
    }

    /// How many messages that backend hashes at a time.
    pub fn lanes(&self) -> usize {
        self.0.lanes()
    }

    /// Whether that backend has lanes, and is not one for narrow batches.
    #[cfg(feature = "hkdf")]
    pub(crate) fn has_lanes(&self) -> bool {
        self.0.many().batch::<M::Function>().lanes().is_some()
    }

    /// Makes a key of each digest, with the backend of its message's key, in order: at most [`KEYS`].
    #[cfg(feature = "hkdf")]
    pub(crate) fn keys_of_digests(
        &self,
        messages: &[Message<'_, M::One>],
        digests: &[<M::One as Hash>::Digest],
        mut made: impl FnMut(usize, Key<M::One>),
    ) {
        let each = messages.iter().zip(digests).enumerate();
        let batch = self.0.many().batch::<M::Function>();
        if !many::pays_to_begin(batch, digests.len()) {
            for (i, (message, digest)) in each {
                made(i, message.key.again(digest.as_ref()));
            }
            return;
        }
        let mut room = Wiped::new((
            [<M::Function as BlockHash>::Block::ZERO; KEYS],
            [[M::Function::START; KEYS]; 2],
        ));
        let (blocks, [inner, outer]) = &mut *room;
        let blocks = &mut blocks[..digests.len()];
        // As `Key::from_engine` does.
        for (block, digest) in blocks.iter_mut().zip(digests) {
            block.as_mut()[..M::One::DIGEST_LEN].copy_from_slice(digest.as_ref());
        }
        for (states, pad) in [(&mut *inner, 0x36), (&mut *outer, 0x36 ^ 0x5c)] {
            for block in &mut *blocks {
                block.as_mut().iter_mut().for_each(|byte| *byte ^= pad);
            }
            many::begin(batch, blocks, &mut states[..blocks.len()]);
        }
        for (i, (message, _)) in each {
            let engine = message.key.0.engine.clone();
            made(i, Key(Kept::new(Inner { engine, inner: inner[i], outer: outer[i] })));
        }
    }

    /// The tag of each message, as [`mac_many`].
    ///
    /// # Errors
    /// As [`mac_many`].
    #[inline]
    pub fn mac(
        &self,
        messages: &[Message<'_, M::One>],
        tags: &mut [<M::One as Hash>::Digest],
    ) -> Result<(), Error> {
        self.0.many().hash(messages, tags)
    }

    /// Verifies the tag of each message: one result each, [`Error::Forged`] where it is wrong, and [`Error::Length`] where a tag
    /// is shorter or longer than [`Key::verify`] allows.
    ///
    /// # Errors
    /// [`Error::Length`] where there are not as many tags, or results, as messages; no result is then written.
    pub fn verify(
        &self,
        messages: &[Message<'_, M::One>],
        tags: &[&[u8]],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        for (what, got) in [("tags", tags.len()), ("results", results.len())] {
            if got != messages.len() {
                let allowed = "as many as there are messages";
                return Err(Error::Length { what, got, allowed });
            }
        }
        /// Twice the largest number of lanes.
        const GROUP: usize = 32;
        let groups = messages.chunks(GROUP).zip(tags.chunks(GROUP));
        for ((messages, tags), results) in groups.zip(results.chunks_mut(GROUP)) {
            let mut right = Wiped::new([<M::Function as HashFunction>::ZERO; GROUP]);
            let right = &mut right[..messages.len()];
            self.mac(messages, right)?;
            for ((right, tag), result) in right.iter().zip(tags).zip(results) {
                *result = check_tag::<M::One>(tag).and_then(|()| compare::<M::One>(right, tag));
            }
        }
        Ok(())
    }
}

/// Keys that are made at a time: as many as the widest backend has lanes.
#[cfg(feature = "hkdf")]
pub(crate) const KEYS: usize = 16;

/// With the batch backends of a hash function, and its costs.
impl<M: HashMany> From<M> for Many<M> {
    fn from(hash: M) -> Self {
        Self(hash)
    }
}

impl<M: HashMany> Default for Many<M> {
    fn default() -> Self {
        Self::new()
    }
}
