//! AES-CTR in plain Rust: the model every other backend is tested against.

use super::{
    Block, Counter, Ctr32, CtrRekey, Secret,
    many::{CtrMany, Message},
};
use crate::{
    aes::bitsliced::SlicedKeys,
    core::{cpu::Baseline, text::Text},
};

pub(super) struct Portable {
    keys: SlicedKeys,
}

impl Ctr32 for Portable {
    fn apply(&self, counter: &Block, text: Text<'_>) {
        self.keys.ctr(counter, text);
    }
}

impl CtrRekey for Portable {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(Baseline, secret);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        Self { keys: SlicedKeys::expand(secret) }
    }
}

/// Serial processing: each message by the backend of its key.
pub(super) struct OneByOne;

impl OneByOne {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

impl CtrMany for OneByOne {
    fn apply_many(&self, counter: Counter, messages: &mut [Message<'_>]) {
        for message in messages {
            message.alone(counter);
        }
    }
}
