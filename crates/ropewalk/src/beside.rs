//! Two algorithms in one stream of instructions: while one waits for itself, the other goes on.

use crate::hash::Function;

/// What goes beside the rounds of a block of a hash function.
pub(crate) trait Beside {
    /// The `i`th `of` so many parts beside one block.
    fn part(&mut self, i: usize, of: usize);

    /// Whether there is nothing, which is a constant.
    #[allow(dead_code, reason = "words of x86-64 alone ask for it")]
    #[inline(always)]
    fn is_nothing(&self) -> bool {
        false
    }
}

/// Nothing.
impl Beside for () {
    #[inline(always)]
    fn part(&mut self, _: usize, _: usize) {}
    #[inline(always)]
    fn is_nothing(&self) -> bool {
        true
    }
}

/// A hash function whose rounds leave room beside them.
pub(crate) trait Interleaved<const W: usize>: Function<W> {
    /// Blocks that are absorbed at once.
    const BLOCKS: usize;
    /// Whether a block takes so little time that what goes beside it is what takes long.
    const SHORT: bool = false;
    /// Whether its rounds are on words: they leave no unit idle that decrypting could have.
    const ON_WORDS: bool = false;
    /// The state, where rounds have it.
    type Running;
    /// As many blocks, as rounds take them.
    type Words;

    fn enter(&self, state: &[u32; W]) -> Self::Running;
    fn leave(&self, running: &Self::Running, state: &mut [u32; W]);
    /// The first blocks of a text that has them.
    fn words(&self, text: &[u8]) -> Self::Words;
    /// Absorbs them; the parts of what goes beside come in order, a multiple of four of them with each block.
    fn rounds(&self, running: &mut Self::Running, words: Self::Words, beside: &mut impl Beside);
}
