//! Encryption of batches of messages.

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

/// A message of a batch.
pub struct Message<'a> {
    /// Its key. Messages may share a key.
    pub key: &'a Key,
    /// Its initialization vector.
    pub iv: &'a [u8; 16],
    /// Whole blocks of 16 bytes; encrypted in place.
    pub text: &'a mut [u8],
}

impl Message<'_> {
    #[inline(always)]
    fn alone(&mut self) {
        self.key.engine.encrypt(self.iv, Text::in_place(self.text));
    }

    /// Each by its key's backend. Not inlined: in the loop for one backend it would force all of them through a table.
    #[cold]
    #[inline(never)]
    pub(super) fn all_alone(messages: &mut [Self]) {
        messages.iter_mut().for_each(Self::alone);
    }
}

pub(super) trait EncryptMany: Send + Sync {
    /// Encrypts the chosen messages.
    fn encrypt_many(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]);

    /// Encrypts parts of the messages of another primitive.
    fn encrypt_parts(&self, chosen: Chosen<'_>, all: &mut dyn Iterator<Item = Part<'_>>);

    /// Decrypts a part, whose blocks are independent.
    fn decrypt_part(&self, Part { cbc, before, text }: Part<'_>) {
        cbc.decrypt(before, Text::in_place(text));
    }
}

/// A part of a message of another primitive.
pub(crate) struct Part<'a> {
    pub(crate) cbc: &'a dyn Cbc,
    pub(crate) before: &'a Block,
    /// Whole blocks.
    pub(crate) text: &'a mut [u8],
}

/// For primitives that contain AES-CBC.
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

/// Encrypts each message in place, in lanes where that is faster. Messages may differ in length and key.
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

/// Whether each has one block, or is empty. This is checked first: for such messages any further check takes too long.
#[inline(always)]
fn are_blocks(bits: usize) -> bool {
    bits == 16
}

/// Whether all consist of whole blocks and are short, or few and not long. No more is checked where a message takes little time.
#[inline(always)]
fn are_few(messages: &[Message<'_>], bits: usize) -> bool {
    let up_to = match messages.len() {
        ..4 => 256,
        4..MANY => SHORT,
        _ => 48,
    };
    are_blocks(bits) || bits.is_multiple_of(16) && bits <= up_to
}

/// Whether all texts consist of whole blocks, and the cost model is skipped, by a cheap check: short texts, in any number, and a
/// few texts that are not long.
#[inline]
fn are_alone(messages: &[Message<'_>], bits: usize) -> bool {
    if bits & !SHORT == 0 {
        return messages.len() < MANY || too_little(messages, bits);
    }
    bits.is_multiple_of(16) && messages.len() < 4 && too_little(messages, longest(messages))
}

/// `bits` is the bitwise OR of the lengths.
#[inline]
fn one_by_one(messages: &mut [Message<'_>], bits: usize) {
    // With one block each, an indirect call per message would take longer than its rounds.
    if are_blocks(bits)
        && let [Message { key, .. }, ..] = messages
    {
        let key = *key;
        return key.engine.encrypt_each(messages);
    }
    messages.iter_mut().for_each(Message::alone);
}

/// AES-CBC of batches of messages. Each call keeps a state of 10 KiB on the stack; nothing is allocated.
pub struct Many {
    engine: ManyEngine,
    /// None where lanes are always used.
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
    /// Messages whose key has a backend without AES instructions are encrypted serially.
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

    /// `bits` is the bitwise OR of the lengths. Facts that it implies are not derived from the messages again: sixteen short ones
    /// would take a tenth longer.
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

    /// Encrypts in lanes what the cost model chooses.
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

/// Whether a batch is too small for the cost model, given its longest text in bytes.
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

/// Blocks are read and written.
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

/// The chosen messages.
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

/// Not a closure: that would not be inlined, and its results would go through memory.
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

/// Parts of the messages of other primitives, all of them chosen.
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

/// A key that encrypts a text without lanes.
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
