//! Two algorithms in one stream of instructions: while one waits for itself, the other goes on.

/// What is interleaved with the rounds of a block.
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
