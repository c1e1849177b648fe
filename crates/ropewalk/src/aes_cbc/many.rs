//! Encrypting many messages side by side.

use super::{Cbc, Key, ManyEngine, check};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::many::chains::{self, Chain};
use crate::{
    Error, InMessage,
    aes::{Block, RoundKeys},
    backend::Info,
    many::Cost,
    text::Text,
};

/// One of many messages.
pub struct Message<'a> {
    /// Its key, which others may have too.
    pub key: &'a Key,
    /// Its initialization vector.
    pub iv: &'a [u8; 16],
    /// Of whole blocks of 16 bytes; it is encrypted in place.
    pub text: &'a mut [u8],
}

pub(super) trait EncryptMany: Send + Sync {
    /// Encrypts those messages that are chosen.
    fn encrypt_many(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]);

    /// Encrypts parts of another primitive's messages.
    fn encrypt_parts(&self, keys: Alike<'_>, parts: &mut dyn Iterator<Item = Part<'_>>);

    /// Decrypts a part, blocks of which wait for nobody.
    fn decrypt_part(&self, Part { cbc, before, text }: Part<'_>) {
        cbc.decrypt(before, Text::in_place(text));
    }
}

/// A part of a message of another primitive.
pub(crate) struct Part<'a> {
    pub(crate) cbc: &'a dyn Cbc,
    pub(crate) before: &'a Block,
    /// Of whole blocks.
    pub(crate) text: &'a mut [u8],
}

/// What keys of parts have in common.
#[derive(Clone, Copy)]
pub(crate) struct Alike<'a> {
    /// 10, 12 or 14.
    pub(crate) rounds: usize,
    /// The key of all, where it is the same.
    pub(crate) one_key: Option<&'a RoundKeys>,
}

/// For primitives that have AES-CBC among their parts.
#[cfg(feature = "cbc-hmac")]
pub(crate) struct SideBySide(ManyEngine);

#[cfg(feature = "cbc-hmac")]
impl SideBySide {
    #[inline]
    pub(crate) fn new() -> Self {
        Self(ManyEngine::best(()))
    }

    #[inline]
    pub(crate) fn info(&self) -> &'static Info {
        self.0.info()
    }

    #[inline]
    pub(crate) fn encrypt(&self, keys: Alike<'_>, parts: &mut dyn Iterator<Item = Part<'_>>) {
        self.0.encrypt_parts(keys, parts);
    }

    #[inline]
    pub(crate) fn decrypt(&self, part: Part<'_>) {
        self.0.decrypt_part(part);
    }
}

/// Messages whose keys have equally many rounds.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'a> {
    /// 10, 12 or 14.
    pub(super) rounds: usize,
    /// Whether those are all there are.
    all: bool,
    /// Their key, where it is the same.
    pub(super) one_key: Option<&'a RoundKeys>,
}

/// Encrypts each message in place, side by side with others. Messages of any lengths and of any keys may be mixed.
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] for the first whose text is not of whole blocks of 16 bytes; nothing is then
/// encrypted.
///
/// # Examples
/// ```
/// use ropewalk::aes_cbc::{Key, Message, encrypt_many};
///
/// let keys = [Key::new(&[1; 16])?, Key::new(&[2; 32])?];
/// let ivs = [[3; 16], [4; 16]];
/// let mut texts = [vec![0; 1024], vec![0; 64]];
/// let [first, second] = &mut texts;
/// encrypt_many(&mut [
///     Message { key: &keys[0], iv: &ivs[0], text: first },
///     Message { key: &keys[1], iv: &ivs[1], text: second },
/// ])
/// .map_err(|wrong| wrong.error)?;
/// # keys[1].decrypt(&ivs[1], &mut texts[1])?;
/// # assert_eq!(texts[1], [0; 64]);
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn encrypt_many(messages: &mut [Message<'_>]) -> Result<(), InMessage> {
    Many::new().encrypt(messages)
}

/// AES-CBC of many messages side by side. Each call has a state of 6 KiB on the stack; nothing is allocated.
pub struct Many {
    engine: ManyEngine,
    /// Whether lanes are used whatever they cost.
    forced: bool,
}

impl Many {
    /// With the best backends of this processor.
    #[inline]
    pub fn new() -> Self {
        Self { engine: ManyEngine::best(()), forced: false }
    }

    /// With one backend, by its name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where one message at a time is faster. Keys
    /// whose own backend has no AES instructions encrypt their messages one by one.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self { engine: ManyEngine::named(name)?(()), forced: true })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// Encrypts each message in place.
    ///
    /// # Errors
    /// As [`encrypt_many`].
    #[inline]
    pub fn encrypt(&self, messages: &mut [Message<'_>]) -> Result<(), InMessage> {
        let (mut all, mut longest) = (0, 0);
        for Message { text, .. } in &*messages {
            all |= text.len();
            longest = longest.max(text.len());
        }
        if !all.is_multiple_of(16) {
            return first_wrong(messages);
        }
        if !self.forced && (messages.len() < 2 || longest < short(messages.len())) {
            for Message { key, iv, text } in messages {
                key.engine.encrypt(iv, Text::in_place(text));
            }
            return Ok(());
        }
        self.choose(messages);
        Ok(())
    }

    /// Encrypts side by side what is worth it.
    #[inline(never)]
    fn choose(&self, messages: &mut [Message<'_>]) {
        let mut groups = [Group::default(); 3];
        let mut last: Option<(&Key, &RoundKeys)> = None;
        for Message { key, text, .. } in &*messages {
            if !last.is_some_and(|(there, _)| core::ptr::eq(there, *key)) {
                last = key.engine.round_keys().map(|keys| (*key, keys));
            }
            if let Some((_, keys)) = last {
                groups[class(keys)].add(keys, text.len() / 16);
            }
        }
        let side_by_side = groups.map(|group| self.pays(&group));
        let mut done = 0;
        for (i, group) in groups.iter().enumerate().filter(|(i, _)| side_by_side[*i]) {
            let all = group.cost.messages() == messages.len();
            let chosen = Chosen { rounds: 10 + 2 * i, all, one_key: group.one_key };
            self.engine.encrypt_many(chosen, messages);
            done += group.cost.messages();
        }
        if done == messages.len() {
            return;
        }
        for Message { key, iv, text } in messages {
            let of = |keys: &RoundKeys| side_by_side[class(keys)];
            if done == 0 || !key.engine.round_keys().is_some_and(of) {
                key.engine.encrypt(iv, Text::in_place(text));
            }
        }
    }

    #[inline]
    fn pays(&self, group: &Group<'_>) -> bool {
        group.cost.messages() > 0
            && (self.forced || group.cost.pays(self.engine.info(), group.one_key.is_some()))
    }
}

/// Where so many messages are all shorter than so many bytes, lanes are not thought of: the processor begins with
/// short messages before others have ended, and few lanes do not pay for what they cost besides.
fn short(messages: usize) -> usize {
    112 + 800 / messages.max(1)
}

#[cold]
fn first_wrong(messages: &[Message<'_>]) -> Result<(), InMessage> {
    for (index, Message { text, .. }) in messages.iter().enumerate() {
        check("text", text.len()).map_err(|error| InMessage { index, error })?;
    }
    Ok(())
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}

/// Messages whose keys have equally many rounds, as they are counted.
#[derive(Clone, Copy, Default)]
struct Group<'a> {
    cost: Cost,
    /// Their key, where it is the same.
    one_key: Option<&'a RoundKeys>,
}

impl<'a> Group<'a> {
    #[inline]
    fn add(&mut self, keys: &'a RoundKeys, blocks: usize) {
        let same = self.one_key.is_some_and(|one| core::ptr::eq(one, keys));
        self.one_key = (same || self.cost.messages() == 0).then_some(keys);
        self.cost.add(blocks);
    }
}

/// Which of 10, 12 and 14 rounds there are.
#[inline]
fn class(keys: &RoundKeys) -> usize {
    (keys.rounds - 10) / 2 % 3
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl chains::Key for Key {
    #[inline]
    fn round_keys(&self) -> Option<&RoundKeys> {
        self.engine.round_keys()
    }
    #[inline]
    fn encrypt(&self, before: &Block, text: Text<'_>) {
        self.engine.encrypt(before, text);
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl chains::Key for dyn Cbc + '_ {
    #[inline]
    fn round_keys(&self) -> Option<&RoundKeys> {
        Cbc::round_keys(self)
    }
    #[inline]
    fn encrypt(&self, before: &Block, text: Text<'_>) {
        Cbc::encrypt(self, before, text);
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl<'a> Part<'a> {
    #[inline(always)]
    pub(super) fn chain(self) -> Chain<'a, dyn Cbc + 'a> {
        let Self { cbc, before, text } = self;
        Chain { key: cbc, before, text: Text::in_place(text) }
    }
}

impl<'a> Chosen<'a> {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(super) fn alike(self) -> Alike<'a> {
        Alike { rounds: self.rounds, one_key: self.one_key }
    }
}

impl<'a> Chosen<'_> {
    /// Those messages.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(super) fn chains(
        self,
        messages: &'a mut [Message<'_>],
    ) -> impl Iterator<Item = Chain<'a, Key>> {
        messages.iter_mut().filter(move |message| self.has(message)).map(
            |Message { key, iv, text }| Chain { key: *key, before: iv, text: Text::in_place(text) },
        )
    }

    #[inline(always)]
    pub(super) fn has(self, message: &Message<'_>) -> bool {
        let rounds = || message.key.engine.round_keys().map(|keys| keys.rounds);
        self.all || rounds() == Some(self.rounds)
    }
}
