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
    let quick = four && quick_alone();
    let few = messages.len() < LEAST;
    if many.lanes < 2 || messages.len() < if four { LEAST_ALIKE } else { LEAST } || few && quick {
        return false;
    }
    if few {
        let blocks = |message: &Message<'_>| message.text.len().div_ceil(16);
        let all = blocks(&messages[0]);
        return all <= 3 && messages.iter().all(|message| blocks(message) == all);
    }
    let one_key = messages.iter().all(|message| core::ptr::eq(message.key, messages[0].key));
    let lengths = match (quick, four && one_key) {
        // measured: seal_many of 64 with one key, 17 to 48 bytes .88 to .97 of one by one, others 1.05 to 1.4
        (true, false) => return false,
        (true, true) => 17..=48,
        (false, true) => 0..=112,
        (false, false) => 0..=64,
    };
    let short = messages.iter().filter(|message| lengths.contains(&message.text.len())).count();
    short >= LEAST && 2 * short >= messages.len()
}

/// Whether one message of a block, or of four, takes as few cycles as one of four lanes does: where 512 bits are whole.
#[inline]
fn quick_alone() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !crate::cpu::halves_of_512();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Which of them go together, only a backend knows.
#[inline]
fn worth(_: &Info, _: &Costs, _: &[Message<'_>], of: u64) -> u64 {
    of
}
