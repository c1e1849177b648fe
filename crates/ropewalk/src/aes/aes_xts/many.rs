//! Many data units side by side.

use super::{Engine, Key, LONGEST_UNIT, ManyEngine, check_unit};
use crate::{
    aes::RoundKeys,
    core::{Error, InMessage, backend::Info, lengths::bits_of, text::Text},
};

/// One of many data units.
pub struct Message<'a> {
    /// Its key, which others may have too.
    pub key: &'a Key,
    /// Its tweak, such as that of [`sector_tweak`](super::sector_tweak).
    pub tweak: &'a [u8; 16],
    /// Its text, of 16 to [`LONGEST_UNIT`](super::LONGEST_UNIT) bytes, which is encrypted or decrypted in place.
    pub text: &'a mut [u8],
}

impl Message<'_> {
    #[inline(always)]
    pub(super) fn alone<const ENCRYPT: bool>(&mut self) {
        let Self { key, tweak, text } = self;
        let (len, text) = (text.len(), Text::in_place(text));
        if ENCRYPT {
            key.engine.encrypt(tweak, len, text);
        } else {
            key.engine.decrypt(tweak, len, text);
        }
    }

    /// Each by its key's backend. Inlined among units of one backend, it would send all of them through a table.
    #[cold]
    #[inline(never)]
    pub(super) fn all_alone<const ENCRYPT: bool>(messages: &mut [Self]) {
        messages.iter_mut().for_each(Self::alone::<ENCRYPT>);
    }
}

/// What a backend does with data units whose lengths are right.
pub(super) trait XtsMany: Send + Sync {
    /// Encrypts each. What there are no lanes for is left to the backend of its key.
    fn encrypt_many(&self, messages: &mut [Message<'_>]);

    /// Decrypts each.
    fn decrypt_many(&self, messages: &mut [Message<'_>]);
}

/// Encrypts each data unit in place, side by side with others. Those of any lengths and of any keys may be mixed.
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] for the first text that does not have 16 to
/// [`LONGEST_UNIT`](super::LONGEST_UNIT) bytes; nothing is then written.
///
/// # Examples
/// ```
/// use ropewalk::aes_xts::{Key, Message, encrypt_many, sector_tweak};
///
/// let secret: Vec<u8> = (0..64).collect();
/// let key = Key::new(&secret)?;
/// let tweaks = [7, 3000].map(sector_tweak);
/// let mut sectors = [[0; 512]; 2];
/// let [first, second] = &mut sectors;
/// encrypt_many(&mut [
///     Message { key: &key, tweak: &tweaks[0], text: first },
///     Message { key: &key, tweak: &tweaks[1], text: second },
/// ])
/// .map_err(|wrong| wrong.error)?;
/// # key.decrypt(&tweaks[1], &mut sectors[1])?;
/// # assert_eq!(sectors[1], [0; 512]);
/// # Ok::<(), ropewalk::Error>(())
/// ```
#[inline(always)]
pub fn encrypt_many(messages: &mut [Message<'_>]) -> Result<(), InMessage> {
    let bits = bits(messages);
    if are_alone(messages, bits) {
        one_by_one::<true>(messages, bits);
        return Ok(());
    }
    encrypt_by_best(messages)
}

#[inline(never)]
fn encrypt_by_best(messages: &mut [Message<'_>]) -> Result<(), InMessage> {
    Many::new().encrypt(messages)
}

/// Decrypts each data unit in place, side by side with others. Those of any lengths and of any keys may be mixed.
///
/// # Errors
/// As [`encrypt_many`].
#[inline(always)]
pub fn decrypt_many(messages: &mut [Message<'_>]) -> Result<(), InMessage> {
    let bits = bits(messages);
    if are_alone(messages, bits) {
        one_by_one::<false>(messages, bits);
        return Ok(());
    }
    decrypt_by_best(messages)
}

#[inline(never)]
fn decrypt_by_best(messages: &mut [Message<'_>]) -> Result<(), InMessage> {
    Many::new().decrypt(messages)
}

/// AES-XTS of many data units side by side. Nothing is allocated.
pub struct Many {
    engine: ManyEngine,
    /// Whether lanes are used whatever they cost.
    forced: bool,
}

impl Many {
    /// With the best backend of this processor.
    #[inline]
    pub fn new() -> Self {
        Self { engine: crate::core::secret::deep(ManyEngine::best(())), forced: false }
    }

    /// With one backend, by its name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where one data unit at a time is faster.
    /// What it has no lanes for, such as those of keys whose own backend has no AES instructions, goes one by one.
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

    /// How many data units that has side by side.
    pub fn lanes(&self) -> usize {
        self.engine.info().lanes
    }

    /// Encrypts each data unit in place.
    ///
    /// # Errors
    /// As [`encrypt_many`].
    #[inline(always)]
    pub fn encrypt(&self, messages: &mut [Message<'_>]) -> Result<(), InMessage> {
        let bits = bits(messages);
        if !self.forced && are_alone(messages, bits) {
            one_by_one::<true>(messages, bits);
            return Ok(());
        }
        self.encrypt_any(messages)
    }

    fn encrypt_any(&self, messages: &mut [Message<'_>]) -> Result<(), InMessage> {
        check(messages)?;
        if self.forced || pays(self.engine.info(), messages) {
            self.engine.encrypt_many(messages);
        } else {
            one_by_one::<true>(messages, bits(messages));
        }
        Ok(())
    }

    /// Decrypts each data unit in place.
    ///
    /// # Errors
    /// As [`decrypt_many`].
    #[inline(always)]
    pub fn decrypt(&self, messages: &mut [Message<'_>]) -> Result<(), InMessage> {
        let bits = bits(messages);
        if !self.forced && are_alone(messages, bits) {
            one_by_one::<false>(messages, bits);
            return Ok(());
        }
        self.decrypt_any(messages)
    }

    fn decrypt_any(&self, messages: &mut [Message<'_>]) -> Result<(), InMessage> {
        check(messages)?;
        if self.forced || pays(self.engine.info(), messages) {
            self.engine.decrypt_many(messages);
        } else {
            one_by_one::<false>(messages, bits(messages));
        }
        Ok(())
    }
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}

#[inline]
fn one_by_one<const ENCRYPT: bool>(messages: &mut [Message<'_>], bits: usize) {
    // Of a block each, a call for every one would take a tenth of its time.
    if bits == 16
        && let [Message { key, .. }, ..] = messages
    {
        let engine = &key.engine;
        return if ENCRYPT { engine.encrypt_each(messages) } else { engine.decrypt_each(messages) };
    }
    messages.iter_mut().for_each(Message::alone::<ENCRYPT>);
}

/// From so many on, lanes pay: a tweak that waits for others costs as many cycles as four that do not.
pub(super) const LEAST: usize = 5;

/// And with keys of their own.
const LEAST_OF_KEYS: usize = 7;

/// A longer data unit keeps the processor busy while the tweak of the next one is encrypted.
const LONG: usize = 1024;

/// Data units that are no longer go through an out-of-order processor beside each other by themselves.
// measured: encrypt_many of 5 to 64 with one key on Granite Rapids, 16 bytes 52 cycles in lanes and 18 alone, 64 bytes 25 to 30 and
// 27 to 29, 128 bytes 45 to 48 and 48 to 52
const SHORT: usize = if cfg!(target_arch = "x86_64") { 64 } else { 0 };

/// At a glance, as the first one has it.
#[inline]
fn is_short(messages: &[Message<'_>]) -> bool {
    messages.first().is_none_or(|first| first.text.len() <= SHORT)
}

/// At a glance, as the first one and the last one have it.
#[inline]
fn pays(many: &Info, messages: &[Message<'_>]) -> bool {
    let [first, .., last] = messages else { return false };
    let least = if core::ptr::eq(first.key, last.key) { LEAST } else { LEAST_OF_KEYS };
    many.lanes > 1 && messages.len() >= least && !is_short(messages) && first.text.len() <= LONG
}

/// The bits of all lengths, and of what is behind their first blocks.
#[inline(always)]
fn bits(messages: &[Message<'_>]) -> usize {
    bits_of(messages, |message| message.text.len() | message.text.len().wrapping_sub(16))
}

/// Whether all lengths are right, and lanes are not to be thought of, seen at a glance.
#[inline(always)]
fn are_alone(messages: &[Message<'_>], bits: usize) -> bool {
    // There is no time to ask more of a block each.
    bits == 16 || right(bits) && (messages.len() < LEAST || is_short(messages))
}

/// Whether all lengths are right, seen at a glance: none of the longest.
#[inline(always)]
fn right(bits: usize) -> bool {
    bits < LONGEST_UNIT
}

#[inline]
fn check(messages: &[Message<'_>]) -> Result<(), InMessage> {
    if right(bits(messages)) {
        return Ok(());
    }
    for (index, Message { text, .. }) in messages.iter().enumerate() {
        check_unit("text", text.len()).map_err(|error| InMessage { index, error })?;
    }
    Ok(())
}

/// What lanes take of a key.
#[derive(Clone, Copy)]
pub(super) struct LaneKeys<'a> {
    /// For encrypting texts, and for decrypting them.
    pub(super) text: &'a [RoundKeys; 2],
    pub(super) tweak: &'a RoundKeys,
}

impl Key {
    #[inline(always)]
    pub(super) fn lane_keys(&self) -> Option<LaneKeys<'_>> {
        match &*self.engine {
            #[cfg(target_arch = "x86_64")]
            Engine::Vaes512(key) => Some(LaneKeys { text: &key.text, tweak: &key.tweak }),
            #[cfg(target_arch = "x86_64")]
            Engine::Vaes256(key) => Some(LaneKeys { text: &key.text, tweak: &key.tweak }),
            #[cfg(target_arch = "x86_64")]
            Engine::Aesni(key) => Some(LaneKeys { text: &key.text, tweak: &key.tweak }),
            #[cfg(target_arch = "aarch64")]
            Engine::Aes(key) => Some(LaneKeys { text: &key.text, tweak: &key.tweak }),
            _ => None,
        }
    }
}
