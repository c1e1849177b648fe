//! Poly1305 of chunks of any length, for callers with other work between them.

#[cfg(target_arch = "x86_64")]
pub(crate) use super::lanes::Kept;
#[cfg(target_arch = "x86_64")]
use super::{Block, KEY_LEN, lanes::PolyLanes, x86_64::bmi2};
use super::{Carried, State};
use crate::core::beside::Beside;
#[cfg(target_arch = "x86_64")]
use crate::core::secret::Wiped;

/// Absorbs as many blocks at a time as there are lanes, if there are enough.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct InLanes<F: PolyLanes<L>, const L: usize>(pub(crate) F::Cpu);

#[cfg(target_arch = "x86_64")]
impl<F: PolyLanes<L>, const L: usize> InLanes<F, L> {
    /// Absorbs blocks; the last one is padded with zeros. Powers of r, which are secret, are kept from one chunk of a message to
    /// the next.
    #[cfg(feature = "chacha20-poly1305")]
    #[inline(always)]
    pub(crate) fn absorb_filled(self, kept: &mut Kept, state: &mut State, data: &[u8]) {
        let (blocks, mut rest) = data.as_chunks();
        if blocks.len() < F::ENOUGH {
            rest = data;
        } else {
            F::absorb(self.0, kept, &mut state.h, state.r, blocks);
        }
        if !rest.is_empty() {
            state.absorb_many::<Carried>(rest);
        }
    }

    /// Absorbs whole blocks of a message in chunks.
    #[cfg(feature = "chacha20-poly1305")]
    #[inline(always)]
    pub(crate) fn absorb_piece(self, state: &mut State, kept: &mut Kept, blocks: &[Block]) {
        if kept.pays::<F, L>(blocks.len()) {
            F::absorb(self.0, kept, &mut state.h, state.r, blocks);
        } else {
            state.absorb_many::<Carried>(blocks.as_flattened());
        }
    }

    /// Absorbs whole blocks, without keeping powers.
    #[inline(always)]
    pub(crate) fn absorb_once(self, state: &mut State, blocks: &[Block]) {
        let State { h, r, .. } = state;
        if blocks.len() < F::ENOUGH {
            bmi2::absorb(self.0.into(), h, *r, blocks);
        } else {
            F::absorb(self.0, &mut Wiped::new(Kept::NOTHING), h, *r, blocks);
        }
    }

    /// The tag of a whole message.
    #[inline(always)]
    pub(crate) fn mac(self, key: &[u8; KEY_LEN], message: &[u8], tag: &mut Block) {
        if message.len() < 16 * F::ENOUGH {
            return bmi2::mac(self.0.into(), key, message, tag);
        }
        let mut state = Wiped::new(State::new(key));
        let (blocks, rest) = message.as_chunks();
        self.absorb_once(&mut state, blocks);
        bmi2::end(self.0.into(), &mut state, rest, tag);
    }
}

/// Blocks that are absorbed one by one, interleaved with the rounds of `L` blocks of ChaCha20: at most four times as many.
pub(crate) struct Absorbing<'a, const L: usize> {
    state: &'a mut State,
    left: &'a [u8],
}

impl<'a, const L: usize> Absorbing<'a, L> {
    #[inline(always)]
    pub(crate) fn new(state: &'a mut State, data: &'a [u8]) -> Self {
        Self { state, left: data }
    }

    /// Absorbs the rest, which may end with a partial block, padded with zeros.
    #[inline(always)]
    pub(crate) fn all(self) {
        if !self.left.is_empty() {
            self.state.absorb_many::<Carried>(self.left);
        }
    }
}

impl<const L: usize> Beside for Absorbing<'_, L> {
    /// There are forty parts.
    #[inline(always)]
    fn part(&mut self, i: usize, _: usize) {
        let here = if L > 4 { i % 4 != 3 } else { i.is_multiple_of(2) };
        if here && let Some((block, left)) = self.left.split_first_chunk() {
            self.left = left;
            self.state.absorb_number::<Carried>(u128::from_le_bytes(*block));
        }
    }
}
