//! Poly1305 in words of 64 bits, with products that preserve flags.

use super::super::{
    Block, Carried, KEY_LEN, Mac, State,
    state::{self, Number},
};
use crate::core::{cpu::Bmi2 as Cpu, secret::Wiped};

#[derive(Clone)]
pub(in crate::chacha::poly1305) struct Bmi2 {
    cpu: Cpu,
}

impl Mac for Bmi2 {
    type Carries = Carried;

    kernel! { Bmi2: fn absorb(&self, state: &mut State, blocks: &[Block]) = Bmi2::absorb_kernel }

    #[inline(always)]
    fn mac(&self, key: &[u8; KEY_LEN], message: &[u8], tag: &mut Block) {
        mac(self.cpu, key, message, tag);
    }
}

impl Bmi2 {
    pub(in crate::chacha::poly1305) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "bmi1,bmi2")]
    fn absorb_kernel(&self, state: &mut State, blocks: &[Block]) {
        absorb(self.cpu, &mut state.h, state.r, blocks);
    }
}

/// Absorbs whole blocks. Out of line, for backends with lanes that have a few blocks left.
#[inline(always)]
pub(in crate::chacha::poly1305) fn absorb(cpu: Cpu, h: &mut Number, r: [u64; 2], blocks: &[Block]) {
    if blocks.is_empty() {
        return;
    }
    proven!(Bmi2: cpu, once fn enter(h: &mut Number, r: [u64; 2], blocks: &[Block]) -> () {
        *h = state::absorb::<Carried>(*h, r, blocks);
    });
}

/// The tag of a whole message. Out of line too, for short messages in backends with lanes.
#[inline(always)]
pub(in crate::chacha::poly1305) fn mac(
    cpu: Cpu,
    key: &[u8; KEY_LEN],
    message: &[u8],
    tag: &mut Block,
) {
    proven!(Bmi2: cpu, once fn enter(key: &[u8; KEY_LEN], message: &[u8], tag: &mut Block) -> () {
        let mut state = Wiped::new(State::new(key));
        let (blocks, rest) = message.as_chunks();
        state.absorb::<Carried>(blocks);
        state.absorb_last::<Carried>(rest);
        *tag = state.tag::<Carried>();
    });
}

/// The tag after the rest of a message, less than a block.
#[inline(always)]
pub(in crate::chacha::poly1305) fn end(cpu: Cpu, state: &mut State, rest: &[u8], tag: &mut Block) {
    proven!(Bmi2: cpu, once fn enter(state: &mut State, rest: &[u8], tag: &mut Block) -> () {
        state.absorb_last::<Carried>(rest);
        *tag = state.tag::<Carried>();
    });
}
