//! Many messages of any lengths, side by side in lanes.
//!
//! Each lane works through one message; when that ends, the lane takes the next one. Once too few
//! messages are left for lanes to pay, the backend for one message ends them, from where they
//! stand. Nothing is allocated, and nothing is ever slower than one by one, but for the choice.

#[cfg(feature = "cbc-hmac")]
mod absorb;
mod alone;
#[cfg(feature = "hkdf")]
mod begin;
pub(crate) mod few;
mod hasher;
mod in_step;
mod in_turn;
pub(crate) mod links;
mod prices;
#[cfg(test)]
mod tests;

use core::ops::BitXor;

use crate::core::{
    Error,
    secret::{Keep, Loose, Wiped},
};
#[cfg(feature = "hmac")]
use crate::hashes;

#[cfg(feature = "cbc-hmac")]
pub(crate) use absorb::{absorb_and_show, absorb_each, hash_alone};
pub(crate) use alone::one_or_many;
#[cfg(feature = "hmac")]
pub(crate) use alone::{FEW, SHORT, alone_below};
#[cfg(feature = "hkdf")]
pub(crate) use begin::{begin, pays_to_begin};
pub(crate) use hasher::{
    backends_of_few, digest_of_many, engine_of_few, few_beside, few_lanes, hasher_of_many,
    lanes_if_few, many_digests, type_of_many,
};
use in_step::{Room, hash_in_step};
use in_turn::hash_in_turn;
#[cfg(feature = "pbkdf2")]
pub(crate) use links::{Iterated, iterate_all};
pub(crate) use links::{Link, Links, Padding, Rounds, iterate};
pub(crate) use prices::Prices;

/// Lanes of the widest backend: words of that type in 512 bits.
pub(crate) const fn lanes<T>() -> usize {
    64 / size_of::<T>()
}

/// The states of all lanes, transposed: word `i` of message `lane` is `[i][lane]`.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct States<T, const WORDS: usize, const LANES: usize>(pub(crate) [[T; LANES]; WORDS]);

/// The next blocks of each lane: as many in each.
pub(crate) type Texts<'a, const LANES: usize, const BLOCK: usize> = [&'a [[u8; BLOCK]]; LANES];

impl<T: Copy, const WORDS: usize, const LANES: usize> States<T, WORDS, LANES> {
    /// All lanes alike.
    pub(crate) const fn splat(state: &[T; WORDS]) -> Self {
        let (mut states, mut i) = ([[state[0]; LANES]; WORDS], 0);
        while i < WORDS {
            states[i] = [state[i]; LANES];
            i += 1;
        }
        Self(states)
    }

    /// The same, of a state that is known later.
    #[inline]
    fn fill(&mut self, state: &[T; WORDS]) {
        for i in 0..WORDS {
            self.0[i] = [state[i]; LANES];
        }
    }

    #[inline]
    pub(crate) fn lane(&self, lane: usize) -> [T; WORDS] {
        let mut state = [self.0[0][lane]; WORDS];
        for i in 0..WORDS {
            state[i] = self.0[i][lane];
        }
        state
    }

    #[inline]
    pub(crate) fn set_lane(&mut self, lane: usize, state: &[T; WORDS]) {
        for i in 0..WORDS {
            self.0[i][lane] = state[i];
        }
    }
}

/// What a hash function shows the scheduler: words in its state, lanes of its widest backend, bytes in
/// a block and in a digest.
pub(crate) trait Hash<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
>
{
    type Word: Copy + BitXor<Output = Self::Word> + 'static;
    type Tail: Tail<BLOCK>;
    /// A block in the form that rounds take it in.
    type Schedule;

    /// Bytes of padding in a message, at least.
    const PADDING: usize;
    /// Blocks that come out, besides the first.
    const MORE: usize = 0;

    /// All lanes at the start.
    fn start() -> States<Self::Word, WORDS, LANES>;
    fn prices(&self) -> Prices;
    fn compress(&self, state: &mut [Self::Word; WORDS], blocks: &[[u8; BLOCK]]);
    fn compress_many(
        &self,
        states: &mut States<Self::Word, WORDS, LANES>,
        texts: &Texts<'_, LANES, BLOCK>,
    );
    /// The padding of a message of `len` bytes that ends with a block.
    fn known(len: u64) -> Self::Schedule;
    fn compress_known(
        &self,
        states: &mut States<Self::Word, WORDS, LANES>,
        schedule: &Self::Schedule,
    );
    /// The digests of as many lanes as there are of them.
    fn digests(&self, states: &mut States<Self::Word, WORDS, LANES>, digests: &mut [[u8; DIGEST]]);
    fn digest(&self, message: &[u8], digest: &mut [u8; DIGEST]);
    fn finish(&self, state: &[Self::Word; WORDS], digest: &mut [u8; DIGEST]);

    /// Whether its backend has few lanes, and states as one message has them: it then does what follows, and nothing
    /// to states of many lanes.
    fn few(&self) -> bool {
        false
    }
    /// What such lanes cost, if there are any: its own, or those of a backend that stands beside it for what its lanes are not
    /// worth it.
    fn prices_of_few(&self) -> Option<Prices> {
        None
    }
    fn compress_few(&self, _: &mut [[Self::Word; WORDS]], _: &[&[[u8; BLOCK]]]) {
        unreachable!("it has many lanes")
    }
    /// Absorbs the rest of messages of `len` bytes, and their padding.
    fn finish_few(&self, _: &mut [[Self::Word; WORDS]], _: &[&[u8]], _: u64) {
        unreachable!("it has many lanes")
    }
    /// Goes on as [`iterate`](Self::iterate), by one lane or more.
    fn iterate_few(&self, _: &mut [Link<Self::Word, WORDS>], _: u32) {
        unreachable!("it has many lanes")
    }
    /// A state that has that digest.
    fn state_of(digest: &[u8; DIGEST]) -> [Self::Word; WORDS];
    /// Goes on by so many HMACs in each lane, each of the digest of the one before.
    fn iterate(&self, links: &mut Links<Self::Word, WORDS, LANES>, count: u32) {
        links::iterate_blocks(self, links, count);
    }
}

/// A message of a batch: a text, or one with a key (HMAC).
pub(crate) trait Item<T, const WORDS: usize, const DIGEST: usize>: Sized {
    /// Whether it has a key. It then goes on from a state that has absorbed a block, and its digest from another one
    /// that has.
    const KEYED: bool;
    /// What holds states of it meanwhile.
    type Keep<R>: Keep<R>;

    fn text(&self) -> &[u8];
    /// Blocks that were absorbed before its text.
    #[inline]
    fn blocks_before(&self) -> usize {
        usize::from(Self::KEYED)
    }
    /// Where it goes on from.
    fn inner(&self) -> [T; WORDS];
    /// Where its digest goes on from.
    fn outer(&self) -> [T; WORDS];
    /// Whether another one has the same key.
    fn shares_key(&self, other: &Self) -> bool;
    /// The digest of one that has a key, without lanes.
    fn alone<const LANES: usize, const BLOCK: usize, H>(&self, hash: &H) -> [u8; DIGEST]
    where
        H: Hash<WORDS, LANES, BLOCK, DIGEST, Word = T>;
}

impl<T, const WORDS: usize, const DIGEST: usize> Item<T, WORDS, DIGEST> for &[u8] {
    const KEYED: bool = false;
    type Keep<R> = Loose<R>;

    #[inline]
    fn text(&self) -> &[u8] {
        self
    }
    fn inner(&self) -> [T; WORDS] {
        unreachable!("it has no key")
    }
    fn outer(&self) -> [T; WORDS] {
        unreachable!("it has no key")
    }
    fn shares_key(&self, _: &Self) -> bool {
        true
    }
    fn alone<const LANES: usize, const BLOCK: usize, H>(&self, _: &H) -> [u8; DIGEST] {
        unreachable!("it has no key")
    }
}

/// A message with a key (HMAC).
#[cfg(feature = "hmac")]
pub(crate) trait Keyed {
    type Hash: hashes::Hash;

    fn text(&self) -> &[u8];
    /// The states that its key has made, inner and outer.
    fn states(&self) -> [&<Self::Hash as hashes::Core>::State; 2];
    fn shares_key(&self, other: &Self) -> bool;
    /// Its tag, without lanes.
    fn tag(&self) -> <Self::Hash as hashes::Hash>::Digest;
}

#[cfg(feature = "hmac")]
impl<T: Copy, K, const WORDS: usize, const DIGEST: usize> Item<T, WORDS, DIGEST> for K
where
    K: Keyed,
    K::Hash: hashes::Hash<Digest = [u8; DIGEST]>,
    <K::Hash as hashes::Core>::State: AsWords<T, WORDS>,
{
    const KEYED: bool = true;
    type Keep<R> = Wiped<R>;

    #[inline]
    fn text(&self) -> &[u8] {
        Keyed::text(self)
    }
    #[inline]
    fn inner(&self) -> [T; WORDS] {
        self.states()[0].as_words()
    }
    #[inline]
    fn outer(&self) -> [T; WORDS] {
        self.states()[1].as_words()
    }
    #[inline]
    fn shares_key(&self, other: &Self) -> bool {
        Keyed::shares_key(self, other)
    }
    #[inline]
    fn alone<const LANES: usize, const BLOCK: usize, M>(&self, _: &M) -> [u8; DIGEST] {
        self.tag()
    }
}

/// The state of a hash function, as the words that lanes have of it.
#[cfg(feature = "hmac")]
pub(crate) trait AsWords<T, const WORDS: usize> {
    fn as_words(&self) -> [T; WORDS];
    #[cfg(feature = "hkdf")]
    fn of_words(words: [T; WORDS]) -> Self;
}

#[cfg(feature = "hmac")]
impl<T: Copy, const WORDS: usize> AsWords<T, WORDS> for [T; WORDS] {
    #[inline]
    fn as_words(&self) -> [T; WORDS] {
        *self
    }
    #[cfg(feature = "hkdf")]
    #[inline]
    fn of_words(words: [T; WORDS]) -> Self {
        words
    }
}

/// Of SHA-3.
#[cfg(feature = "hmac")]
impl AsWords<u64, 25> for [[u8; 8]; 25] {
    #[inline]
    fn as_words(&self) -> [u64; 25] {
        self.map(u64::from_le_bytes)
    }
    #[cfg(feature = "hkdf")]
    #[inline]
    fn of_words(words: [u64; 25]) -> Self {
        words.map(u64::to_le_bytes)
    }
}

/// The last blocks of a message, padded.
pub(crate) trait Tail<const BLOCK: usize>: Copy {
    const EMPTY: Self;
    /// From the `rest` of a message of `len` bytes that does not fill a block.
    fn set(&mut self, rest: &[u8], len: u64);
    fn blocks(&self) -> &[[u8; BLOCK]];
}

/// The digest of each message, or its tag.
#[inline]
pub(crate) fn hash<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    messages: &[I],
    digests: &mut [[u8; DIGEST]],
) -> Result<(), Error>
where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    if messages.len() != digests.len() {
        let allowed = "as many as there are messages";
        let what = if I::KEYED { "tags" } else { "digests" };
        return Err(Error::Length { what, got: digests.len(), allowed });
    }
    let prices = hash.prices();
    // Apart: what lanes take of the stack costs a few messages too much.
    if hash.few() || prices.too_few(messages.len()) {
        in_few_or_alone(hash, messages, digests);
    } else {
        hash_groups(hash, messages, digests, prices);
    }
    Ok(())
}

/// The same without many lanes.
#[inline]
fn in_few_or_alone<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    messages: &[I],
    digests: &mut [[u8; DIGEST]],
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    match hash.prices_of_few() {
        Some(prices) if !prices.too_few(messages.len()) => {
            few::hash_few(hash, messages, digests, prices);
        }
        _ => one_by_one(hash, messages, digests),
    }
}

/// The same, group by group, of as many messages as lanes can pay for.
#[inline(never)]
fn hash_groups<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    mut messages: &[I],
    mut digests: &mut [[u8; DIGEST]],
    prices: Prices,
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    let blocks = |message: &I| blocks_of::<WORDS, LANES, BLOCK, DIGEST, H, I>(message);
    while let Some(first) = messages.first() {
        let group = &messages[..messages.len().min(prices.width())];
        if prices.too_few(group.len()) {
            in_few_or_alone(hash, messages, digests);
            return;
        }
        let done =
            if prices.pay(count_in_step(group), blocks(first) + H::MORE, starts::<_, _, _, I>()) {
                hash_lanes(hash, messages, digests, prices)
            } else if prices.pay(
                group.len(),
                group.iter().map(blocks).min().unwrap_or(0),
                starts::<_, _, _, I>() + 1,
            ) {
                hash_in_turn(hash, messages, digests, prices);
                return;
            } else {
                in_few_or_alone(hash, group, &mut digests[..group.len()]);
                group.len()
            };
        messages = &messages[done..];
        digests = &mut digests[done..];
    }
}

/// How often a group of messages starts: the digest of one with a key is a message of one more.
#[inline]
const fn starts<T, const WORDS: usize, const DIGEST: usize, I: Item<T, WORDS, DIGEST>>() -> u64 {
    if I::KEYED { 2 } else { 1 }
}

/// Messages in groups of one length, as long as that pays: how many. What lanes take is made where it stays.
#[inline(never)]
fn hash_lanes<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    messages: &[I],
    digests: &mut [[u8; DIGEST]],
    prices: Prices,
) -> usize
where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    let (mut padding, mut done) = (None, 0);
    let mut room = I::Keep::keep(Room::new(&H::start()));
    while let Some(first) = messages.get(done) {
        let end = messages.len().min(done + prices.width());
        let in_step = count_in_step(&messages[done..end]);
        let blocks = blocks_of::<WORDS, LANES, BLOCK, DIGEST, H, I>(first) + H::MORE;
        if !prices.pay(in_step, blocks, starts::<_, _, _, I>()) {
            break;
        }
        let len = BLOCK * first.blocks_before() + first.text().len();
        if padding.as_ref().is_none_or(|(of, _)| *of != len) {
            let ends = len.is_multiple_of(BLOCK);
            padding = Some((len, ends.then(|| H::known(len as u64))));
        }
        let padding = padding.as_ref().and_then(|(_, known)| known.as_ref());
        let group = done..done + in_step;
        hash_in_step(hash, &mut room, &messages[group.clone()], padding, &mut digests[group]);
        done += in_step;
    }
    done
}

/// Blocks that are absorbed of a message.
#[inline]
fn blocks_of<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    message: &I,
) -> usize
where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    let own = message.text().len().saturating_add(H::PADDING).div_ceil(BLOCK);
    if I::KEYED { own.saturating_add(1) } else { own }
}

/// How many of a group, from the first on, are as long as that.
#[inline]
fn count_in_step<T, const WORDS: usize, const DIGEST: usize, I>(group: &[I]) -> usize
where
    I: Item<T, WORDS, DIGEST>,
{
    let Some(first) = group.first() else { return 0 };
    let alike = |message: &&I| {
        message.text().len() == first.text().len()
            && message.blocks_before() == first.blocks_before()
    };
    group.iter().take_while(alike).count()
}

#[inline]
fn one_by_one<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    messages: &[I],
    digests: &mut [[u8; DIGEST]],
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    for (message, digest) in messages.iter().zip(digests) {
        if I::KEYED {
            *digest = message.alone(hash);
        } else {
            hash.digest(message.text(), digest);
        }
    }
}
