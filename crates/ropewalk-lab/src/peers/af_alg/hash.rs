//! Hash functions, and MACs that have their keys.

use super::socket::{Operation, Transform};
use crate::peers::{Unavailable, jobs};

/// What messages go through, one after the other.
pub(super) struct Hash {
    transform: Transform,
    operation: Operation,
    /// Whether every call of a stream did what it should.
    sound: bool,
}

impl Hash {
    pub(super) fn new(transform: Transform) -> Result<Self, Unavailable> {
        Ok(Self { operation: transform.operation()?, transform, sound: true })
    }
}

impl jobs::Hash for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        let done = self.operation.push(text, false) && self.operation.read(digest);
        if !done {
            // A failure must not pass for an answer.
            digest.fill(0);
        }
    }

    /// Nothing drops a message that has begun but its socket.
    fn start(&mut self) {
        let fresh = self.transform.operation();
        self.sound = fresh.is_ok();
        if let Ok(fresh) = fresh {
            self.operation = fresh;
        }
    }

    fn update(&mut self, text: &[u8]) {
        self.sound &= self.operation.push(text, true);
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let done = self.operation.push(&[], false) && self.operation.read(digest);
        if !(self.sound && done) {
            digest.fill(0);
        }
    }
}
