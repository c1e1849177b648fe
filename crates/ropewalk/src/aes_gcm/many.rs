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

/// From so many messages on, lanes pay for what they cost to fill.
const LEAST: usize = 12;

/// Up to so many bytes, one message does not keep the processor busy.
const SHORT: usize = 64;

/// Whether enough messages are short. One by one, others take as long as they do without being asked.
#[inline]
fn pays(many: &Info, _: &Costs, messages: &[Message<'_>]) -> bool {
    if many.lanes < 2 || messages.len() < LEAST {
        return false;
    }
    let short = messages.iter().filter(|message| message.text.len() <= SHORT).count();
    short >= LEAST && 2 * short >= messages.len()
}

/// Which of them go together, only a backend knows.
#[inline]
fn worth(_: &Info, _: &Costs, _: &[Message<'_>], of: u64) -> u64 {
    of
}
