//! Many messages side by side.

use super::{Key, ManyEngine};
use crate::{
    backend::Info,
    sealing::{collected::collected, many::sealing_many},
};

sealing_many! { past "[`LONGEST_TEXT`](super::LONGEST_TEXT)", "with an empty nonce" }

collected! {}

fn lanes(_: &Info, _: bool, _: &[Message<'_>], _: u64) -> u64 {
    0
}
