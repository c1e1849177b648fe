//! Turns what a library can do into work that can be timed: one trait a kind of task, and the
//! buffers, nonces and loops around it, the same for every peer.

use super::{Job, Unavailable};
use crate::tasks::{Cell, Mode};

/// A cipher in counter mode that has its key.
pub trait Ctr {
    /// Encrypts one message in place, from a new counter block.
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]);

    /// Starts a stream that `update` goes on with.
    fn start(&mut self, iv: &[u8; 16]);

    /// Encrypts the next piece of the stream in place.
    fn update(&mut self, text: &mut [u8]);

    /// Encrypts messages, each from its own counter block.
    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        for (iv, text) in ivs.iter().zip(texts) {
            self.message(iv, text);
        }
    }
}

/// An authenticated cipher that has its key.
pub trait Aead {
    /// Encrypts one message in place and writes its tag.
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]);
}

/// A hash function with digests of `N` bytes.
pub trait Hash<const N: usize> {
    /// Hashes one message.
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]);

    /// Starts a message that `update` goes on with.
    fn start(&mut self);

    /// Absorbs the next piece.
    fn update(&mut self, text: &[u8]);

    /// Ends what `start` and `update` have begun.
    fn finish(&mut self, digest: &mut [u8; N]);

    /// Hashes messages.
    fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; N]]) {
        for (text, digest) in texts.iter().zip(digests) {
            self.message(text, digest);
        }
    }
}

/// A job from a cipher in counter mode.
pub fn ctr(cell: &Cell, cipher: impl Ctr + 'static) -> Box<dyn Job> {
    Box::new(CtrJob { cell: *cell, cipher, buffers: Vec::new(), next: 0 }.fresh())
}

/// A job that seals with an authenticated cipher.
///
/// # Errors
/// For a stream: a message is sealed whole.
pub fn seal(cell: &Cell, cipher: impl Aead + 'static) -> Result<Box<dyn Job>, Unavailable> {
    if cell.mode == Mode::Stream && !cell.task.kind.streams() {
        return Err(Unavailable("a message is sealed whole".into()));
    }
    let mut job = SealJob { cell: *cell, cipher, messages: Vec::new(), next: 0 };
    job.reset();
    Ok(Box::new(job))
}

/// A job from a hash function.
pub fn hash<const N: usize>(cell: &Cell, hash: impl Hash<N> + 'static) -> Box<dyn Job> {
    let texts = inputs(cell);
    let digests = vec![[0; N]; texts.len()];
    Box::new(HashJob { cell: *cell, hash, texts, digests, next: 0 })
}

/// The key of every peer.
pub fn key(len: usize) -> Vec<u8> {
    bytes(0, len)
}

/// Calls before a buffer comes round again: enough that inputs differ, few enough to stay in the
/// caches.
fn rotation(cell: &Cell) -> usize {
    (16384 / (cell.bytes * cell.count).max(1)).clamp(2, 16)
}

fn inputs(cell: &Cell) -> Vec<Vec<u8>> {
    (0..rotation(cell) * cell.count).map(|i| bytes(1 + i as u64, cell.bytes)).collect()
}

/// Bytes that look random and are the same in every process (SplitMix64).
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0xd1342543de82ef95);
    let mut words = std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e3779b97f4a7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    });
    words.by_ref().take(len.div_ceil(8)).flat_map(u64::to_le_bytes).take(len).collect()
}

struct CtrJob<C> {
    cell: Cell,
    cipher: C,
    buffers: Vec<Buffer>,
    next: usize,
}

/// The messages of one call.
struct Buffer {
    ivs: Vec<[u8; 16]>,
    texts: Vec<Vec<u8>>,
}

impl<C: Ctr> CtrJob<C> {
    /// With the buffers as they are at the start.
    fn fresh(mut self) -> Self {
        self.reset();
        self
    }

    fn reset(&mut self) {
        let mut texts = inputs(&self.cell).into_iter();
        let count = self.cell.count;
        self.buffers = (0..rotation(&self.cell))
            .map(|call| Buffer {
                ivs: (0..count).map(|i| iv((call * count + i) as u64)).collect(),
                texts: texts.by_ref().take(count).collect(),
            })
            .collect();
        self.next = 0;
        self.cipher.start(&iv(0));
    }
}

/// A counter block: a number in front, as of a record, and a counter of zero.
fn iv(number: u64) -> [u8; 16] {
    let mut iv = [0; 16];
    iv[..8].copy_from_slice(&number.to_be_bytes());
    iv
}

impl<C: Ctr> Job for CtrJob<C> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls {
            let Buffer { ivs, texts } = &mut self.buffers[self.next];
            match self.cell.mode {
                Mode::Message if self.cell.count == 1 => {
                    self.cipher.message(&ivs[0], &mut texts[0])
                }
                Mode::Message => self.cipher.messages(ivs, texts),
                Mode::Stream => texts.iter_mut().for_each(|text| self.cipher.update(text)),
            }
            self.next = if self.next + 1 == self.buffers.len() { 0 } else { self.next + 1 };
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.reset();
        self.run(self.buffers.len());
        let out = self.buffers.iter().flat_map(|buffer| buffer.texts.concat()).collect();
        self.reset();
        out
    }
}

struct SealJob<C> {
    cell: Cell,
    cipher: C,
    messages: Vec<Message>,
    next: usize,
}

struct Message {
    nonce: [u8; 12],
    text: Vec<u8>,
    tag: [u8; 16],
}

/// Header data, as long as that of a TLS 1.2 record.
const AAD: [u8; 13] = *b"header data..";

impl<C> SealJob<C> {
    fn reset(&mut self) {
        let texts = inputs(&self.cell).into_iter().enumerate();
        let nonce = |i: usize| iv(i as u64)[4..].try_into().expect("twelve of sixteen");
        self.messages =
            texts.map(|(i, text)| Message { nonce: nonce(i), text, tag: [0; 16] }).collect();
        self.next = 0;
    }
}

impl<C: Aead> Job for SealJob<C> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.cell.count {
            let Message { nonce, text, tag } = &mut self.messages[self.next];
            self.cipher.seal(nonce, &AAD, text, tag);
            self.next = if self.next + 1 == self.messages.len() { 0 } else { self.next + 1 };
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.reset();
        self.run(self.messages.len() / self.cell.count);
        let sealed = |message: &Message| [message.text.as_slice(), &message.tag].concat();
        let out = self.messages.iter().flat_map(sealed).collect();
        self.reset();
        out
    }
}

struct HashJob<H, const N: usize> {
    cell: Cell,
    hash: H,
    texts: Vec<Vec<u8>>,
    digests: Vec<[u8; N]>,
    next: usize,
}

impl<H: Hash<N>, const N: usize> Job for HashJob<H, N> {
    fn run(&mut self, calls: usize) {
        let count = self.cell.count;
        if self.cell.mode == Mode::Message && count > 1 {
            // A program has its messages as slices already.
            let texts: Vec<&[u8]> = self.texts.iter().map(Vec::as_slice).collect();
            for _ in 0..calls {
                let range = self.next..self.next + count;
                self.hash.messages(&texts[range.clone()], &mut self.digests[range]);
                self.next = if self.next + count == texts.len() { 0 } else { self.next + count };
            }
            return;
        }
        for _ in 0..calls * count {
            let (text, digest) = (&self.texts[self.next], &mut self.digests[self.next]);
            match self.cell.mode {
                Mode::Message => self.hash.message(text, digest),
                Mode::Stream => self.hash.update(text),
            }
            self.next = if self.next + 1 == self.texts.len() { 0 } else { self.next + 1 };
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.next = 0;
        if self.cell.mode == Mode::Stream {
            self.hash.start();
            self.run(self.texts.len() / self.cell.count);
            let mut digest = [0; N];
            self.hash.finish(&mut digest);
            self.hash.start();
            return digest.to_vec();
        }
        self.digests.as_flattened_mut().fill(0);
        self.run(self.texts.len() / self.cell.count);
        self.digests.as_flattened().to_vec()
    }
}
