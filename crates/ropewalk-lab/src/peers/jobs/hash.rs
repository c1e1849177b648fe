//! Work of hash functions and MACs.

use super::{
    Text, Turn,
    fresh::{Fresh, FreshHash},
    inputs, keys,
    keys::made,
    of_mut,
};
use crate::{
    peers::{Job, Unavailable},
    tasks::{Cell, Kind, Mode},
};

/// A hash function, or a MAC with its key. A digest has the length of its buffer.
pub trait Hash {
    /// Additional work for each message, which other libraries do not need.
    const NOTE: &str = "";

    /// The note on a new context for each message: that it is kept, if the library has contexts and this does
    /// not make a new one.
    const ANEW: &str = "";

    /// Hashes one message.
    fn message(&mut self, text: &[u8], digest: &mut [u8]);

    /// Hashes one message with a new context, if the library has contexts.
    fn message_anew(&mut self, text: &[u8], digest: &mut [u8]) {
        self.message(text, digest);
    }

    /// Starts a message, which `update` continues.
    fn start(&mut self) {}

    /// Absorbs the next chunk.
    fn update(&mut self, _: &[u8]) {
        unreachable!("it has no streams");
    }

    /// Ends the message of `start` and `update`.
    fn finish(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    /// For a MAC: takes another key of the same length, if that is the recommended way of its library, and
    /// returns whether it did: otherwise a new one is made, and this one dropped.
    fn rekey(&mut self, _: &[u8]) -> bool {
        false
    }

    /// Sets another key for one message, if that saves a separate start, and returns whether it did.
    fn message_fresh(&mut self, key: &[u8], text: &[u8], digest: &mut [u8]) -> bool {
        let taken = self.rekey(key);
        if taken {
            self.message(text, digest);
        }
        taken
    }
}

/// A hash function that does nothing: the result is the overhead of a job for each message, and of a call.
pub struct Nothing;

impl Hash for Nothing {
    #[inline(always)]
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        std::hint::black_box((text.as_ptr(), text.len(), digest.as_mut_ptr()));
    }
}

/// Consecutive calls of a hash function or a MAC, which a job times. A function for batches implements it
/// directly.
pub trait HashCalls {
    /// Makes `calls` calls, each with the next messages. Digests are contiguous.
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]);

    /// Starts a stream.
    fn start(&mut self) {}

    /// Makes that many calls, each with the next chunks of the stream.
    fn update(&mut self, _: usize, _: &mut Turn, _: &[Text]) {
        unreachable!("it has no streams");
    }

    /// Ends the stream.
    fn finish(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    /// Makes calls with all messages, to compare their answers. An implementation with random keys writes
    /// another digest here, if its own is right.
    fn known(&mut self, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        self.messages(texts.len() / turn.count(), turn, texts, digests);
    }

    /// Additional work for each message, which other libraries do not need.
    fn note(&self) -> &'static str {
        ""
    }
}

/// A job from a hash function.
pub fn hash(cell: &Cell, hash: impl Hash + 'static) -> Box<dyn Job> {
    match cell.mode {
        Mode::Setup => hash_calls(cell, Anew(hash)),
        _ => hash_calls(cell, Hashing(vec![hash])),
    }
}

/// The note on libraries whose contexts are kept.
pub const KEEPS_CONTEXT: &str = "its context is kept: the same as in --mode message";

/// The same, or for a MAC, from an implementation of the calls, which has the key of each message.
pub fn hash_calls(cell: &Cell, calls: impl HashCalls + 'static) -> Box<dyn Job> {
    let len = match cell.task.kind {
        Kind::Hash(function) => function.output_len(),
        Kind::Mac(mac) => mac.tag_len(),
        Kind::NoOp => 16,
        _ => unreachable!("a hash function or a MAC"),
    };
    job(cell, len, inputs(cell), Box::new(calls))
}

/// A job with that many bytes of output for each of the texts.
pub(super) fn job(
    cell: &Cell,
    len: usize,
    texts: Vec<Text>,
    work: Box<dyn HashCalls>,
) -> Box<dyn Job> {
    let digests = vec![0; texts.len() * len];
    Box::new(HashJob { mode: cell.mode, work, texts, digests, len, turn: Turn::new(cell.count) })
}

/// A job of a MAC. `make` makes one from a key.
///
/// # Errors
/// If `make` fails.
pub fn mac<H: Hash + 'static>(
    cell: &Cell,
    make: impl Fn(&[u8]) -> Result<H, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    let Kind::Mac(mac) = cell.task.kind else { unreachable!("a MAC") };
    if cell.mode == Mode::Setup {
        let fresh = Fresh::new(cell, mac.key_len(), make)?;
        return Ok(hash_calls(cell, FreshHash(fresh)));
    }
    Ok(hash_calls(cell, Hashing(made(&keys(cell, mac.key_len()), make)?)))
}

/// Copies a digest that a library has returned to its buffer. Each length has its own copy: a call of a
/// general copy function would be counted as part of the hash.
#[inline(always)]
pub fn put(digest: &mut [u8], from: &[u8]) {
    fn fixed<const N: usize>(digest: &mut [u8], from: &[u8]) {
        let place: &mut [u8; N] = digest.try_into().expect("matched");
        *place = from.try_into().expect("as long as its place");
    }
    match digest.len() {
        16 => fixed::<16>(digest, from),
        20 => fixed::<20>(digest, from),
        28 => fixed::<28>(digest, from),
        32 => fixed::<32>(digest, from),
        48 => fixed::<48>(digest, from),
        64 => fixed::<64>(digest, from),
        _ => digest.copy_from_slice(from),
    }
}

struct HashJob {
    mode: Mode,
    work: Box<dyn HashCalls>,
    texts: Vec<Text>,
    digests: Vec<u8>,
    len: usize,
    turn: Turn,
}

impl Job for HashJob {
    fn run(&mut self, calls: usize) {
        match self.mode {
            Mode::Stream => self.work.update(calls, &mut self.turn, &self.texts),
            _ => self.work.messages(calls, &mut self.turn, &self.texts, &mut self.digests),
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        let count = self.turn.count();
        self.turn = Turn::new(count);
        let calls = self.texts.len() / count;
        if self.mode == Mode::Stream {
            self.work.start();
            self.run(calls);
            let mut digest = vec![0; self.len];
            self.work.finish(&mut digest);
            self.work.start();
            return digest;
        }
        self.digests.fill(0);
        self.work.known(&mut self.turn, &self.texts, &mut self.digests);
        self.digests.clone()
    }

    fn note(&self) -> &'static str {
        match self.mode {
            Mode::Stream => "",
            _ => self.work.note(),
        }
    }
}

/// A context for each message.
struct Anew<H>(H);

impl<H: Hash> HashCalls for Anew<H> {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let len = digests.len() / texts.len();
        for _ in 0..calls {
            for i in turn.take(texts.len()) {
                self.0.message_anew(&texts[i], &mut digests[i * len..][..len]);
            }
        }
    }

    fn note(&self) -> &'static str {
        if H::ANEW.is_empty() { H::NOTE } else { H::ANEW }
    }
}

/// One key for all messages, or one for each.
pub(super) struct Hashing<H>(pub(super) Vec<H>);

impl<H: Hash> HashCalls for Hashing<H> {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let len = digests.len() / texts.len();
        // For a single message per call the loop has no inner loop.
        if let [hash] = &mut self.0[..]
            && turn.count() == 1
        {
            for _ in 0..calls {
                let i = turn.take_one(texts.len());
                hash.message(&texts[i], &mut digests[i * len..][..len]);
            }
            return;
        }
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let digests = digests[range.start * len..range.end * len].chunks_exact_mut(len);
            for (i, (text, digest)) in texts[range].iter().zip(digests).enumerate() {
                of_mut(&mut self.0, i).message(text, digest);
            }
        }
    }

    fn start(&mut self) {
        self.0[0].start();
    }

    fn update(&mut self, calls: usize, turn: &mut Turn, texts: &[Text]) {
        for _ in 0..calls {
            texts[turn.take(texts.len())].iter().for_each(|text| self.0[0].update(text));
        }
    }

    fn finish(&mut self, digest: &mut [u8]) {
        self.0[0].finish(digest);
    }

    fn note(&self) -> &'static str {
        H::NOTE
    }
}
