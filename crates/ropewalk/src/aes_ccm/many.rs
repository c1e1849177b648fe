//! Many messages side by side.

use super::{Key, ManyEngine};
use crate::{
    aes::RoundKeys,
    backend::Info,
    many::groups,
    sealing::{collected::collected, many::sealing_many},
};

sealing_many! { past "[`longest_text`](super::longest_text)", "unless the nonce has 7 to 13 bytes" }

collected! {}

impl groups::Key for Key {
    #[inline]
    fn round_keys(&self) -> Option<&RoundKeys> {
        self.0.engine.round_keys()
    }
}

#[inline]
fn pays(many: &Info, messages: &[Message<'_>]) -> bool {
    many.lanes > 1 && messages.len() >= 2
}

#[inline]
fn worth(_: &Info, _: &[Message<'_>], of: u64) -> u64 {
    of
}
