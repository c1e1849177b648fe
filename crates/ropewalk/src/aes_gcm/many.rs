//! Many messages side by side.

use super::{Key, ManyEngine};
use crate::{
    backend::{Costs, Info},
    sealing::{collected::collected, many::sealing_many},
};

sealing_many! { past "[`LONGEST_TEXT`](super::LONGEST_TEXT)", "with an empty nonce" }

#[cfg(feature = "many")]
collected! {}

/// Nothing asks.
#[inline]
fn recorded(_: &Info) -> Costs {
    Costs { one: 0, step: 0, start: 0 }
}

/// From so many messages on, lanes pay for what they cost to find out which go together. Fewer are asked whether they all do.
const LEAST: usize = 12;
const LEAST_ALIKE: usize = 4;

/// Whether enough messages are so short that one does not keep the processor busy. One by one, others take as long as they do
/// without being asked.
#[inline]
fn pays(many: &Info, _: &Costs, messages: &[Message<'_>]) -> bool {
    // On 256 bits a key's own vectors are as wide as lanes.
    let four = many.lanes > 2;
    if many.lanes < 2 || messages.len() < if four { LEAST_ALIKE } else { LEAST } {
        return false;
    }
    if messages.len() < LEAST {
        let blocks = |message: &Message<'_>| message.text.len().div_ceil(16);
        let all = blocks(&messages[0]);
        return all <= 3 && messages.iter().all(|message| blocks(message) == all);
    }
    let one_key = || messages.iter().all(|message| core::ptr::eq(message.key, messages[0].key));
    let longest = if four && one_key() { 112 } else { 64 };
    let short = messages.iter().filter(|message| message.text.len() <= longest).count();
    short >= LEAST && 2 * short >= messages.len()
}

/// Which of them go together, only a backend knows.
#[inline]
fn worth(_: &Info, _: &Costs, _: &[Message<'_>], of: u64) -> u64 {
    of
}
