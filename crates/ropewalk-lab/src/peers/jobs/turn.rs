//! What comes round again, call after call.

use std::ops::Range;

/// Whose turn it is among messages that come round again.
#[derive(Clone)]
pub struct Turn {
    count: usize,
    next: usize,
}

impl Turn {
    /// The first are next, that many for each call.
    pub(super) fn new(count: usize) -> Self {
        Self { count, next: 0 }
    }

    /// How many go in a call.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Where those of the next call are, of so many.
    #[inline(always)]
    pub fn take(&mut self, all: usize) -> Range<usize> {
        let start = self.next;
        self.next = if start + self.count == all { 0 } else { start + self.count };
        start..start + self.count
    }

    /// Where the next call finds its message, of so many, if it takes one alone.
    #[inline(always)]
    pub fn take_one(&mut self, all: usize) -> usize {
        let one = self.next;
        self.next = if one + 1 == all { 0 } else { one + 1 };
        one
    }
}
