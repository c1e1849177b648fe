//! Many messages side by side.

use super::{Key, ManyEngine};
use crate::{
    aes::RoundKeys,
    backend::Info,
    many::groups,
    sealing::{
        collected::collected,
        many::{bits, sealing_many},
    },
};

sealing_many! { past "[`longest_text`](super::longest_text)", "unless the nonce has 7 to 13 bytes" }

#[cfg(feature = "many")]
collected! {}

impl groups::Key for Key {
    #[inline]
    fn round_keys(&self) -> Option<&RoundKeys> {
        self.0.engine.round_keys()
    }
}

/// At a glance: so few messages are not worth lanes unless one of them has so many bytes.
#[inline]
fn pays(many: &Info, messages: &[Message<'_>]) -> bool {
    const LEAST: [usize; 8] = [usize::MAX, usize::MAX, 192, 96, 64, 88, 64, 48];
    let least = LEAST.get(messages.len()).copied().unwrap_or(32);
    many.lanes > 1 && messages.iter().any(|message| message.text.len() >= least)
}

/// Which of them are worth lanes. What is left of them in a group that is not full may not be.
#[inline(never)]
fn worth(many: &Info, messages: &[Message<'_>], of: u64) -> u64 {
    let (mut sum, mut most) = (0, 0);
    for i in bits(of) {
        let Message { aad, text, .. } = &messages[i];
        let blocks = 2 + aad.len() as u64 / 16 + text.len() as u64 / 16;
        sum += blocks;
        most = blocks.max(most);
    }
    let (lanes, count) = (many.lanes.max(1) as u64, u64::from(of.count_ones()));
    let cost =
        |count, blocks| u64::from(many.start) + MESSAGE * count + u64::from(many.cycles) * blocks;
    let (mean, rest) = (sum / count.max(1), count % lanes);
    let whole = count - rest;
    if whole > 0 && rest > 0 && cost(rest, mean) > rest * alone(mean) {
        return worth(many, messages, first_bits(of, whole));
    }
    let groups = count.div_ceil(lanes);
    // Without the longest message, which the others may end long before.
    let beside = groups.saturating_sub(1) * mean + most;
    let side_by_side = cost(count, beside) + u64::from(many.start) * groups.saturating_sub(1);
    if side_by_side <= count * alone(mean) { of } else { 0 }
}

/// A message of so many blocks by itself, in cycles.
fn alone(blocks: u64) -> u64 {
    (18 + 25 * blocks).max((41 * blocks).saturating_sub(70))
}

/// A message in lanes, besides its blocks.
const MESSAGE: u64 = 55;

/// The first so many bits of those that are set.
fn first_bits(of: u64, count: u64) -> u64 {
    bits(of).take(count as usize).fold(0, |first, bit| first | 1 << bit)
}
