//! Batches of messages.

#[cfg(doc)]
use super::Key;
use super::{Each, ManyEngine};
use crate::{
    aeads::{self, key::AesGcm, many::batch_engine},
    core::{Error, InMessage, backend::Info, tag::Tag},
};

/// A message of a batch of AES-GCM.
pub type Message<'a> = aeads::many::Message<'a, AesGcm>;

/// Seals and opens many messages of AES-GCM in a call. Nothing is allocated.
pub type Many = aeads::many::Many<AesGcm>;

/// Seals messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the tag.
#[cfg(feature = "many")]
pub type Seals<M> = aeads::collected::Seals<AesGcm, M>;

/// Opens messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the result of each.
#[cfg(feature = "many")]
pub type Openings<M> = aeads::collected::Openings<AesGcm, M>;

batch_engine! { ManyEngine of AesGcm }

/// Encrypts each message in place and writes its tag. Messages may differ in length and key. Each nonce must be new for its key.
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] for the first message that [`Key::seal`] does not take, or that has no tag, and for the
/// first tag without a message; nothing is then written.
#[inline(always)]
pub fn seal_many(messages: &mut [Message<'_>], tags: &mut [Tag]) -> Result<(), InMessage> {
    aeads::many::seal_many(messages, tags)
}

/// Decrypts each message in place, if its tag is right, and writes its result. Messages may differ in length and key.
///
/// A result is [`Error::Forged`] where the tag is not that of the message, which is then zeroed; and [`Error::Length`] where
/// [`Key::open`] does not take the length of the message or of its tag; the message is then untouched.
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] unless there are as many tags, and results, as messages; nothing is then written.
#[inline(always)]
pub fn open_many(
    messages: &mut [Message<'_>],
    tags: &[&[u8]],
    results: &mut [Result<(), Error>],
) -> Result<(), InMessage> {
    aeads::many::open_many(messages, tags, results)
}

/// The break-even, in messages, of lanes and the grouping that they need; and that for smaller batches, if all messages suit.
const LEAST: usize = 12;
const LEAST_ALIKE: usize = 4;

/// The break-even for the search for messages that are alike, on processors where a serial message is fast.
const LEAST_QUICK: usize = 8;

#[inline]
pub(super) fn few(messages: &[Message<'_>]) -> bool {
    let count = messages.len();
    count < LEAST_ALIKE || count < LEAST_QUICK && quick_alone()
}

/// A cheap check whether any message may go to lanes. Other batches are processed serially, without a loss of time.
#[inline]
pub(super) fn pays(many: &Info, messages: &[Message<'_>]) -> bool {
    if few(messages) {
        return false;
    }
    many.lanes > 2 && begin_alike(messages) || lanes_pay(many, messages)
}

/// Whether the first four messages qualify for [`AeadMany::alike`].
#[inline]
fn begin_alike(messages: &[Message<'_>]) -> bool {
    let Some(four) = messages.first_chunk::<4>() else { return false };
    let (key, len) = (four[0].key, four[0].text.len());
    let alike =
        |message: &Message<'_>| message.text.len() == len && core::ptr::eq(message.key, key);
    matches!(len, 16 | 64) && four.iter().all(alike)
}

/// Whether enough messages are so short that one does not keep the processor busy.
#[inline]
pub(super) fn lanes_pay(many: &Info, messages: &[Message<'_>]) -> bool {
    // On 256 bits a key's own vectors are as wide as lanes.
    let four = many.lanes > 2;
    if many.lanes < 2 || messages.len() < if four { LEAST_ALIKE } else { LEAST } {
        return false;
    }
    if four && quick_alone() {
        // measured: seal_many of 64 with one key, 17 to 48 bytes 0.88 to 0.97 of the serial time, others 1.05 to 1.4
        let Some(first) = messages.first_chunk::<LEAST>() else { return false };
        let short = |message: &Message<'_>| (17..=48).contains(&message.text.len());
        let of_one_key = |message: &Message<'_>| core::ptr::eq(message.key, first[0].key);
        return first.iter().all(|message| short(message) && of_one_key(message));
    }
    if messages.len() < LEAST {
        let blocks = |message: &Message<'_>| message.text.len().div_ceil(16);
        let all = blocks(&messages[0]);
        return all <= 3 && messages.iter().all(|message| blocks(message) == all);
    }
    let one_key = messages.iter().all(|message| core::ptr::eq(message.key, messages[0].key));
    let longest = if four && one_key { 112 } else { 64 };
    let short = messages.iter().filter(|message| message.text.len() <= longest).count();
    short >= LEAST && 2 * short >= messages.len()
}

/// Whether a serial message of one block, or of four, takes as few cycles as one of four lanes does: on processors with
/// full-width 512-bit units.
#[inline]
fn quick_alone() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !crate::core::tuning::row().halves_of_512;
    #[cfg(not(target_arch = "x86_64"))]
    false
}
