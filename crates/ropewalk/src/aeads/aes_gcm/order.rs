//! Grouping of the messages of a batch for lanes.

use super::{Key, lanes::LONGEST_AAD, many::Message};
use crate::aeads::many::{GROUP, bits};

/// Messages sorted such that those of one shape, which is the number of rounds and of blocks of text, are neighbours. Messages
/// that do not suit lanes go to `one_by_one`.
pub(super) struct Order {
    /// The shape of all messages; `list` is then empty.
    shape: Option<u16>,
    /// The shape of each, and its index in six bits.
    list: [u16; GROUP],
    len: usize,
}

impl Order {
    #[inline(always)]
    pub(super) fn new(
        chosen: u64,
        messages: &mut [Message<'_>],
        longest: usize,
        rounds: impl Fn(&Key) -> Option<usize>,
        one_by_one: impl FnMut(&mut Message<'_>, usize),
    ) -> Self {
        let len = messages.len();
        let shape = |message: &Message<'_>| shape_of(message, longest, &rounds);
        let mut order = Self { shape: None, list: [0; GROUP], len };
        // The common case.
        if let Some(first) = messages.first().and_then(shape)
            && chosen.count_ones() as usize == len
            && messages[1..].iter().all(|message| shape(message) == Some(first))
        {
            order.shape = Some(first);
            return order;
        }
        order.arrange(chosen, messages, shape, one_by_one);
        order
    }

    #[inline(always)]
    fn arrange(
        &mut self,
        chosen: u64,
        messages: &mut [Message<'_>],
        shape: impl Fn(&Message<'_>) -> Option<u16>,
        mut one_by_one: impl FnMut(&mut Message<'_>, usize),
    ) {
        let (mut len, mut left) = (0, 0);
        for i in bits(chosen) {
            let Some(shape) = shape(&messages[i]) else {
                left |= 1 << i;
                continue;
            };
            self.list[len % GROUP] = shape | (i % GROUP) as u16;
            len += 1;
        }
        for i in bits(left) {
            one_by_one(&mut messages[i], i);
        }
        self.len = len;
        self.sort();
    }

    #[inline(never)]
    fn sort(&mut self) {
        self.list[..self.len.min(GROUP)].sort_unstable();
    }

    /// The next messages of one shape; `at` moves behind them.
    #[inline(always)]
    pub(super) fn next<const N: usize>(&self, at: &mut usize) -> Option<Alike> {
        let left = self.len.checked_sub(*at).filter(|left| *left > 0)?;
        let entry = |i: usize| match self.shape {
            Some(shape) => shape | (i % GROUP) as u16,
            None => self.list[i % GROUP],
        };
        let first = entry(*at);
        let (mut last, mut numbers, mut count) = (first, u64::from(first % 64), 1);
        for lane in 1..N {
            if lane < left && entry(*at + lane) / 64 == first / 64 {
                last = entry(*at + lane);
                count += 1;
            }
            numbers |= u64::from(last % 64) << (8 * lane);
        }
        *at += count;
        Some(Alike { blocks: usize::from(first / 64 % 256), numbers, count })
    }
}

/// The number of rounds and of blocks of text, above six zero bits, if the message suits lanes.
#[inline(always)]
fn shape_of(
    message: &Message<'_>,
    longest: usize,
    rounds: impl Fn(&Key) -> Option<usize>,
) -> Option<u16> {
    let Message { key, nonce, aad, text } = message;
    let fits = nonce.len() == 12 && aad.len() <= LONGEST_AAD && text.len() <= longest;
    let rounds = rounds(key).filter(|_| fits)?;
    Some((((rounds - 10) / 2 % 4) << 14 | (text.len().div_ceil(16) % 256) << 6) as u16)
}

/// Messages of one shape, at most as many as there are lanes.
pub(super) struct Alike {
    /// Blocks of each text.
    pub(super) blocks: usize,
    /// A byte for each lane. A lane without a message repeats the one before it.
    pub(super) numbers: u64,
    pub(super) count: usize,
}

impl Alike {
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.numbers
            .to_le_bytes()
            .into_iter()
            .take(self.count)
            .map(|number| usize::from(number) % GROUP)
    }
}
