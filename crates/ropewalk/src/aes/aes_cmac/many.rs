//! AES-CMAC of batches of messages.

use super::{Key, ManyEngine, Tag, check_tag, released};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::{
    aes::chains::{Chain, Spare, Strand},
    core::{
        block::{Block, load_short},
        text::Inputs,
    },
};
use crate::{
    aes::{
        RoundKeys,
        groups::{self, Chosen, Groups, MANY, SHORT},
    },
    core::{Error, backend::Costs, lengths::bits_of, secret::Wiped},
};

/// A message of a batch.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// Its key. Messages may share a key.
    pub key: &'a Key,
    /// Its text, of any length.
    pub text: &'a [u8],
}

impl Message<'_> {
    /// Writes the tag to its final place: a copy would load it before all of it is stored.
    #[inline(always)]
    fn mac(&self, tag: &mut Tag) {
        tag.len = self.key.0.tag_len;
        self.key.0.engine.finish(&[0; 16], self.text, &mut tag.bytes);
    }
}

pub(super) trait MacMany: Send + Sync {
    /// The tags of the chosen messages.
    fn mac_many(&self, chosen: Chosen<'_>, messages: &[Message<'_>], tags: &mut [Tag]);
}

/// The tag of each message. Messages may differ in length and key.
///
/// # Errors
/// [`Error::Length`] where there are not as many tags as messages; none is then written.
#[inline(always)]
pub fn mac_many(messages: &[Message<'_>], tags: &mut [Tag]) -> Result<(), Error> {
    if messages.len() == tags.len() && all_alone(messages) {
        one_by_one(messages, tags);
        return Ok(());
    }
    mac_by_best(messages, tags)
}

#[inline(never)]
fn mac_by_best(messages: &[Message<'_>], tags: &mut [Tag]) -> Result<(), Error> {
    Many::new().mac(messages, tags)
}

/// Whether the cost model is skipped, by a cheap check: short texts, in any number, and a few texts that are not long.
#[inline(always)]
fn all_alone(messages: &[Message<'_>]) -> bool {
    let bits = bits_of(messages, |message| message.text.len());
    if bits < SHORT + 16 {
        return messages.len() < MANY || too_little(messages, bits);
    }
    messages.len() < 4 && too_little(messages, longest(messages))
}

/// AES-CMAC of batches of messages. The state of a batch is on the stack, at most 8 KiB, and wiped.
pub struct Many {
    engine: ManyEngine,
    /// None where lanes are always used.
    costs: Option<Costs>,
}

impl Many {
    /// With the best backends of this processor. Batches that are too small for lanes are processed serially, by the backend of
    /// each key.
    #[inline]
    pub fn new() -> Self {
        let engine = crate::core::secret::deep(ManyEngine::best(()));
        let costs = Some(groups::recorded(engine.info()));
        Self { engine, costs }
    }

    /// With the best backend of this processor, and its costs as measured on it.
    #[inline]
    pub fn with_costs(costs: Costs) -> Self {
        Self { engine: crate::core::secret::deep(ManyEngine::best(())), costs: Some(costs) }
    }

    /// The recorded costs of the best backend of this processor.
    #[inline]
    pub fn costs() -> Costs {
        groups::recorded(ManyEngine::best(()).info())
    }

    /// With the backend of that name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where serial processing is faster.
    /// Messages whose key has a backend without AES instructions are processed serially.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self { engine: crate::core::secret::deep(ManyEngine::named(name)?(())), costs: None })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// Messages that its backend processes in parallel.
    pub fn lanes(&self) -> usize {
        self.engine.info().lanes
    }

    /// The tag of each message, as [`mac_many`].
    ///
    /// # Errors
    /// As [`mac_many`].
    #[inline]
    pub fn mac(&self, messages: &[Message<'_>], tags: &mut [Tag]) -> Result<(), Error> {
        as_many("tags", tags.len(), messages)?;
        if self.costs.is_some() && (all_alone(messages) || too_little(messages, longest(messages)))
        {
            one_by_one(messages, tags);
        } else {
            self.choose(messages, tags);
        }
        Ok(())
    }

    /// Verifies the tag of each message: one result each, as of [`Key::verify`].
    ///
    /// # Errors
    /// [`Error::Length`] where there are not as many tags, or results, as messages; no result is then written.
    pub fn verify(
        &self,
        messages: &[Message<'_>],
        tags: &[&[u8]],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        as_many("tags", tags.len(), messages)?;
        as_many("results", results.len(), messages)?;
        /// Four times the largest number of lanes.
        const GROUP: usize = 64;
        let groups = messages.chunks(GROUP).zip(tags.chunks(GROUP));
        for ((messages, tags), results) in groups.zip(results.chunks_mut(GROUP)) {
            let mut right = Wiped::new([Tag::default(); GROUP]);
            let right = &mut right[..messages.len()];
            self.mac(messages, right)?;
            let tags = right.iter().zip(tags);
            for ((message, (right, tag)), result) in messages.iter().zip(tags).zip(results) {
                *result = check_tag(tag, message.key.0.tag_len).and_then(|()| released(right, tag));
            }
        }
        Ok(())
    }

    /// Processes in lanes what the cost model chooses.
    #[inline(never)]
    fn choose(&self, messages: &[Message<'_>], tags: &mut [Tag]) {
        let all = messages.iter().map(|Message { key, text }| (*key, blocks(text)));
        let mut groups = Groups::new();
        groups.count(all, self.engine.info(), self.costs);
        if groups.leave_all() {
            return one_by_one(messages, tags);
        }
        for number in 0..3 {
            let Some(chosen) = groups.chosen(number) else { continue };
            let few = chosen.few.then(ManyEngine::for_few);
            few.as_ref().unwrap_or(&self.engine).mac_many(chosen, messages, tags);
        }
        if groups.leave_some() {
            for (message, tag) in messages.iter().zip(tags) {
                if groups.leave(message.key) {
                    message.mac(tag);
                }
            }
        }
    }
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether a batch is too small for the cost model, given its longest text in bytes.
#[inline]
fn too_little(messages: &[Message<'_>], longest: usize) -> bool {
    let [first, .., last] = messages else { return true };
    groups::too_little(messages.len(), longest, first.key, core::ptr::eq(first.key, last.key))
}

#[inline]
fn longest(messages: &[Message<'_>]) -> usize {
    messages.iter().map(|message| message.text.len()).max().unwrap_or(0)
}

#[inline]
fn one_by_one(messages: &[Message<'_>], tags: &mut [Tag]) {
    for (message, tag) in messages.iter().zip(tags) {
        message.mac(tag);
    }
}

#[inline]
fn as_many(what: &'static str, got: usize, messages: &[Message<'_>]) -> Result<(), Error> {
    if got != messages.len() {
        return Err(Error::Length { what, got, allowed: "as many as there are messages" });
    }
    Ok(())
}

/// Blocks of a message: an empty one has one, of padding.
#[inline]
pub(super) fn blocks(text: &[u8]) -> usize {
    text.len().div_ceil(16).max(1)
}

impl groups::Key for Key {
    #[inline]
    fn round_keys(&self) -> Option<&RoundKeys> {
        self.0.engine.in_lanes().map(|(keys, _)| keys)
    }
}

/// Blocks are read, and only the tag is written.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) struct Absorbed<'a> {
    /// Bytes of the blocks to come, padding included.
    len: usize,
    /// The rest of the message.
    text: &'a [u8],
    subkeys: &'a [Block; 2],
    tag: Option<&'a mut Block>,
    /// The last block, if it is padded.
    padded: Block,
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl Absorbed<'_> {
    /// The next blocks, `len` bytes; the last of them, and what is added to that. The last is an inner block, or the last of the
    /// message (section 6.2, steps 2 to 4).
    #[inline(always)]
    fn next(&mut self, len: usize) -> (&[u8], &Block, &Block) {
        self.len -= len;
        let text = self.text;
        if self.len > 0 {
            let (blocks, rest) = text.split_at(len);
            self.text = rest;
            return (blocks, whole(&blocks[len - 16..]), &[0; 16]);
        }
        let (blocks, last) = text.split_at(len - 16);
        if last.len() == 16 {
            return (blocks, whole(last), &self.subkeys[0]);
        }
        self.padded = (load_short(last) | 0x80 << (8 * last.len())).to_le_bytes();
        (blocks, &self.padded, &self.subkeys[1])
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn whole(block: &[u8]) -> &Block {
    block.try_into().unwrap_or_else(|_| unreachable!("it is one"))
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl Strand<Key> for Absorbed<'_> {
    type Steps<'a, const WIDTH: usize>
        = Inputs<'a, WIDTH>
    where
        Self: 'a;
    type Keep<R> = Wiped<R>;
    const SPARE: bool = false;

    #[inline]
    fn none() -> Self {
        Self { len: 0, text: &[], subkeys: &[[0; 16]; 2], tag: None, padded: [0; 16] }
    }
    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }
    #[inline(always)]
    fn address(&self) -> usize {
        self.text.as_ptr().addr()
    }
    #[inline(always)]
    fn take<'a, const WIDTH: usize>(
        strands: &'a mut [Self; WIDTH],
        running: usize,
        len: usize,
        _: Spare<'a>,
    ) -> Inputs<'a, WIDTH> {
        Inputs::new(len - 16, strands[..running].iter_mut().map(|strand| strand.next(len)))
    }
    #[inline(always)]
    fn end(&mut self, after: &Block) {
        if let Some(tag) = self.tag.take() {
            *tag = *after;
        }
    }
    #[inline]
    fn alone(self, key: &Key, before: &Block) {
        if let Some(tag) = self.tag {
            key.0.engine.finish(before, self.text, tag);
        }
    }
}

/// The chosen messages.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) struct Chains<'c, 'a, 'm> {
    chosen: Chosen<'c>,
    waiting: core::iter::Zip<core::slice::Iter<'a, Message<'m>>, core::slice::IterMut<'a, Tag>>,
    /// The previous key, and its subkeys.
    last: Option<(&'a Key, &'a [Block; 2])>,
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub(super) fn chains<'c, 'a, 'm>(
    chosen: Chosen<'c>,
    messages: &'a [Message<'m>],
    tags: &'a mut [Tag],
) -> Chains<'c, 'a, 'm> {
    Chains { chosen, waiting: messages.iter().zip(tags), last: None }
}

/// Not a closure: that would not be inlined, and its results would go through memory.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl<'a> Iterator for Chains<'_, 'a, '_> {
    type Item = Chain<'a, Key, Absorbed<'a>>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (Message { key, text }, tag) = self.waiting.next()?;
            if !self.chosen.has(*key) {
                continue;
            }
            let (_, subkeys) = match self.last {
                Some(last) if core::ptr::eq(last.0, *key) => last,
                _ => *self.last.insert((key, key.0.engine.in_lanes()?.1)),
            };
            tag.len = key.0.tag_len;
            let (len, tag) = (16 * blocks(text), Some(&mut tag.bytes));
            let strand = Absorbed { len, text, subkeys, tag, padded: [0; 16] };
            return Some(Chain { key: *key, before: [0; 16], strand });
        }
    }
}
