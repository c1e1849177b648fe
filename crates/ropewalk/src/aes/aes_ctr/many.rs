//! Batches of messages.

use super::{Counter, Engine, Key, ManyEngine};
use crate::{
    aes::RoundKeys,
    core::{Error, InMessage, backend::Info, lengths::bits_of, text::Text},
};

/// A message of a batch.
pub struct Message<'a> {
    /// Its key. Messages may share a key.
    pub key: &'a Key,
    /// Its first counter block.
    pub iv: &'a [u8; 16],
    /// Its text, which is encrypted or decrypted in place.
    pub text: &'a mut [u8],
}

impl Message<'_> {
    #[inline(always)]
    pub(super) fn alone(&mut self, counter: Counter) {
        // Where it carries, another function takes the message itself: otherwise the buffer would be stored in memory for either.
        if counter.carries(self.iv, self.text.len()) {
            return self.carry(counter);
        }
        self.key.engine.apply(self.iv, Text::in_place(self.text));
    }

    #[cold]
    #[inline(never)]
    fn carry(&mut self, counter: Counter) {
        self.key.apply(counter, self.iv, Text::in_place(self.text));
    }

    /// Texts of up to a block, each by its key's backend. Not inlined: in the loop for one backend it would force all of them
    /// through a table.
    #[cold]
    #[inline(never)]
    pub(super) fn all_alone(messages: &mut [Self]) {
        messages.iter_mut().for_each(|message| message.alone(Counter::Bits32));
    }
}

/// The operation of a batch backend, on messages whose lengths have been checked.
pub(super) trait CtrMany: Send + Sync {
    /// XORs its key stream into each message. Messages that do not suit lanes go to the backend of their key.
    fn apply_many(&self, counter: Counter, messages: &mut [Message<'_>]);
}

/// Encrypts or decrypts each message in place, from its counter block on, in lanes where that is faster. Messages may differ in
/// length and key.
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] for the first text of more than 2^36 bytes with [`Counter::Bits32`], whose key
/// stream would repeat; nothing is then written.
///
/// # Examples
/// ```
/// use ropewalk::aes_ctr::{Counter, Key, Message, apply_keystream_many};
///
/// let keys = [Key::new(&[1; 16])?, Key::new(&[2; 32])?];
/// let ivs = [[3; 16], [4; 16]];
/// let mut texts = [vec![0; 100], vec![0; 20]];
/// let [first, second] = &mut texts;
/// apply_keystream_many(Counter::Bits128, &mut [
///     Message { key: &keys[0], iv: &ivs[0], text: first },
///     Message { key: &keys[1], iv: &ivs[1], text: second },
/// ])
/// .map_err(|wrong| wrong.error)?;
/// # keys[1].apply_keystream(Counter::Bits128, &ivs[1], &mut texts[1])?;
/// # assert_eq!(texts[1], [0; 20]);
/// # Ok::<(), ropewalk::Error>(())
/// ```
#[inline(always)]
pub fn apply_keystream_many(
    counter: Counter,
    messages: &mut [Message<'_>],
) -> Result<(), InMessage> {
    let bits = bits_to_ask(counter, messages);
    if are_alone(messages, bits, counter) {
        one_by_one(counter, messages, bits);
        return Ok(());
    }
    apply_by_best(counter, messages)
}

#[inline(never)]
fn apply_by_best(counter: Counter, messages: &mut [Message<'_>]) -> Result<(), InMessage> {
    Many::new().apply_keystream(counter, messages)
}

impl Counter {
    /// Whether no key stream repeats, given the bitwise OR of the lengths. Only [`Counter::Bits32`] has a limit.
    #[inline(always)]
    fn has_room(self, bits: usize) -> bool {
        self != Self::Bits32 || self.check(bits as u64).is_ok()
    }
}

/// AES-CTR of batches of messages. Nothing is allocated.
pub struct Many {
    engine: ManyEngine,
    /// Whether lanes are always used.
    forced: bool,
}

impl Many {
    /// With the best backend of this processor.
    #[inline]
    pub fn new() -> Self {
        Self { engine: crate::core::secret::deep(ManyEngine::best(())), forced: false }
    }

    /// With the backend of that name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where serial processing is faster.
    /// Messages that do not suit lanes, such as those whose key has a backend without AES instructions, are processed serially.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self { engine: crate::core::secret::deep(ManyEngine::named(name)?(())), forced: true })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// Messages that its backend processes in parallel.
    pub fn lanes(&self) -> usize {
        self.engine.info().lanes
    }

    /// Encrypts or decrypts each message in place, from its counter block on.
    ///
    /// # Errors
    /// As [`apply_keystream_many`].
    #[inline(always)]
    pub fn apply_keystream(
        &self,
        counter: Counter,
        messages: &mut [Message<'_>],
    ) -> Result<(), InMessage> {
        let bits = bits_to_ask(counter, messages);
        if !self.forced && are_alone(messages, bits, counter) {
            one_by_one(counter, messages, bits);
            return Ok(());
        }
        self.apply_any(counter, messages)
    }

    fn apply_any(&self, counter: Counter, messages: &mut [Message<'_>]) -> Result<(), InMessage> {
        let bits = bits_of(messages, |message| message.text.len());
        if !counter.has_room(bits) {
            for (index, message) in messages.iter().enumerate() {
                let checked = counter.check(message.text.len() as u64);
                checked.map_err(|error| InMessage { index, error })?;
            }
        }
        if self.forced || pays(self.engine.info(), messages) {
            self.engine.apply_many(counter, messages);
        } else {
            one_by_one(counter, messages, bits);
        }
        Ok(())
    }
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}

/// The bitwise OR of the lengths, or the first length where that suffices: a small batch is processed serially if no key stream
/// can repeat, and the first message is not one block.
#[inline(always)]
fn bits_to_ask(counter: Counter, messages: &[Message<'_>]) -> usize {
    match messages {
        [first, ..]
            if messages.len() < LEAST && counter != Counter::Bits32 && first.text.len() != 16 =>
        {
            first.text.len()
        }
        _ => bits_of(messages, |message| message.text.len()),
    }
}

/// Whether no key stream repeats and the cost model is skipped, given the bitwise OR of the lengths. With one block each, any
/// further check takes too long.
// measured: in lanes 16 to 64 messages of a block took 1.1 times as long
#[inline(always)]
fn are_alone(messages: &[Message<'_>], bits: usize, counter: Counter) -> bool {
    bits == 16 || messages.len() < LEAST && counter.has_room(bits)
}

/// `bits` is the bitwise OR of the lengths.
#[inline]
fn one_by_one(counter: Counter, messages: &mut [Message<'_>], bits: usize) {
    // With one block, the counter does not carry. An indirect call per message would take longer than its rounds.
    if bits == 16
        && let [Message { key, .. }, ..] = messages
    {
        let key = *key;
        return key.engine.apply_each(messages);
    }
    for message in messages {
        message.alone(counter);
    }
}

/// The break-even, in messages, of lanes and the grouping that they need.
pub(super) const LEAST: usize = 8;

/// Up to so many blocks, one message does not keep the processor busy.
pub(super) const SHORT: usize = 4;

/// The break-even for texts of at most one block, and only with one key.
const LEAST_SHORT: usize = 16;

/// Whether messages are examined for lanes. Only the first and the last are checked: examining each costs as much as a fifth of a
/// short one.
#[inline]
fn pays(many: &Info, messages: &[Message<'_>]) -> bool {
    let [first, .., last] = messages else { return false };
    let one_key = core::ptr::eq(first.key, last.key);
    let [first, last] = [first, last].map(|message| message.text.len().div_ceil(16));
    let enough = messages.len() >= LEAST && first <= SHORT && first == last;
    many.lanes > 1 && enough && (first > 1 || one_key && messages.len() >= LEAST_SHORT)
}

impl Key {
    /// The round keys, for lanes.
    #[inline(always)]
    pub(super) fn round_keys(&self) -> Option<&RoundKeys> {
        match &*self.engine {
            #[cfg(target_arch = "x86_64")]
            Engine::Vaes512(key) => Some(&key.keys),
            #[cfg(target_arch = "x86_64")]
            Engine::Vaes256(key) => Some(&key.keys),
            #[cfg(target_arch = "x86_64")]
            Engine::Aesni(key) => Some(&key.keys),
            #[cfg(target_arch = "aarch64")]
            Engine::Aes(key) => Some(&key.keys),
            _ => None,
        }
    }
}
