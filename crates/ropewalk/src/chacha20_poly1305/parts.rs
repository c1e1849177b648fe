//! ChaCha20-Poly1305 of its parts, whoever makes these.

use super::Nonce;
use crate::{
    poly1305::{Block, Plain, State},
    secret::Wiped,
    text::Text,
};

/// What a message is made of.
pub(super) trait Parts {
    /// Adds the key stream, from the block of that counter on, to the text.
    fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>);

    /// Absorbs whole blocks.
    fn absorb(&self, state: &mut State, blocks: &[Block]);
}

/// So much of a text is encrypted before it is authenticated, or the other way round: it does not
/// leave the nearest cache in between.
const PIECE: usize = 1 << 13;

#[inline(always)]
pub(super) fn seal(
    parts: &impl Parts,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    let len = text.len();
    let mut state = begin(parts, nonce, aad);
    let mut counter = 1;
    while text.len() > 0 {
        let mut piece = text.take(PIECE);
        parts.apply(counter, nonce, piece.reborrow());
        absorb_filled(parts, &mut state, piece.output());
        counter = counter.wrapping_add((PIECE / 64) as u32);
    }
    *tag = end(&mut state, aad.len(), len);
}

#[inline(always)]
pub(super) fn open(
    parts: &impl Parts,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    let len = text.len();
    let mut state = begin(parts, nonce, aad);
    let mut counter = 1;
    while text.len() > 0 {
        let piece = text.take(PIECE);
        absorb_filled(parts, &mut state, piece.input());
        parts.apply(counter, nonce, piece);
        counter = counter.wrapping_add((PIECE / 64) as u32);
    }
    *tag = end(&mut state, aad.len(), len);
}

/// The key of Poly1305 (section 2.6), and what is not encrypted.
#[inline(always)]
fn begin(parts: &impl Parts, nonce: &Nonce, aad: &[u8]) -> Wiped<State> {
    let mut key = Wiped::new([0; 32]);
    parts.apply(0, nonce, Text::in_place(&mut *key));
    let mut state = Wiped::new(State::new(&key));
    absorb_filled(parts, &mut state, aad);
    state
}

#[inline(always)]
fn absorb_filled(parts: &impl Parts, state: &mut State, data: &[u8]) {
    let (blocks, rest) = data.as_chunks();
    parts.absorb(state, blocks);
    state.absorb_filled::<Plain>(rest);
}

/// The lengths, and the tag.
#[inline(always)]
fn end(state: &mut State, aad_len: usize, text_len: usize) -> Block {
    state.absorb_number::<Plain>(aad_len as u128 | (text_len as u128) << 64);
    state.tag::<Plain>()
}
