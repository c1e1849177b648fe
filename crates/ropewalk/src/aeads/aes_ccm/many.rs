//! Batches of messages.

use super::{Each, Key, ManyEngine};
use crate::{
    aeads::{
        self,
        key::AesCcm,
        many::{batch_engine, bits},
    },
    aes::{RoundKeys, groups},
    core::{
        Error, InMessage,
        backend::{Costs, Info},
        lengths::bits_of,
        tag::Tag,
        tuning,
    },
};

/// A message of a batch of AES-CCM.
pub type Message<'a> = aeads::many::Message<'a, AesCcm>;

/// Seals and opens many messages of AES-CCM in a call. Nothing is allocated.
pub type Many = aeads::many::Many<AesCcm>;

/// Seals messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the tag.
#[cfg(feature = "many")]
pub type Seals<M> = aeads::collected::Seals<AesCcm, M>;

/// Opens messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the result of each.
#[cfg(feature = "many")]
pub type Openings<M> = aeads::collected::Openings<AesCcm, M>;

batch_engine! { ManyEngine of AesCcm }

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

/// Two messages may go to lanes, if they are not short.
#[inline]
pub(super) fn few(messages: &[Message<'_>]) -> bool {
    let bits = || bits_of(messages, |message| message.text.len());
    match messages.len() {
        ..2 => true,
        2..4 => quick_alone() && bits() < SHORT,
        4..8 => quick_alone() && bits() < SHORT_OF_MORE,
        _ => false,
    }
}

/// Below these lengths in bytes, so small batches are faster in serial, by the recorded costs.
const SHORT: usize = 128;
const SHORT_OF_MORE: usize = 80;

impl groups::Key for Key {
    #[inline]
    fn round_keys(&self) -> Option<&RoundKeys> {
        self.0.engine.round_keys()
    }
}

impl Many {
    /// With the best backend of this processor, and its costs as measured on it.
    #[inline]
    pub fn with_costs(costs: Costs) -> Self {
        Self::with(costs)
    }

    /// The recorded costs of the best backend of this processor. A message has two blocks in addition to those of its additional
    /// data and of its text.
    #[inline]
    pub fn costs() -> Costs {
        recorded(ManyEngine::best(()).info())
    }
}

#[inline]
pub(super) fn recorded(many: &Info) -> Costs {
    // A block waits for the ten rounds of the one before.
    Costs { one: 10 * tuning::row().aes_latency + 1, step: many.cycles, start: many.start }
}

/// A cheap check with the recorded costs: the length in bytes that one message must have for a batch of that size to use lanes.
#[inline]
pub(super) fn pays(many: &Info, costs: &Costs, messages: &[Message<'_>]) -> bool {
    const NEVER: usize = usize::MAX;
    const LEAST: [usize; 9] = [NEVER, NEVER, 192, 96, 64, 88, 64, 48, 32];
    const LEAST_QUICK: [usize; 9] = [NEVER, NEVER, 288, 192, 160, 112, 96, 80, 80];
    let least = if quick_alone() { &LEAST_QUICK } else { &LEAST };
    let least = least[messages.len().min(8)];
    let long = messages.iter().any(|message| message.text.len() >= least);
    many.lanes > 1 && (long || messages.len() > 1 && *costs != recorded(many))
}

/// The messages that are faster in lanes. The last group, if it is not full, may be serial.
#[inline(never)]
pub(super) fn worth(many: &Info, costs: &Costs, messages: &[Message<'_>], of: u64) -> u64 {
    let (mut sum, mut most) = (0, 0);
    for i in bits(of) {
        let Message { aad, text, .. } = &messages[i];
        let blocks = 2 + aad.len() as u64 / 16 + text.len() as u64 / 16;
        sum += blocks;
        most = blocks.max(most);
    }
    let (lanes, count) = (many.lanes.max(1) as u64, u64::from(of.count_ones()));
    let [one, step, start] = [costs.one, costs.step, costs.start].map(u64::from);
    let cost = |count, blocks| {
        // With at least half of the lanes empty, blocks are bound by latency only.
        let step = if 2 * count <= lanes { step.min(one + AFTER) } else { step };
        start + MESSAGE * count + step * blocks
    };
    let (mean, rest) = (sum / count.max(1), count % lanes);
    let whole = count - rest;
    if whole > 0 && rest > 0 && cost(rest, mean) > rest * alone(mean, one) {
        return worth(many, costs, messages, first_bits(of, whole));
    }
    let groups = count.div_ceil(lanes);
    // Without the longest message: others may end long before it.
    let beside = groups.saturating_sub(1) * mean + most;
    let side_by_side = cost(count, beside) + start * groups.saturating_sub(1);
    if side_by_side <= count * alone(mean, one) { of } else { 0 }
}

/// The cost of a serial message with that many blocks, in cycles. A short one overlaps with the next.
fn alone(blocks: u64, one: u64) -> u64 {
    let (before, beside) = if quick_alone() { (6, 16) } else { (18, 25) };
    (before + beside * blocks).max((one * blocks).saturating_sub(tuning::row().ccm_overlap))
}

/// Whether serial short messages are fast, as on Intel's processors, where a round has a latency of three cycles.
#[inline]
fn quick_alone() -> bool {
    tuning::row().aes_latency < 4
}

/// Additional latency of a block in lanes.
const AFTER: u64 = 2;

/// The overhead of a message in lanes.
const MESSAGE: u64 = 55;

/// The first `count` of the bits that are set.
fn first_bits(of: u64, count: u64) -> u64 {
    bits(of).take(count as usize).fold(0, |first, bit| first | 1 << bit)
}
