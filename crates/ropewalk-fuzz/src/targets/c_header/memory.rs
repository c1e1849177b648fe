//! Memory that the C library is handed: buffers and objects with pages around them that fault, and what was in them before a call.

use crate::common::guarded::Guarded;

/// Bytes of a buffer.
pub(super) const ROOM: usize = 8192;

/// Bytes that a call may read or write, by their addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) written: bool,
}

impl Span {
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let both = self.len > 0 && other.len > 0;
        both && self.at < other.at + other.len && other.at < self.at + self.len
    }
}

/// Pages, and what was in them before a call.
pub(super) struct Arena {
    pages: Guarded,
    len: usize,
    before: Vec<u8>,
}

impl Arena {
    pub(super) fn new(len: usize) -> Self {
        Self { pages: Guarded::new(len), len, before: vec![0; len] }
    }

    pub(super) fn bytes(&mut self) -> &mut [u8] {
        self.pages.at_start(self.len)
    }

    /// The address of its first byte.
    pub(super) fn start(&mut self) -> usize {
        self.bytes().as_mut_ptr().expose_provenance()
    }

    pub(super) fn end(&mut self) -> usize {
        self.start() + self.len
    }

    /// What lies there is what lay there before.
    pub(super) fn settle(&mut self) {
        self.before.copy_from_slice(self.pages.at_start(self.len));
    }

    /// What lay there before the call.
    pub(super) fn before(&mut self, at: usize, len: usize) -> Option<&[u8]> {
        let from = at.checked_sub(self.start())?;
        self.before.get(from..from.checked_add(len)?)
    }

    /// The first byte that has changed and may not: its distance from the start. What lies there may be an object in which a mark is
    /// set once it is used, for instance by a state that was begun with it.
    pub(super) fn changed(&mut self, allowed: &[Span], has_marks: bool) -> Option<usize> {
        let start = self.start();
        let now = self.pages.at_start(self.len);
        if *now == self.before {
            return None;
        }
        let may = |at: usize| allowed.iter().any(|span| at.wrapping_sub(span.at) < span.len);
        let is_mark = |at: usize| has_marks && (self.before[at], now[at]) == (0, 1);
        (0..self.len).find(|at| now[*at] != self.before[*at] && !may(start + at) && !is_mark(*at))
    }
}
