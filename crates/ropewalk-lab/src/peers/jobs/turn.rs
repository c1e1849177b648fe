//! The rotation of messages from call to call.

use std::ops::Range;

/// The position in the rotation.
#[derive(Clone)]
pub struct Turn {
    count: usize,
    next: usize,
}

impl Turn {
    /// The first messages are next, `count` for each call.
    pub(super) fn new(count: usize) -> Self {
        Self { count, next: 0 }
    }

    /// The number of messages in a call.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The range of the messages of the next call.
    #[inline(always)]
    pub fn take(&mut self, all: usize) -> Range<usize> {
        let start = self.next;
        self.next = if start + self.count == all { 0 } else { start + self.count };
        start..start + self.count
    }

    /// The index of the message of the next call, if a call has one.
    #[inline(always)]
    pub fn take_one(&mut self, all: usize) -> usize {
        let one = self.next;
        self.next = if one + 1 == all { 0 } else { one + 1 };
        one
    }
}
