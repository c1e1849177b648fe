//! Hash functions whose rounds leave room for something else.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use super::merkle_damgard::{Compress, CompressionFunction};
use crate::core::beside::Beside;

/// A backend whose rounds leave room for other instructions.
pub(crate) trait Interleaved<C: CompressionFunction>: Compress<C> {
    /// Blocks that are absorbed at once.
    const BLOCKS: usize;
    /// Whether a block takes less time than the instructions that are interleaved with it.
    const SHORT: bool = false;
    /// Whether its rounds are on words: they leave no unit idle that decrypting could have.
    const ON_WORDS: bool = false;
    /// The state, where rounds have it.
    type Running;
    /// As many blocks, as rounds take them.
    type Words;

    fn enter(&self, state: &C::State) -> Self::Running;
    fn leave(&self, running: &Self::Running, state: &mut C::State);
    /// The first blocks of a text that has them.
    fn words(&self, text: &[u8]) -> Self::Words;
    /// Absorbs them; the parts of the other instructions come in order, a multiple of four of them with each block.
    fn rounds(&self, running: &mut Self::Running, words: Self::Words, beside: &mut impl Beside);
}
