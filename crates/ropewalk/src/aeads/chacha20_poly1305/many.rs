//! Batches of messages.

#[cfg(doc)]
use super::Key;
use super::{Each, ManyEngine};
use crate::{
    aeads::{self, key::ChaCha20Poly1305, many::batch_engine},
    core::{
        Error, InMessage,
        backend::{Costs, Info},
        lengths::bits_of,
        tag::Tag,
    },
};

/// A message of a batch of ChaCha20-Poly1305.
pub type Message<'a> = aeads::many::Message<'a, ChaCha20Poly1305>;

/// Seals and opens many messages of ChaCha20-Poly1305 in a call. Nothing is allocated.
pub type Many = aeads::many::Many<ChaCha20Poly1305>;

/// Seals messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the tag.
#[cfg(feature = "many")]
pub type Seals<M> = aeads::collected::Seals<ChaCha20Poly1305, M>;

/// Opens messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the result of each.
#[cfg(feature = "many")]
pub type Openings<M> = aeads::collected::Openings<ChaCha20Poly1305, M>;

batch_engine! { ManyEngine of ChaCha20Poly1305 }

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

#[inline]
pub(super) fn pays(many: &Info, messages: &[Message<'_>]) -> bool {
    if many.lanes < 2 || few(messages) {
        return false;
    }
    let lens = || bits_of(messages, |message| message.text.len());
    if many.lanes == 16 && quick_alone() {
        // measured: four to seven of 192 to 512 bytes take 0.52 to 1.0 of the serial time
        return messages.len() >= FEWEST_QUICK || messages.len() >= FEWEST_SHORT && lens() < 192;
    }
    messages.len() >= FEWEST_SHORT || lens() >= LONG
}

#[inline]
pub(super) fn few(messages: &[Message<'_>]) -> bool {
    messages.len() < FEWEST
}

/// Smaller batches do not fill enough lanes, and for short messages even the check costs too much.
const FEWEST: usize = 4;
const FEWEST_SHORT: usize = 6;
const FEWEST_QUICK: usize = 8;
const LONG: usize = 128;

/// The messages that are faster in lanes.
#[inline(never)]
pub(super) fn worth(many: &Info, costs: &Costs, messages: &[Message<'_>], right: u64) -> u64 {
    let Some(cost) = Cost::of(many, costs) else { return 0 };
    let blocks = |message: &Message<'_>| message.text.len().div_ceil(64);
    let (mut chosen, mut used, mut alone) = (0_u64, 0, 0);
    for (i, message) in messages.iter().enumerate() {
        let blocks = blocks(message);
        let by_itself = cost.alone(blocks);
        if by_itself != 0 && right >> i & 1 == 1 {
            chosen |= 1 << i;
            used += 1 + blocks;
            alone += by_itself;
        }
    }
    // Without the last messages, if these cost more in a last step than in serial.
    let (mut fewer, mut fewer_used, mut last_alone) = (chosen, used, 0);
    let whole = used & !(cost.lanes - 1);
    while fewer_used > whole && fewer != 0 {
        let last = fewer.ilog2() as usize;
        let blocks = messages.get(last).map_or(0, blocks);
        fewer &= !(1 << last);
        fewer_used -= 1 + blocks;
        last_alone += cost.alone(blocks);
    }
    let mut side_by_side = cost.side_by_side(chosen, used);
    let of_fewer = cost.side_by_side(fewer, fewer_used);
    if of_fewer + last_alone < side_by_side {
        (chosen, side_by_side, alone) = (fewer, of_fewer, alone - last_alone);
    }
    if side_by_side < alone / 32 * 31 { chosen } else { 0 }
}

/// The costs of messages, in cycles.
struct Cost {
    /// A power of two.
    lanes: usize,
    /// The cost of a step: as many blocks as there are lanes.
    step: usize,
    start: usize,
    /// The cost of a block of text after the first of its message, in addition to its share of a step.
    text: usize,
    /// The cost of a serial message by its number of blocks; 0 where lanes are never faster.
    alone: &'static [u16],
}

impl Cost {
    /// The overhead of a message in lanes.
    const MESSAGE: usize = 40;

    fn of(many: &Info, costs: &Costs) -> Option<Self> {
        let (text, alone): (usize, &[u16]) = match many.lanes {
            16 if quick_alone() => (22, &QUICK),
            16 => (0, const { &line::<17>(240, 70) }),
            8 => (0, const { &line::<19>(345, 92) }),
            4 => (0, const { &line::<6>(250, 240) }),
            _ => return None,
        };
        let (step, start) = (costs.step as usize, costs.start as usize);
        Some(Self { lanes: many.lanes, step, start, text, alone })
    }

    /// The cost in lanes of those messages, which have that many blocks, keys included.
    fn side_by_side(&self, messages: u64, blocks: usize) -> usize {
        let steps = (blocks + self.lanes - 1) >> self.lanes.trailing_zeros();
        let messages = messages.count_ones() as usize;
        self.start
            + self.step * steps
            + Self::MESSAGE * messages
            + self.text * blocks.saturating_sub(2 * messages)
    }

    #[inline(always)]
    fn alone(&self, blocks: usize) -> usize {
        self.alone.get(blocks).copied().unwrap_or(0).into()
    }
}

/// A table from the cost of a message, and that of each of its blocks.
const fn line<const N: usize>(message: u16, block: u16) -> [u16; N] {
    let (mut alone, mut blocks) = ([0; N], 0);
    while blocks < N {
        alone[blocks] = message + block * blocks as u16;
        blocks += 1;
    }
    alone
}

/// Measured on Emerald Rapids. Lanes, with 64 messages, took 0.95 to 1.15 times as long where there is a 0.
static QUICK: [u16; 14] = [250, 310, 385, 400, 475, 515, 0, 0, 820, 870, 0, 0, 1080, 1180];

/// Whether a serial message of up to seven blocks keeps its vectors busy: on processors with full-width 512-bit units.
#[inline]
fn quick_alone() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use crate::core::{
            cpu::{Avx512Ifma, Token},
            tuning,
        };
        Avx512Ifma::detect().is_some() && !tuning::row().halves_of_512
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
