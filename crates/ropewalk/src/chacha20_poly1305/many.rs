//! Many messages side by side.

use super::{Key, ManyEngine};
use crate::{
    backend::{Costs, Info},
    many::bits_of,
    sealing::{collected::collected, many::sealing_many},
};

sealing_many! { past "[`LONGEST_TEXT`](super::LONGEST_TEXT)", "unless the nonce has 12 bytes" }

#[cfg(feature = "many")]
collected! {}

/// What one by one costs is known by the lanes of a backend (`Cost`).
#[inline]
fn recorded(many: &Info) -> Costs {
    Costs { one: 0, step: many.cycles, start: many.start }
}

#[inline]
fn pays(many: &Info, _: &Costs, messages: &[Message<'_>]) -> bool {
    let any_long = || bits_of(messages.iter().map(|message| message.text.len())) >= LONG;
    many.lanes > 1 && !few(messages.len()) && (messages.len() >= FEWEST_SHORT || any_long())
}

#[inline]
fn few(count: usize) -> bool {
    count < FEWEST
}

/// So few do not fill as many lanes as pay, and to find that out costs short ones too much.
const FEWEST: usize = 4;
const FEWEST_SHORT: usize = 6;
const LONG: usize = 128;

/// Which of them are worth lanes.
#[inline(never)]
fn worth(many: &Info, costs: &Costs, messages: &[Message<'_>], right: u64) -> u64 {
    let Some(cost) = Cost::of(many, costs) else { return 0 };
    let blocks = |message: &Message<'_>| message.text.len().div_ceil(64);
    let (mut chosen, mut used) = (0_u64, 0);
    for (i, message) in messages.iter().enumerate() {
        let blocks = blocks(message);
        if blocks <= cost.longest && right >> i & 1 == 1 {
            chosen |= 1 << i;
            used += 1 + blocks;
        }
    }
    // Without the last messages, if what is left of them in the last step costs more than they do alone.
    let (mut fewer, mut fewer_used) = (chosen, used);
    let whole = used & !(cost.lanes - 1);
    while fewer_used > whole && fewer != 0 {
        let last = fewer.ilog2() as usize;
        fewer &= !(1 << last);
        fewer_used -= 1 + messages.get(last).map_or(0, blocks);
    }
    let cheaper = cost.side_by_side(fewer, fewer_used)
        + cost.alone(chosen & !fewer, used - fewer_used)
        < cost.side_by_side(chosen, used);
    if cheaper {
        (chosen, used) = (fewer, fewer_used);
    }
    if cost.side_by_side(chosen, used) < cost.alone(chosen, used) / 32 * 31 { chosen } else { 0 }
}

/// What messages cost, in cycles.
struct Cost {
    /// A power of two.
    lanes: usize,
    /// As many blocks as there are lanes.
    step: usize,
    start: usize,
    /// A message that is not longer alone, and each of its blocks.
    alone: [usize; 2],
    /// Blocks of text up to which lanes are cheaper.
    longest: usize,
}

impl Cost {
    /// A message in lanes, besides its blocks.
    const MESSAGE: usize = 40;

    fn of(many: &Info, costs: &Costs) -> Option<Self> {
        let (alone, longest) = match many.lanes {
            16 => ([240, 70], 16),
            8 => ([345, 92], 18),
            4 => ([250, 240], 5),
            _ => return None,
        };
        let (step, start) = (costs.step as usize, costs.start as usize);
        Some(Self { lanes: many.lanes, step, start, alone, longest })
    }

    /// Those messages, which have so many blocks with those that are keys.
    fn side_by_side(&self, messages: u64, blocks: usize) -> usize {
        let steps = (blocks + self.lanes - 1) >> self.lanes.trailing_zeros();
        self.start + self.step * steps + Self::MESSAGE * messages.count_ones() as usize
    }

    /// The same one by one.
    fn alone(&self, messages: u64, blocks: usize) -> usize {
        let messages = messages.count_ones() as usize;
        self.alone[0] * messages + self.alone[1] * (blocks - messages)
    }
}
