//! ChaCha20-Poly1305 from its two parts, for any implementation of these.

use super::Nonce;
#[cfg(target_arch = "x86_64")]
use crate::chacha::poly1305::bulk::Kept;
use crate::{
    aeads::stream::Way,
    chacha::poly1305::{Block, Plain, State},
    core::{secret::Wiped, text::Text},
};

/// The two parts.
pub(crate) trait CipherAndMac: Send + Sync {
    /// XORs the key stream, from the block of that counter on, into the text.
    fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>);

    /// Absorbs whole blocks.
    fn absorb(&self, state: &mut State, blocks: &[Block]);

    /// The same for a message in chunks.
    #[cfg(target_arch = "x86_64")]
    fn absorb_piece(&self, state: &mut State, _: &mut Kept, blocks: &[Block]) {
        self.absorb(state, blocks);
    }
}

/// Bytes that are encrypted before they are authenticated, or the reverse: few enough to stay in the L1 cache in between.
const PIECE: usize = 1 << 13;

/// The state of a message in chunks.
#[derive(Clone)]
pub struct Place {
    pub(super) nonce: Nonce,
    /// Blocks of the text so far.
    pub(super) blocks: u32,
    pub(super) mac: State,
    #[cfg(target_arch = "x86_64")]
    kept: Kept,
}

impl Place {
    /// The state before the text.
    #[inline]
    pub(super) fn new(nonce: &Nonce, mac: State) -> Self {
        Self {
            nonce: *nonce,
            blocks: 0,
            mac,
            #[cfg(target_arch = "x86_64")]
            kept: Kept::NOTHING,
        }
    }

    /// Absorbs whole blocks.
    #[inline]
    fn absorb(&mut self, parts: &(impl CipherAndMac + ?Sized), data: &[u8]) {
        let blocks = data.as_chunks().0;
        #[cfg(target_arch = "x86_64")]
        parts.absorb_piece(&mut self.mac, &mut self.kept, blocks);
        #[cfg(not(target_arch = "x86_64"))]
        parts.absorb(&mut self.mac, blocks);
    }

    /// XORs the next blocks of the key stream into the text, the last of which may be short.
    #[inline]
    pub(super) fn apply(&mut self, parts: &(impl CipherAndMac + ?Sized), text: Text<'_>) {
        // The first block was the key of Poly1305.
        let counter = self.blocks.wrapping_add(1);
        self.blocks = self.blocks.wrapping_add(text.len().div_ceil(64) as u32);
        parts.apply(counter, &self.nonce, text);
    }
}

/// Whole blocks of such a message. Not inlined: one function serves both directions.
#[inline(never)]
pub(super) fn piece(
    parts: &(impl CipherAndMac + ?Sized),
    place: &mut Place,
    text: &mut Text<'_>,
    way: Way,
) {
    while text.len() > 0 {
        let mut piece = text.take(PIECE);
        if way == Way::Open {
            place.absorb(parts, piece.input());
        }
        place.apply(parts, piece.reborrow());
        if way == Way::Seal {
            place.absorb(parts, piece.output());
        }
    }
}

#[inline(always)]
pub(super) fn seal(
    parts: &impl CipherAndMac,
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
    *tag = end(&mut state, aad.len() as u64, len as u64);
}

#[inline(always)]
pub(super) fn open(
    parts: &impl CipherAndMac,
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
    *tag = end(&mut state, aad.len() as u64, len as u64);
}

/// Derives the key of Poly1305 (section 2.6), and absorbs the additional data.
#[inline(always)]
pub(super) fn begin(
    parts: &(impl CipherAndMac + ?Sized),
    nonce: &Nonce,
    aad: &[u8],
) -> Wiped<State> {
    let mut key = Wiped::new([0; 32]);
    parts.apply(0, nonce, Text::in_place(&mut *key));
    let mut state = Wiped::new(State::new(&key));
    absorb_filled(parts, &mut state, aad);
    state
}

/// Absorbs blocks; the last one is padded with zeros.
#[inline(always)]
pub(super) fn absorb_filled(parts: &(impl CipherAndMac + ?Sized), state: &mut State, data: &[u8]) {
    let (blocks, rest) = data.as_chunks();
    if !blocks.is_empty() {
        parts.absorb(state, blocks);
    }
    state.absorb_filled::<Plain>(rest);
}

/// Absorbs the lengths; returns the tag.
#[inline(always)]
pub(super) fn end(state: &mut State, aad_len: u64, text_len: u64) -> Block {
    state.absorb_number::<Plain>(u128::from(aad_len) | u128::from(text_len) << 64);
    state.tag::<Plain>()
}
