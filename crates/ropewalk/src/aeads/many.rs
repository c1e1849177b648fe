//! Batches of messages to seal and open.

use super::key::{Cipher, Key};
use crate::core::{
    Error, InMessage,
    backend::{Costs, Info},
    block::Block,
    cpu::Baseline,
    secret::{Wiped, deep},
    tag::{Tag, check_tag, same},
    text::Text,
};

/// The largest batch for a backend, so that a bit of a word stands for each message.
pub(crate) const GROUP: usize = 64;

/// Messages that are opened at a time, since their tags are on the stack, and wiped.
const OPEN_GROUP: usize = 16;

/// A cipher with batches.
pub(crate) trait Batched: Cipher {
    /// Its backends for many messages.
    type Engine: Engine<Self>;

    /// Whether the lengths of a message are right.
    fn check(key: &Self::Kept, nonce: &[u8], aad: &[u8], text_len: usize) -> Result<(), Error>;

    /// The same as a number: zero only if they are right. Short messages cannot afford a branch each. Another number is
    /// inconclusive.
    fn precheck(key: &Self::Kept, nonce: &[u8], aad: &[u8], text_len: usize) -> u64;

    /// Encrypts a text of right lengths and writes its tag.
    fn seal_checked(key: &Self::Kept, nonce: &[u8], aad: &[u8], text: Text<'_>, tag: &mut Block);

    /// Decrypts a text of right lengths and writes the tag that it should have; the caller compares, and wipes.
    fn open_checked(key: &Self::Kept, nonce: &[u8], aad: &[u8], text: Text<'_>, right: &mut Block);

    /// Whether there are so few messages that the cost model is skipped.
    fn few(messages: &[Message<'_, Self>]) -> bool;

    /// The costs in the list of backends.
    fn recorded(many: &Info) -> Costs;

    /// A cheap check whether lanes may be faster for any of the messages.
    fn pays(many: &Info, costs: &Costs, messages: &[Message<'_, Self>]) -> bool;

    /// Which of the messages `of` are faster in lanes, as far as that is independent of the backend.
    fn worth(many: &Info, costs: &Costs, messages: &[Message<'_, Self>], of: u64) -> u64;
}

/// The operations of a backend on messages of a group, whose lengths are right. Bit i of `chosen` is that of message i. Messages
/// that do not suit its lanes go to the backend of their key.
pub(crate) trait AeadMany<C: Batched>: Send + Sync {
    /// Of the messages whose bits are `left`, encrypts or decrypts adjacent ones that are so alike that they need no grouping,
    /// writes their tags, and clears their bits.
    fn alike(&self, _open: bool, _left: &mut u64, _: &mut [Message<'_, C>], _: &mut [Tag]) {}

    /// Encrypts the chosen messages and writes their tags, whole.
    fn seal_many(&self, chosen: u64, messages: &mut [Message<'_, C>], tags: &mut [Tag]) {
        for i in bits(chosen) {
            messages[i].seal(&mut tags[i]);
        }
    }

    /// Decrypts the chosen messages and writes the tags that they should have; the caller compares, and wipes.
    fn open_many(&self, chosen: u64, messages: &mut [Message<'_, C>], tags: &mut [Tag]) {
        for i in bits(chosen) {
            messages[i].open(&mut tags[i]);
        }
    }
}

/// Serial processing: each message by the backend of its key.
pub(crate) struct OneByOne;

impl OneByOne {
    pub(crate) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

impl<C: Batched> AeadMany<C> for OneByOne {}

/// An engine of a list of batch backends.
pub(crate) trait Engine<C: Batched>: Sized {
    /// The best backend of this processor.
    fn best() -> Self;
    /// The backend of that name.
    fn named(name: &str) -> Result<Self, Error>;
    /// Which backend this is.
    fn info(&self) -> &'static Info;
    /// As [`AeadMany`].
    fn alike(&self, open: bool, left: &mut u64, messages: &mut [Message<'_, C>], tags: &mut [Tag]);
    /// As [`AeadMany`].
    fn seal_many(&self, chosen: u64, messages: &mut [Message<'_, C>], tags: &mut [Tag]);
    /// As [`AeadMany`].
    fn open_many(&self, chosen: u64, messages: &mut [Message<'_, C>], tags: &mut [Tag]);
}

/// Implements [`Engine`] for an engine of `backends!`.
macro_rules! batch_engine {
    ($Engine:ident of $Cipher:ident) => {
        impl $crate::aeads::many::Engine<$Cipher> for $Engine {
            #[inline]
            fn best() -> Self {
                $Engine::best(())
            }
            fn named(name: &str) -> Result<Self, $crate::core::Error> {
                Ok($Engine::named(name)?(()))
            }
            #[inline]
            fn info(&self) -> &'static $crate::core::backend::Info {
                $Engine::info(self)
            }
            #[inline]
            fn alike(
                &self,
                open: bool,
                left: &mut u64,
                messages: &mut [Each<'_>],
                tags: &mut [Tag],
            ) {
                $Engine::alike(self, open, left, messages, tags);
            }
            #[inline]
            fn seal_many(&self, chosen: u64, messages: &mut [Each<'_>], tags: &mut [Tag]) {
                $Engine::seal_many(self, chosen, messages, tags);
            }
            #[inline]
            fn open_many(&self, chosen: u64, messages: &mut [Each<'_>], tags: &mut [Tag]) {
                $Engine::open_many(self, chosen, messages, tags);
            }
        }
    };
}
pub(crate) use batch_engine;

/// A message of a batch.
#[allow(private_bounds, reason = "only ciphers of this library have keys")]
pub struct Message<'a, C: Cipher> {
    /// Its key. Messages may share a key.
    pub key: &'a Key<C>,
    /// Its nonce.
    pub nonce: &'a [u8],
    /// Its additional data, which is authenticated only.
    pub aad: &'a [u8],
    /// Its text, which is encrypted or decrypted in place.
    pub text: &'a mut [u8],
}

#[allow(private_bounds, reason = "only ciphers of this library have keys")]
impl<C: Batched> Message<'_, C> {
    /// As `open` of its key. Not a call of that: the buffer would be copied, by loads that stall on the words just stored.
    #[inline(always)]
    fn open_serial(&mut self, tag: &[u8], result: &mut Result<(), Error>) {
        if !self.has_right_lengths(tag) {
            return self.refuse(tag, result);
        }
        let mut right = Tag::default();
        self.open(&mut right);
        self.judge(&right, tag, result);
    }

    #[inline(always)]
    fn has_right_lengths(&self, tag: &[u8]) -> bool {
        tag.len() == self.key.tag_len() && self.check().is_ok()
    }

    /// Out of line, so that no other code writes a whole error.
    #[cold]
    #[inline(never)]
    fn refuse(&self, tag: &[u8], result: &mut Result<(), Error>) {
        *result = self.check().and_then(|()| check_tag(tag, self.key.tag_len()));
    }

    #[inline(always)]
    fn judge(&mut self, right: &Tag, tag: &[u8], result: &mut Result<(), Error>) {
        *result = Ok(());
        if !same(&right.bytes, tag) {
            self.text.fill(0);
            *result = Err(Error::Forged);
        }
    }

    #[inline]
    fn check(&self) -> Result<(), Error> {
        C::check(&self.key.0, self.nonce, self.aad, self.text.len())
    }

    #[inline(always)]
    pub(crate) fn seal(&mut self, tag: &mut Tag) {
        let Self { key, nonce, aad, text } = self;
        C::seal_checked(&key.0, nonce, aad, Text::in_place(text), &mut tag.bytes);
    }

    #[inline(always)]
    pub(crate) fn open(&mut self, right: &mut Tag) {
        let Self { key, nonce, aad, text } = self;
        C::open_checked(&key.0, nonce, aad, Text::in_place(text), &mut right.bytes);
    }
}

/// Encrypts each message in place and writes its tag: the `seal_many` of each cipher.
#[inline(always)]
pub(crate) fn seal_many<C: Batched>(
    messages: &mut [Message<'_, C>],
    tags: &mut [Tag],
) -> Result<(), InMessage> {
    if let ([Message { key, nonce, aad, text }], [tag]) = (&mut *messages, &mut *tags) {
        let sealed = key.seal(nonce, aad, text);
        *tag = sealed.map_err(|error| InMessage { index: 0, error })?;
        return Ok(());
    }
    if C::few(messages) && messages.len() == tags.len() && all_right(messages) {
        seal_each(messages, tags);
        return Ok(());
    }
    Many::<C>::new().seal_any(messages, tags)
}

/// Decrypts each message in place if its tag is right, and writes the results: the `open_many` of each cipher.
#[inline(always)]
pub(crate) fn open_many<C: Batched>(
    messages: &mut [Message<'_, C>],
    tags: &[&[u8]],
    results: &mut [Result<(), Error>],
) -> Result<(), InMessage> {
    if let ([message], [tag], [result]) = (&mut *messages, tags, &mut *results) {
        message.open_serial(tag, result);
        return Ok(());
    }
    if C::few(messages) && messages.len() == tags.len() && messages.len() == results.len() {
        open_each(messages, tags, results);
        return Ok(());
    }
    Many::<C>::new().open_any(messages, tags, results)
}

/// Seals and opens many messages in a call. Nothing is allocated.
#[allow(private_bounds, reason = "only ciphers of this library have keys")]
pub struct Many<C: Batched> {
    engine: C::Engine,
    /// None where lanes are always used.
    costs: Option<Costs>,
}

#[allow(private_bounds, reason = "only ciphers of this library have keys")]
impl<C: Batched> Many<C> {
    /// With the best backend of this processor.
    #[inline]
    pub fn new() -> Self {
        let engine = deep(C::Engine::best());
        let costs = Some(C::recorded(engine.info()));
        Self { engine, costs }
    }

    /// With the best backend of this processor, and given costs.
    #[inline]
    pub(crate) fn with(costs: Costs) -> Self {
        Self { engine: deep(C::Engine::best()), costs: Some(costs) }
    }

    /// With the backend of that name in the list of batch backends, even where serial processing is faster. Messages that it does
    /// not support go to the backend of their key.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self { engine: deep(C::Engine::named(name)?), costs: None })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// Messages that its backend processes in parallel.
    pub fn lanes(&self) -> usize {
        self.engine.info().lanes
    }

    /// Encrypts each message in place and writes its tag. Messages may differ in length and key. Each nonce must be new for its
    /// key.
    ///
    /// # Errors
    /// [`InMessage`] with [`Error::Length`] for the first message that [`Key::seal`] does not take, or that has no tag, and for
    /// the first tag without a message; nothing is then written.
    #[inline(always)]
    pub fn seal(&self, messages: &mut [Message<'_, C>], tags: &mut [Tag]) -> Result<(), InMessage> {
        let few = self.costs.is_some() && C::few(messages);
        if few && messages.len() == tags.len() && all_right(messages) {
            seal_each(messages, tags);
            return Ok(());
        }
        self.seal_any(messages, tags)
    }

    fn seal_any(&self, messages: &mut [Message<'_, C>], tags: &mut [Tag]) -> Result<(), InMessage> {
        as_many(messages.len(), "tags", tags.len())?;
        if !all_right(messages) {
            return first_wrong(messages);
        }
        if self.pays(messages) {
            self.seal_groups(messages, tags);
        } else {
            seal_each(messages, tags);
        }
        Ok(())
    }

    #[inline]
    fn pays(&self, messages: &[Message<'_, C>]) -> bool {
        let pays = |costs| C::pays(self.engine.info(), costs, messages);
        self.costs.as_ref().is_none_or(pays)
    }

    #[inline]
    fn chosen(&self, messages: &[Message<'_, C>], of: u64) -> u64 {
        if of == 0 {
            return 0;
        }
        let worth = |costs| C::worth(self.engine.info(), costs, messages, of);
        self.costs.as_ref().map_or(of, worth)
    }

    #[inline(never)]
    fn seal_groups(&self, messages: &mut [Message<'_, C>], tags: &mut [Tag]) {
        for (messages, tags) in messages.chunks_mut(GROUP).zip(tags.chunks_mut(GROUP)) {
            for (message, tag) in messages.iter().zip(&mut *tags) {
                tag.len = message.key.tag_len();
            }
            let mut left = u64::MAX >> (GROUP - messages.len());
            self.engine.alike(false, &mut left, messages, tags);
            let chosen = self.chosen(messages, left);
            if chosen != 0 {
                self.engine.seal_many(chosen, messages, tags);
            }
            for i in bits(left & !chosen) {
                messages[i].seal(&mut tags[i]);
            }
        }
    }

    /// Decrypts each message in place, if its tag is right, and writes its result. Messages may differ in length and key.
    ///
    /// A result is [`Error::Forged`] where the tag is not that of the message, which is then zeroed; and [`Error::Length`] where
    /// [`Key::open`] does not take the length of the message or of its tag; the message is then untouched.
    ///
    /// # Errors
    /// [`InMessage`] with [`Error::Length`] unless there are as many tags, and results, as messages; nothing is then written.
    #[inline(always)]
    pub fn open(
        &self,
        messages: &mut [Message<'_, C>],
        tags: &[&[u8]],
        results: &mut [Result<(), Error>],
    ) -> Result<(), InMessage> {
        let few = self.costs.is_some() && C::few(messages);
        if few && messages.len() == tags.len() && messages.len() == results.len() {
            open_each(messages, tags, results);
            return Ok(());
        }
        self.open_any(messages, tags, results)
    }

    fn open_any(
        &self,
        messages: &mut [Message<'_, C>],
        tags: &[&[u8]],
        results: &mut [Result<(), Error>],
    ) -> Result<(), InMessage> {
        as_many(messages.len(), "tags", tags.len())?;
        as_many(messages.len(), "results", results.len())?;
        if self.pays(messages) {
            self.open_groups(messages, tags, results);
        } else {
            open_each(messages, tags, results);
        }
        Ok(())
    }

    #[inline(never)]
    fn open_groups(
        &self,
        messages: &mut [Message<'_, C>],
        tags: &[&[u8]],
        results: &mut [Result<(), Error>],
    ) {
        let groups = messages.chunks_mut(OPEN_GROUP).zip(tags.chunks(OPEN_GROUP));
        for ((messages, tags), results) in groups.zip(results.chunks_mut(OPEN_GROUP)) {
            let mut of_right_len = 0;
            for (i, ((message, tag), result)) in
                messages.iter().zip(tags).zip(&mut *results).enumerate()
            {
                if message.has_right_lengths(tag) {
                    of_right_len |= 1 << i;
                } else {
                    message.refuse(tag, result);
                }
            }
            let mut right = Wiped::new([Tag::default(); OPEN_GROUP]);
            let right = &mut right[..messages.len()];
            let mut left = of_right_len;
            self.engine.alike(true, &mut left, messages, right);
            let chosen = self.chosen(messages, left);
            if chosen != 0 {
                self.engine.open_many(chosen, messages, right);
            }
            for i in bits(left & !chosen) {
                messages[i].open(&mut right[i]);
            }
            for i in bits(of_right_len) {
                messages[i].judge(&right[i], tags[i], &mut results[i]);
            }
        }
    }
}

impl<C: Batched> Default for Many<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether all lengths are right, without a branch for each message.
#[inline]
fn all_right<C: Batched>(messages: &[Message<'_, C>]) -> bool {
    let precheck = |Message { key, nonce, aad, text }: &Message<'_, C>| {
        C::precheck(&key.0, nonce, aad, text.len())
    };
    messages.iter().fold(0, |doubts, message| doubts | precheck(message)) == 0
        || messages.iter().all(|message| message.check().is_ok())
}

#[inline]
fn seal_each<C: Batched>(messages: &mut [Message<'_, C>], tags: &mut [Tag]) {
    for (message, tag) in messages.iter_mut().zip(tags) {
        tag.len = message.key.tag_len();
        message.seal(tag);
    }
}

#[inline]
fn open_each<C: Batched>(
    messages: &mut [Message<'_, C>],
    tags: &[&[u8]],
    results: &mut [Result<(), Error>],
) {
    for ((message, tag), result) in messages.iter_mut().zip(tags).zip(results) {
        message.open_serial(tag, result);
    }
}

#[cold]
#[inline(never)]
fn first_wrong<C: Batched>(messages: &[Message<'_, C>]) -> Result<(), InMessage> {
    for (index, message) in messages.iter().enumerate() {
        message.check().map_err(|error| InMessage { index, error })?;
    }
    Ok(())
}

/// The indices of the bits that are set.
#[inline]
pub(crate) fn bits(mut of: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = (of != 0).then(|| of.trailing_zeros() as usize);
        of &= of.wrapping_sub(1);
        bit
    })
}

/// Checks that there are as many of `what` as messages; otherwise fails with the first index without a partner.
#[inline]
fn as_many(messages: usize, what: &'static str, got: usize) -> Result<(), InMessage> {
    if got != messages {
        let allowed = "as many as there are messages";
        let error = Error::Length { what, got, allowed };
        return Err(InMessage { index: got.min(messages), error });
    }
    Ok(())
}
