//! Ciphers without tags.

use super::socket::{Operation, PIECE, Start, Transform};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// AES in counter mode or ChaCha20, with the library's vector: a counter, and a nonce.
pub(super) struct Ctr {
    transform: Transform,
    operation: Operation,
    /// The socket of a stream; none before it starts.
    stream: Option<Operation>,
}

impl Ctr {
    pub(super) fn new(transform: Transform) -> Result<Self, Unavailable> {
        Ok(Self { operation: transform.operation()?, transform, stream: None })
    }
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        whole(&self.operation, Direction::Encrypt, iv, text);
    }

    /// Only closing the socket ends a stream.
    fn start(&mut self, iv: &[u8; 16]) {
        let start = Start { direction: Direction::Encrypt, iv, aad_len: None };
        let stream = self.transform.operation().ok();
        self.stream = stream.filter(|stream| stream.send(Some(&start), &[], true));
    }

    fn update(&mut self, text: &mut [u8]) {
        for piece in text.chunks_mut(PIECE) {
            let through = |stream: &Operation| stream.push(piece, true) && stream.read(piece);
            if !self.stream.as_ref().is_some_and(through) {
                // A failed call must not look like an answer.
                piece.fill(0);
            }
        }
    }
}

/// A mode of whole blocks, in one direction.
pub(super) struct Blocks {
    operation: Operation,
    direction: Direction,
    iv_len: usize,
}

impl Blocks {
    pub(super) fn new(
        transform: &Transform,
        direction: Direction,
        iv_len: usize,
    ) -> Result<Self, Unavailable> {
        Ok(Self { operation: transform.operation()?, direction, iv_len })
    }
}

impl jobs::Cbc for Blocks {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        whole(&self.operation, self.direction, &iv[..self.iv_len], text);
    }
}

/// A data unit of XTS, in one direction, which is processed at once.
pub(super) struct Unit {
    operation: Operation,
    direction: Direction,
}

impl Unit {
    pub(super) fn new(transform: &Transform, direction: Direction) -> Result<Self, Unavailable> {
        Ok(Self { operation: transform.operation()?, direction })
    }
}

impl jobs::Cbc for Unit {
    fn message(&mut self, tweak: &[u8; 16], text: &mut [u8]) {
        whole(&self.operation, self.direction, tweak, text);
    }
}

/// RC4, whose key starts a message. A socket with an operation accepts no other key.
pub(super) struct Rc4 {
    transform: Transform,
    key: Vec<u8>,
    operation: Option<Operation>,
}

impl Rc4 {
    pub(super) fn new(transform: Transform, key: &[u8]) -> Self {
        Self { transform, key: key.to_vec(), operation: None }
    }

    fn begin(&mut self) {
        self.operation = None;
        let set = self.transform.set_key(&self.key);
        self.operation = set.and_then(|()| self.transform.operation()).ok();
    }
}

impl jobs::Ctr for Rc4 {
    const NOTE: &str = "a new socket for each message counts, as for each key";

    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        self.begin();
        match &self.operation {
            Some(operation) => whole(operation, Direction::Encrypt, &[], text),
            None => text.fill(0),
        }
    }

    fn start(&mut self, _: &[u8; 16]) {
        self.begin();
        let start = Start { direction: Direction::Encrypt, iv: &[], aad_len: None };
        self.operation = self.operation.take().filter(|of| of.send(Some(&start), &[], true));
    }

    fn update(&mut self, text: &mut [u8]) {
        for piece in text.chunks_mut(PIECE) {
            let through = |stream: &Operation| stream.push(piece, true) && stream.read(piece);
            if !self.operation.as_ref().is_some_and(through) {
                piece.fill(0);
            }
        }
    }
}

/// Processes a message in place, in chunks if it does not fit at once.
fn whole(operation: &Operation, direction: Direction, iv: &[u8], text: &mut [u8]) {
    let mut start = Some(Start { direction, iv, aad_len: None });
    let pieces = text.len().div_ceil(PIECE);
    for (i, piece) in text.chunks_mut(PIECE).enumerate() {
        let sent = operation.send(start.take().as_ref(), &[piece], i + 1 < pieces);
        if !(sent && operation.read(piece)) {
            // A failed call must not look like an answer.
            piece.fill(0);
        }
    }
}
