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

/// A hash function, or a MAC that has its key. A digest is as long as the place for it.
pub trait Hash {
    /// What is done for each message besides, that others do not need.
    const NOTE: &str = "";

    /// What is noted of a new context for each message: that it is kept, where the library offers one and this does not make it
    /// anew.
    const ANEW: &str = "";

    /// Hashes one message.
    fn message(&mut self, text: &[u8], digest: &mut [u8]);

    /// Hashes one message with a context of its own, where the library has contexts.
    fn message_anew(&mut self, text: &[u8], digest: &mut [u8]) {
        self.message(text, digest);
    }

    /// Starts a message that `update` goes on with.
    fn start(&mut self) {}

    /// Absorbs the next chunk.
    fn update(&mut self, _: &[u8]) {
        unreachable!("it has no streams");
    }

    /// Ends what `start` and `update` have begun.
    fn finish(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    /// Of a MAC, becomes another key of the same length, where its library says that this is best, and says whether it has: where it
    /// has not, another is made, and this one dropped.
    fn rekey(&mut self, _: &[u8]) -> bool {
        false
    }

    /// Takes another key for one message, where what starts it need not be done twice, and says whether it has.
    fn message_fresh(&mut self, key: &[u8], text: &[u8], digest: &mut [u8]) -> bool {
        let taken = self.rekey(key);
        if taken {
            self.message(text, digest);
        }
        taken
    }
}

/// What does nothing: all that is left is what a job does around each message, and a call.
pub struct Nothing;

impl Hash for Nothing {
    #[inline(always)]
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        std::hint::black_box((text.as_ptr(), text.len(), digest.as_mut_ptr()));
    }
}

/// Calls of a hash function or a MAC, one after the other: what a job times. What hashes several messages in a call is
/// one by itself.
pub trait HashCalls {
    /// Makes so many calls, each with the messages whose turn it is. Digests lie one behind the other.
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]);

    /// Starts a stream.
    fn start(&mut self) {}

    /// Makes so many calls, each with the next chunks of the stream.
    fn update(&mut self, _: usize, _: &mut Turn, _: &[Text]) {
        unreachable!("it has no streams");
    }

    /// Ends the stream.
    fn finish(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    /// Makes calls with all messages, for their answers to be compared. What has keys of its own puts out another digest
    /// here, if the one that it made is right.
    fn known(&mut self, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        self.messages(texts.len() / turn.count(), turn, texts, digests);
    }

    /// What is done for each message besides, that others do not need.
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

/// What is noted of libraries whose contexts are kept.
pub const KEEPS_CONTEXT: &str = "its context is kept: the same as in --mode message";

/// The same, or of a MAC, from what makes the calls itself, and knows the key of each message.
pub fn hash_calls(cell: &Cell, calls: impl HashCalls + 'static) -> Box<dyn Job> {
    let len = match cell.task.kind {
        Kind::Hash(function) => function.output_len(),
        Kind::Mac(mac) => mac.tag_len(),
        Kind::NoOp => 16,
        _ => unreachable!("a hash function or a MAC"),
    };
    job(cell, len, inputs(cell), Box::new(calls))
}

/// A job of what puts out so many bytes for each of the texts.
pub(super) fn job(
    cell: &Cell,
    len: usize,
    texts: Vec<Text>,
    work: Box<dyn HashCalls>,
) -> Box<dyn Job> {
    let digests = vec![0; texts.len() * len];
    Box::new(HashJob { mode: cell.mode, work, texts, digests, len, turn: Turn::new(cell.count) })
}

/// A job of what makes tags. `make` makes one from a key.
///
/// # Errors
/// Where `make` fails.
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

/// Copies a digest that a library has returned to its place. Each length has a copy of its own: a call of a
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

/// One for all messages, or one for each.
pub(super) struct Hashing<H>(pub(super) Vec<H>);

impl<H: Hash> HashCalls for Hashing<H> {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let len = digests.len() / texts.len();
        // A message that is alone in its call has a loop without any other in it.
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
