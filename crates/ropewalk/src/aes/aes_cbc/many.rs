//! Encrypting many messages side by side.

use super::{Cbc, CbcLaneKey, Key, ManyEngine, check};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::{
    aes::chains::{Chain, Spare, Strand},
    core::secret::Loose,
};
use crate::{
    aes::{
        RoundKeys,
        groups::{self, Chosen, Groups, MANY, SHORT},
    },
    core::{
        Error, InMessage,
        backend::{Costs, Info},
        block::Block,
        lengths::bits_of,
        text::{Text, Texts},
    },
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

impl Message<'_> {
    #[inline(always)]
    fn alone(&mut self) {
        self.key.engine.encrypt(self.iv, Text::in_place(self.text));
    }

    /// Each by its key's backend. Inlined among messages of one backend, it would send all of them through a table.
    #[cold]
    #[inline(never)]
    pub(super) fn all_alone(messages: &mut [Self]) {
        messages.iter_mut().for_each(Self::alone);
    }
}

pub(super) trait EncryptMany: Send + Sync {
    /// Encrypts those messages that are chosen.
    fn encrypt_many(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]);

    /// Encrypts parts of another primitive's messages.
    fn encrypt_parts(&self, chosen: Chosen<'_>, all: &mut dyn Iterator<Item = Part<'_>>);

    /// Decrypts a part, blocks of which are independent.
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

/// For primitives that have AES-CBC among their parts.
#[cfg(feature = "cbc-hmac")]
pub(crate) struct SideBySide(ManyEngine);

#[cfg(feature = "cbc-hmac")]
impl SideBySide {
    #[inline]
    pub(crate) fn new() -> Self {
        Self(crate::core::secret::deep(ManyEngine::best(())))
    }

    #[inline]
    pub(crate) fn info(&self) -> &'static Info {
        self.0.info()
    }

    #[inline]
    pub(crate) fn encrypt(&self, chosen: Chosen<'_>, all: &mut dyn Iterator<Item = Part<'_>>) {
        self.0.encrypt_parts(chosen, all);
    }

    #[inline]
    pub(crate) fn decrypt(&self, part: Part<'_>) {
        self.0.decrypt_part(part);
    }
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
#[inline(always)]
pub fn encrypt_many(messages: &mut [Message<'_>]) -> Result<(), InMessage> {
    let bits = bits_of(messages, |message| message.text.len());
    if are_few(messages, bits) {
        one_by_one(messages, bits);
        return Ok(());
    }
    encrypt_by_best(messages, bits)
}

#[inline(never)]
fn encrypt_by_best(messages: &mut [Message<'_>], bits: usize) -> Result<(), InMessage> {
    if are_alone(messages, bits) {
        one_by_one(messages, bits);
        return Ok(());
    }
    Many::new().encrypt_any(messages, bits)
}

/// Whether they are of a block each, which is asked first: there is no time to ask more.
#[inline(always)]
fn are_blocks(bits: usize) -> bool {
    bits == 16
}

/// Whether they are short, or few and not long, and of whole blocks: all that is asked where one message takes little time.
#[inline(always)]
fn are_few(messages: &[Message<'_>], bits: usize) -> bool {
    let up_to = match messages.len() {
        ..4 => 256,
        4..MANY => SHORT,
        _ => 48,
    };
    are_blocks(bits) || bits.is_multiple_of(16) && bits <= up_to
}

/// Whether all texts are of whole blocks, and lanes are not to be thought of, seen at a glance: short ones, however many there
/// are, and few that are not long.
#[inline]
fn are_alone(messages: &[Message<'_>], bits: usize) -> bool {
    if bits & !SHORT == 0 {
        return messages.len() < MANY || too_little(messages, bits);
    }
    bits.is_multiple_of(16) && messages.len() < 4 && too_little(messages, longest(messages))
}

/// Given the bits of their lengths.
#[inline]
fn one_by_one(messages: &mut [Message<'_>], bits: usize) {
    // Of a block each, a call for every one would take longer than its rounds.
    if are_blocks(bits)
        && let [Message { key, .. }, ..] = messages
    {
        let key = *key;
        return key.engine.encrypt_each(messages);
    }
    messages.iter_mut().for_each(Message::alone);
}

/// AES-CBC of many messages side by side. Each call has a state of 10 KiB on the stack; nothing is allocated.
pub struct Many {
    engine: ManyEngine,
    /// None where lanes are used whatever they cost.
    costs: Option<Costs>,
}

impl Many {
    /// With the best backends of this processor.
    #[inline]
    pub fn new() -> Self {
        let engine = crate::core::secret::deep(ManyEngine::best(()));
        let costs = Some(groups::recorded(engine.info()));
        Self { engine, costs }
    }

    /// With the best backend of this processor, and what that was measured to cost on it.
    #[inline]
    pub fn with_costs(costs: Costs) -> Self {
        Self { engine: crate::core::secret::deep(ManyEngine::best(())), costs: Some(costs) }
    }

    /// What the best backend of this processor is thought to cost.
    #[inline]
    pub fn costs() -> Costs {
        groups::recorded(ManyEngine::best(()).info())
    }

    /// With one backend, by its name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where one message at a time is faster. Keys
    /// whose own backend has no AES instructions encrypt their messages one by one.
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

    /// How many messages that has side by side.
    pub fn lanes(&self) -> usize {
        self.engine.info().lanes
    }

    /// Encrypts each message in place.
    ///
    /// # Errors
    /// As [`encrypt_many`].
    #[inline(always)]
    pub fn encrypt(&self, messages: &mut [Message<'_>]) -> Result<(), InMessage> {
        let bits = bits_of(messages, |message| message.text.len());
        if self.costs.is_some() && are_few(messages, bits) {
            one_by_one(messages, bits);
            return Ok(());
        }
        self.encrypt_any(messages, bits)
    }

    /// Given the bits of their lengths. What these tell is not looked for in the messages again: sixteen short ones would take a tenth
    /// longer.
    #[inline(never)]
    fn encrypt_any(&self, messages: &mut [Message<'_>], bits: usize) -> Result<(), InMessage> {
        if !bits.is_multiple_of(16) {
            return first_wrong(messages);
        }
        if self.costs.is_some()
            && (are_alone(messages, bits) || too_little(messages, longest(messages)))
        {
            one_by_one(messages, bits);
        } else {
            self.choose(messages);
        }
        Ok(())
    }

    /// Encrypts side by side what is worth it.
    #[inline(never)]
    fn choose(&self, messages: &mut [Message<'_>]) {
        let all = messages.iter().map(|Message { key, text, .. }| (*key, text.len() / 16));
        let mut groups = Groups::new();
        groups.count(all, self.engine.info(), self.costs);
        if groups.leave_all() {
            let bits = bits_of(messages, |message| message.text.len());
            return one_by_one(messages, bits);
        }
        for number in 0..3 {
            let Some(chosen) = groups.chosen(number) else { continue };
            let few = chosen.few.then(ManyEngine::for_few);
            few.as_ref().unwrap_or(&self.engine).encrypt_many(chosen, messages);
        }
        if groups.leave_some() {
            for Message { key, iv, text } in messages {
                if groups.leave(*key) {
                    key.engine.encrypt(iv, Text::in_place(text));
                }
            }
        }
    }
}

#[inline]
fn longest(messages: &[Message<'_>]) -> usize {
    messages.iter().map(|message| message.text.len()).max().unwrap_or(0)
}

/// Where lanes are not thought of, for texts of up to so many bytes.
#[inline]
fn too_little(messages: &[Message<'_>], longest: usize) -> bool {
    let [first, .., last] = messages else { return true };
    groups::too_little(messages.len(), longest, first.key, core::ptr::eq(first.key, last.key))
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

impl groups::Key for Key {
    #[inline]
    fn round_keys(&self) -> Option<&RoundKeys> {
        self.engine.round_keys()
    }
}

/// It goes in and out.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl<K: CbcEncrypt + ?Sized> Strand<K> for Text<'_> {
    type Steps<'a, const WIDTH: usize>
        = Texts<'a, WIDTH>
    where
        Self: 'a;
    type Keep<R> = Loose<R>;
    const SPARE: bool = true;

    #[inline]
    fn none() -> Self {
        Text::in_place(&mut [])
    }
    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn address(&self) -> usize {
        self.input().as_ptr().addr()
    }
    #[inline(always)]
    fn take<'a, const WIDTH: usize>(
        texts: &'a mut [Self; WIDTH],
        running: usize,
        len: usize,
        spare: Spare<'a>,
    ) -> Texts<'a, WIDTH> {
        Texts::take(texts, running, len, if running < WIDTH { spare.of(len) } else { &mut [] })
    }
    #[inline(always)]
    fn end(&mut self, _: &Block) {}
    #[inline]
    fn alone(self, key: &K, before: &Block) {
        key.encrypt_text(before, self);
    }
}

/// Those that are chosen.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) struct Chains<'c, 'a, 'm> {
    chosen: Chosen<'c>,
    waiting: core::slice::IterMut<'a, Message<'m>>,
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub(super) fn chains<'c, 'a, 'm>(
    chosen: Chosen<'c>,
    messages: &'a mut [Message<'m>],
) -> Chains<'c, 'a, 'm> {
    Chains { chosen, waiting: messages.iter_mut() }
}

/// A closure would not be inlined, and what it returns would go through memory.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl<'a> Iterator for Chains<'_, 'a, '_> {
    type Item = Chain<'a, Key, Text<'a>>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Message { key, iv, text } = self.waiting.next()?;
            if self.chosen.has(*key) {
                return Some(Chain { key: *key, before: **iv, strand: Text::in_place(text) });
            }
        }
    }
}

/// Parts of other primitives' messages, all of them chosen.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub(super) fn parts<'a, 'p: 'a>(
    _: Chosen<'a>,
    all: &mut dyn Iterator<Item = Part<'p>>,
) -> impl Iterator<Item = Chain<'a, dyn Cbc + 'a, Text<'p>>> {
    all.map(|Part { cbc, before, text }| {
        let key: &dyn Cbc = cbc;
        Chain { key, before: *before, strand: Text::in_place(text) }
    })
}

/// A key that encrypts a text alone.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) trait CbcEncrypt {
    fn encrypt_text(&self, before: &Block, text: Text<'_>);
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl CbcEncrypt for Key {
    #[inline]
    fn encrypt_text(&self, before: &Block, text: Text<'_>) {
        self.engine.encrypt(before, text);
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl CbcEncrypt for dyn Cbc + '_ {
    #[inline]
    fn encrypt_text(&self, before: &Block, text: Text<'_>) {
        self.encrypt(before, text);
    }
}

impl groups::Key for dyn Cbc + '_ {
    #[inline]
    fn round_keys(&self) -> Option<&RoundKeys> {
        CbcLaneKey::round_keys(self)
    }
}
