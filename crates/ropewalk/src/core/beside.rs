//! Two algorithms interleaved in one instruction stream: the latency of one is filled by the other.

/// Work that is interleaved with the rounds of a block.
pub(crate) trait Beside {
    /// Part `i` `of` so many, during one block.
    fn part(&mut self, i: usize, of: usize);

    /// Whether there is no such work, which is a constant.
    #[allow(dead_code, reason = "words of x86-64 alone ask for it")]
    #[inline(always)]
    fn is_nothing(&self) -> bool {
        false
    }
}

/// No work.
impl Beside for () {
    #[inline(always)]
    fn part(&mut self, _: usize, _: usize) {}
    #[inline(always)]
    fn is_nothing(&self) -> bool {
        true
    }
}
