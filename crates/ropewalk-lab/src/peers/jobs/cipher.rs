//! Work of ciphers without tags: counter mode, CBC, single blocks, and data units of XTS.

use super::{
    Text, Turn,
    fresh::{Fresh, FreshCipher},
    inputs, iv, key, keys,
    keys::made,
    of_mut, rotation, whole,
};
use crate::{
    peers::{Job, Unavailable},
    tasks::{Cell, Mode},
};

/// A cipher in counter mode with its key; or RC4, which ignores the counter block, and sets its key again to
/// start.
pub trait Ctr {
    /// Additional work for each message, which other libraries do not need.
    const NOTE: &str = "";

    /// Encrypts one message in place, from a new counter block.
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    /// Starts a stream, which `update` continues.
    fn start(&mut self, iv: &[u8; 16]);

    /// Encrypts the next chunk of the stream in place.
    fn update(&mut self, text: &mut [u8]);

    /// Takes another key of the same length, if that is the recommended way of its library, and returns
    /// whether it did: otherwise a new one is made, and this one dropped.
    fn rekey(&mut self, _: &[u8]) -> bool {
        false
    }

    /// Sets another key and processes one message, if there is a single call for that, and returns whether it
    /// did.
    fn message_fresh(&mut self, key: &[u8], iv: &[u8; 16], text: &mut [u8]) -> bool {
        let taken = self.rekey(key);
        if taken {
            self.message(iv, text);
        }
        taken
    }
}

/// A cipher in CBC mode with its key, in one direction (triple DES uses eight bytes of the vector); or a
/// block cipher, which ignores the vector.
pub trait Cbc {
    /// Additional work for each message, which other libraries do not need.
    const NOTE: &str = "";

    /// Whether a message can be processed in chunks of whole blocks; for XTS, several data units under the
    /// same tweak.
    const STREAMS: bool = false;

    /// Processes one message of whole blocks, in place.
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]);

    /// Starts a message, which `update` continues.
    fn start(&mut self, _: &[u8; 16]) {
        unreachable!("it has no streams");
    }

    /// Processes the next chunk, in place.
    fn update(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    /// Takes another key of the same length, if that is the recommended way of its library, and returns
    /// whether it did: otherwise a new one is made, and this one dropped.
    fn rekey(&mut self, _: &[u8]) -> bool {
        false
    }

    /// Sets another key and processes one message, if there is a single call for that, and returns whether it
    /// did.
    fn message_fresh(&mut self, key: &[u8], iv: &[u8; 16], text: &mut [u8]) -> bool {
        let taken = self.rekey(key);
        if taken {
            self.message(iv, text);
        }
        taken
    }
}

/// Consecutive calls of a cipher, which a job times. A function for batches implements it directly.
pub trait CipherCalls {
    /// Makes `calls` calls, each with the next messages.
    fn messages(&mut self, calls: usize, turn: &mut Turn, all: &mut [Buffer]);

    /// Starts a stream.
    fn start(&mut self, _: &[u8; 16]) {}

    /// Makes that many calls, each with the next chunks of the stream.
    fn update(&mut self, _: usize, _: &mut Turn, _: &mut [Buffer]) {
        unreachable!("it has no streams");
    }

    /// Additional work for each message, which other libraries do not need.
    fn note(&self) -> &'static str {
        ""
    }
}

/// The messages of one call.
pub struct Buffer {
    /// Counter blocks, vectors or tweaks.
    pub ivs: Vec<[u8; 16]>,
    /// As many texts.
    pub texts: Vec<Text>,
}

/// A job of a cipher in counter mode. `make` makes one from a key.
///
/// # Errors
/// If `make` fails.
pub fn ctr<C: Ctr + 'static>(
    cell: &Cell,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    if cell.mode == Mode::Setup {
        let fresh = Fresh::new(cell, key_len, make)?;
        return Ok(ctr_calls(
            cell,
            FreshCipher { fresh, take: C::message_fresh, with: C::message, note: C::NOTE },
        ));
    }
    Ok(ctr_calls(cell, Counting(make(&key(key_len))?)))
}

/// The same from an implementation of the calls.
pub fn ctr_calls(cell: &Cell, calls: impl CipherCalls + 'static) -> Box<dyn Job> {
    let mut job =
        CipherJob { cell: *cell, work: Box::new(calls), buffers: Vec::new(), turn: Turn::new(1) };
    job.reset();
    Box::new(job)
}

/// A job of a cipher in cipher block chaining. `make` makes one from a key.
///
/// # Errors
/// For a stream, for partial blocks, and if `make` fails.
pub fn cbc<C: Cbc + 'static>(
    cell: &Cell,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    if cell.mode == Mode::Setup {
        let fresh = Fresh::new(cell, key_len, make)?;
        return cbc_calls(
            cell,
            FreshCipher { fresh, take: C::message_fresh, with: C::message, note: C::NOTE },
        );
    }
    let chained = Chained(made(&keys(cell, key_len), make)?);
    match C::STREAMS && cell.mode == Mode::Stream {
        true => whole_blocks(cell, chained),
        false => cbc_calls(cell, chained),
    }
}

/// The same from an implementation of the calls, which has the key of each message.
///
/// # Errors
/// For a stream, and for partial blocks.
pub fn cbc_calls(
    cell: &Cell,
    calls: impl CipherCalls + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    whole_blocks(cell, calls)
}

fn whole_blocks(
    cell: &Cell,
    calls: impl CipherCalls + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    if !cell.lens().all(|len| len.is_multiple_of(cell.task.kind.block())) {
        return Err(Unavailable("takes whole blocks".into()));
    }
    Ok(ctr_calls(cell, calls))
}

/// A job of AES-XTS, whose data units are messages with tweaks as initialization vectors. `make` makes one
/// from a key.
///
/// # Errors
/// For a stream, for less than a block, and if `make` fails.
pub fn xts<C: Cbc + 'static>(
    cell: &Cell,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    if cell.mode == Mode::Setup {
        let fresh = Fresh::new(cell, key_len, make)?;
        return xts_calls(
            cell,
            FreshCipher { fresh, take: C::message_fresh, with: C::message, note: C::NOTE },
        );
    }
    let chained = Chained(made(&keys(cell, key_len), make)?);
    match C::STREAMS && cell.mode == Mode::Stream {
        true => units(cell, chained),
        false => xts_calls(cell, chained),
    }
}

/// The same from an implementation of the calls, which has the key of each message.
///
/// # Errors
/// For a stream, and for less than a block.
pub fn xts_calls(
    cell: &Cell,
    calls: impl CipherCalls + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    units(cell, calls)
}

fn units(cell: &Cell, calls: impl CipherCalls + 'static) -> Result<Box<dyn Job>, Unavailable> {
    if cell.lens().any(|len| len < 16) {
        return Err(Unavailable("takes a block or more".into()));
    }
    Ok(ctr_calls(cell, calls))
}

struct CipherJob {
    cell: Cell,
    work: Box<dyn CipherCalls>,
    buffers: Vec<Buffer>,
    /// Which buffer is next.
    turn: Turn,
}

impl CipherJob {
    /// Restores the initial buffers.
    fn reset(&mut self) {
        let mut texts = inputs(&self.cell).into_iter();
        let count = self.cell.count;
        self.buffers = (0..rotation(&self.cell))
            .map(|call| Buffer {
                ivs: (0..count).map(|i| iv((call * count + i) as u64)).collect(),
                texts: texts.by_ref().take(count).collect(),
            })
            .collect();
        self.turn = Turn::new(1);
        self.work.start(&iv(0));
    }
}

impl Job for CipherJob {
    fn run(&mut self, calls: usize) {
        match self.cell.mode {
            Mode::Stream => self.work.update(calls, &mut self.turn, &mut self.buffers),
            _ => self.work.messages(calls, &mut self.turn, &mut self.buffers),
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.reset();
        self.run(self.buffers.len());
        let out = self.buffers.iter().flat_map(|buffer| buffer.texts.concat()).collect();
        self.reset();
        out
    }

    fn note(&self) -> &'static str {
        match self.cell.mode {
            Mode::Stream => "",
            _ => self.work.note(),
        }
    }
}

pub(super) struct Counting<C>(pub(super) C);

impl<C: Ctr> CipherCalls for Counting<C> {
    fn messages(&mut self, calls: usize, turn: &mut Turn, all: &mut [Buffer]) {
        alone_or_each(calls, turn, all, std::slice::from_mut(&mut self.0), C::message);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.0.start(iv);
    }

    fn update(&mut self, calls: usize, turn: &mut Turn, all: &mut [Buffer]) {
        pieces(calls, turn, all, |text| self.0.update(text));
    }

    fn note(&self) -> &'static str {
        C::NOTE
    }
}

/// One key for all messages, or one for each.
struct Chained<C>(Vec<C>);

impl<C: Cbc> CipherCalls for Chained<C> {
    fn messages(&mut self, calls: usize, turn: &mut Turn, all: &mut [Buffer]) {
        alone_or_each(calls, turn, all, &mut self.0, C::message);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        if C::STREAMS {
            self.0[0].start(iv);
        }
    }

    fn update(&mut self, calls: usize, turn: &mut Turn, all: &mut [Buffer]) {
        pieces(calls, turn, all, |text| self.0[0].update(text));
    }

    fn note(&self) -> &'static str {
        C::NOTE
    }
}

/// Makes calls, each with the next chunks of one message.
#[inline(always)]
fn pieces(calls: usize, turn: &mut Turn, all: &mut [Buffer], mut update: impl FnMut(&mut [u8])) {
    for _ in 0..calls {
        let buffer = &mut all[turn.take_one(all.len())];
        buffer.texts.iter_mut().for_each(|text| update(text));
    }
}

/// Makes calls with the buffers in turn. For a single message per call the loop has no inner loop.
#[inline(always)]
fn alone_or_each<C>(
    calls: usize,
    turn: &mut Turn,
    all: &mut [Buffer],
    ciphers: &mut [C],
    message: impl Fn(&mut C, &[u8; 16], &mut [u8]),
) {
    if let [cipher] = ciphers
        && all[0].texts.len() == 1
    {
        for _ in 0..calls {
            let Buffer { ivs, texts } = &mut all[turn.take_one(all.len())];
            message(cipher, &ivs[0], &mut texts[0]);
        }
        return;
    }
    for _ in 0..calls {
        let Buffer { ivs, texts } = &mut all[turn.take_one(all.len())];
        for (i, (iv, text)) in ivs.iter().zip(texts).enumerate() {
            message(of_mut(ciphers, i), iv, text);
        }
    }
}
