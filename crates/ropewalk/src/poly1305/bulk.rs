//! Poly1305 of what is in pieces of any length, for those who have more to do with them.

#[cfg(target_arch = "x86_64")]
use super::lanes::{Lanes, Powers};
use super::{Block, State};
#[cfg(target_arch = "x86_64")]
use crate::secret::Wiped;

/// What absorbs whole blocks, and keeps for the next time what it has to know for that.
pub(crate) trait Bulk {
    fn absorb(&mut self, state: &mut State, blocks: &[Block]);

    /// The same for the last time, so that there is nothing to keep.
    fn absorb_once(&self, state: &mut State, blocks: &[Block]);

    /// Absorbs blocks, the last of which is filled up with zeros.
    #[inline(always)]
    fn absorb_filled(&mut self, state: &mut State, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        self.absorb(state, blocks);
        state.absorb_filled(rest);
    }

    #[inline(always)]
    fn absorb_filled_once(&self, state: &mut State, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        self.absorb_once(state, blocks);
        state.absorb_filled(rest);
    }
}

/// One block at a time.
#[cfg(target_arch = "aarch64")]
pub(crate) struct OneByOne;

#[cfg(target_arch = "aarch64")]
impl Bulk for OneByOne {
    #[inline(always)]
    fn absorb(&mut self, state: &mut State, blocks: &[Block]) {
        state.absorb(blocks);
    }

    #[inline(always)]
    fn absorb_once(&self, state: &mut State, blocks: &[Block]) {
        state.absorb(blocks);
    }
}

/// As many blocks at a time as there are lanes, where there are enough.
#[cfg(target_arch = "x86_64")]
pub(crate) struct InLanes<F: Lanes<L>, const L: usize> {
    cpu: F::Cpu,
    powers: Wiped<Option<Powers<F, L>>>,
}

#[cfg(target_arch = "x86_64")]
impl<F: Lanes<L>, const L: usize> InLanes<F, L> {
    #[inline(always)]
    pub(crate) fn new(cpu: F::Cpu) -> Self {
        Self { cpu, powers: Wiped::new(None) }
    }
}

#[cfg(target_arch = "x86_64")]
impl<F: Lanes<L>, const L: usize> Bulk for InLanes<F, L> {
    #[inline(always)]
    fn absorb(&mut self, state: &mut State, blocks: &[Block]) {
        // Below, powers cost more than lanes save.
        if blocks.len() < ENOUGH {
            state.absorb(blocks);
        } else {
            F::absorb(self.cpu, &mut self.powers, state, blocks);
        }
    }

    #[inline(always)]
    fn absorb_once(&self, state: &mut State, blocks: &[Block]) {
        if blocks.len() < ENOUGH {
            state.absorb(blocks);
        } else {
            // What is lent is in memory, and would be there for whoever has few blocks.
            let mut lent = Wiped::new(*state);
            F::absorb_few(self.cpu, &mut lent, blocks);
            state.h = lent.h;
        }
    }
}

/// So many blocks are worth their powers.
#[cfg(target_arch = "x86_64")]
const ENOUGH: usize = 16;
