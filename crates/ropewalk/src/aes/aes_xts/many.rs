//! Batches of data units.

use super::{Engine, Key, LONGEST_UNIT, ManyEngine, check_unit};
use crate::{
    aes::RoundKeys,
    core::{Error, InMessage, backend::Info, lengths::bits_of, text::Text},
};

/// A data unit of a batch.
pub struct Message<'a> {
    /// Its key. Messages may share a key.
    pub key: &'a Key,
    /// Its tweak, such as that of [`sector_tweak`](super::sector_tweak).
    pub tweak: &'a [u8; 16],
    /// Its text, of 16 to [`LONGEST_UNIT`](super::LONGEST_UNIT) bytes; encrypted or decrypted in place.
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

    /// Each by its key's backend. Not inlined: in the loop for one backend it would force all of them through a table.
    #[cold]
    #[inline(never)]
    pub(super) fn all_alone<const ENCRYPT: bool>(messages: &mut [Self]) {
        messages.iter_mut().for_each(Self::alone::<ENCRYPT>);
    }
}

/// The operations of a batch backend, on data units whose lengths have been checked.
pub(super) trait XtsMany: Send + Sync {
    /// Encrypts each. Units that do not suit lanes go to the backend of their key.
    fn encrypt_many(&self, messages: &mut [Message<'_>]);

    /// Decrypts each.
    fn decrypt_many(&self, messages: &mut [Message<'_>]);
}

/// Encrypts each data unit in place, in lanes where that is faster. Units may differ in length and key.
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

/// Decrypts each data unit in place, in lanes where that is faster. Units may differ in length and key.
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

/// AES-XTS of batches of data units. Nothing is allocated.
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

    /// With the backend of that name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where serial processing is faster. Units
    /// that do not suit lanes, such as those whose key has a backend without AES instructions, are processed serially.
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

    /// Data units that its backend processes in parallel.
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
    // With one block each, an indirect call per unit would take a tenth of its time.
    if bits == 16
        && let [Message { key, .. }, ..] = messages
    {
        let engine = &key.engine;
        return if ENCRYPT { engine.encrypt_each(messages) } else { engine.decrypt_each(messages) };
    }
    messages.iter_mut().for_each(Message::alone::<ENCRYPT>);
}

/// The break-even in units: a tweak that waits for others costs as many cycles as four that do not.
pub(super) const LEAST: usize = 5;

/// The break-even with different keys.
const LEAST_OF_KEYS: usize = 7;

/// A longer data unit keeps the processor busy while the tweak of the next one is encrypted.
const LONG: usize = 1024;

/// An out-of-order processor overlaps data units up to this length by itself.
// measured: encrypt_many of 5 to 64 with one key on Granite Rapids, 16 bytes 52 cycles in lanes and 18 in serial, 64 bytes 25 to
// 30 and 27 to 29, 128 bytes 45 to 48 and 48 to 52
const SHORT: usize = if cfg!(target_arch = "x86_64") { 64 } else { 0 };

/// A cheap check, on the first unit only.
#[inline]
fn is_short(messages: &[Message<'_>]) -> bool {
    messages.first().is_none_or(|first| first.text.len() <= SHORT)
}

/// A cheap check, on the first unit and the last.
#[inline]
fn pays(many: &Info, messages: &[Message<'_>]) -> bool {
    let [first, .., last] = messages else { return false };
    let least = if core::ptr::eq(first.key, last.key) { LEAST } else { LEAST_OF_KEYS };
    many.lanes > 1 && messages.len() >= least && !is_short(messages) && first.text.len() <= LONG
}

/// The bitwise OR of all lengths, and of the lengths after the first block.
#[inline(always)]
fn bits(messages: &[Message<'_>]) -> usize {
    bits_of(messages, |message| message.text.len() | message.text.len().wrapping_sub(16))
}

/// Whether all lengths are right, and lanes are not considered, by a cheap check.
#[inline(always)]
fn are_alone(messages: &[Message<'_>], bits: usize) -> bool {
    // With one block each, any further check takes too long.
    bits == 16 || right(bits) && (messages.len() < LEAST || is_short(messages))
}

/// Whether all lengths are right, by a cheap check; it fails for the longest units too.
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

/// The round keys that lanes use.
#[derive(Clone, Copy)]
pub(super) struct LaneKeys<'a> {
    /// The text keys for encryption, and those for decryption.
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
