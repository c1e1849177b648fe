//! Hash functions that leave execution slots for other instructions.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use super::merkle_damgard::{Compress, CompressionFunction};
use crate::core::beside::Beside;

/// A backend whose rounds leave execution slots for other instructions.
pub(crate) trait Interleaved<C: CompressionFunction>: Compress<C> {
    /// Blocks that are absorbed at once.
    const BLOCKS: usize;
    /// Whether a block takes less time than the instructions that are interleaved with it.
    const SHORT: bool = false;
    /// Whether its rounds use general registers: they then leave no unit idle that decryption could use.
    const ON_WORDS: bool = false;
    /// The state, in the layout of the rounds.
    type Running;
    /// The words of that many blocks, in the layout of the rounds.
    type Words;

    fn enter(&self, state: &C::State) -> Self::Running;
    fn leave(&self, running: &Self::Running, state: &mut C::State);
    /// The first blocks of a text that has them.
    fn words(&self, text: &[u8]) -> Self::Words;
    /// Absorbs them. The parts of the interleaved work come in order, a multiple of four of them for each block.
    fn rounds(&self, running: &mut Self::Running, words: Self::Words, beside: &mut impl Beside);
}
