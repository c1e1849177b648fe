//! Hash functions, and MACs that have their keys.

use super::socket::{Operation, Transform};
use crate::peers::{Unavailable, jobs};

/// The socket for messages, one after the other.
pub(super) struct Hash {
    transform: Transform,
    operation: Operation,
    /// Whether every call of a stream has succeeded.
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
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    /// Only closing the socket drops a message that has begun.
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
