//! Memory that files are read into.

use std::ops::{Deref, DerefMut};

/// Bytes that begin with a line of the cache. AMD's Zen 3 copies to where one does not, as is 16 bytes behind the start
/// of a page, where the allocator puts what is large, with a third of the speed.
pub(super) struct Room {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

/// Where files begin.
pub(super) const LINE: usize = 64;

impl Room {
    pub(super) fn new(len: usize) -> Self {
        let bytes = vec![0; len + LINE];
        let start = bytes.as_ptr().align_offset(LINE).min(LINE);
        Self { bytes, start, len }
    }
}

impl Deref for Room {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.len]
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.len]
    }
}
