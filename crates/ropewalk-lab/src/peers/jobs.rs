//! Turns what a library can do into work that can be timed: one trait a kind of task, and the
//! buffers, nonces and loops around it, the same for every peer.

use std::hint::black_box;

mod aead;
mod gmac;
mod key_wrap;
mod keys;
mod records;

pub use aead::{Aead, COPIES, Message, aead, aead_of_keys};
pub use gmac::{Gmac, HeaderAlone, gmac};
pub use key_wrap::{KeyWrap, key_wrap};
pub use keys::{key, keys, mac_key, of};
pub use records::{Record, RecordKeys, Records, records, records_of_keys, sealed};

use keys::Made;

use super::{Job, Unavailable};
use crate::tasks::{Cell, Function, Mac, Mode};

/// A cipher in counter mode that has its key.
pub trait Ctr {
    /// What is done for each message besides, that others do not need.
    const NOTE: &str = "";

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

/// A cipher in cipher block chaining that has its key and goes one way; or one block by block, which takes
/// no notice of the vector.
pub trait Cbc {
    /// What is done for each message besides, that others do not need.
    const NOTE: &str = "";

    /// Puts one message of whole blocks through, in place.
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]);

    /// Puts messages through, each with its own initialisation vector.
    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        for (iv, text) in ivs.iter().zip(texts) {
            self.message(iv, text);
        }
    }
}

/// What has random bytes.
pub trait Fill {
    /// Fills `out` with them.
    fn fill(&mut self, out: &mut [u8]);
}

/// A hash function with digests of `N` bytes.
pub trait Hash<const N: usize> {
    /// What is done for each message besides, that others do not need.
    const NOTE: &str = "";

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

/// A job of a cipher in cipher block chaining. `make` makes one from a key.
///
/// # Errors
/// For a stream, for what is not of whole blocks, and where `make` fails.
pub fn cbc<C: Cbc + 'static>(
    cell: &Cell,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<C, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    match Made::new(cell, &keys(cell, key_len), |key| make(key))? {
        Made::One(cipher) => cbc_of_keys(cell, cipher),
        Made::Each(ciphers) => cbc_of_keys(cell, ciphers),
    }
}

/// The same from one that knows the key of each message.
///
/// # Errors
/// For a stream, and for what is not of whole blocks.
pub fn cbc_of_keys(cell: &Cell, cipher: impl Cbc + 'static) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    if !cell.lens().all(|len| len.is_multiple_of(16)) {
        return Err(Unavailable("takes whole blocks".into()));
    }
    Ok(ctr(cell, Chained(cipher)))
}

/// A job of AES-XTS, whose data units are messages and have tweaks for initialisation vectors. `make` makes one from a
/// key.
///
/// # Errors
/// For a stream, for less than a block, and where `make` fails.
pub fn xts<C: Cbc + 'static>(
    cell: &Cell,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<C, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    match Made::new(cell, &keys(cell, key_len), |key| make(key))? {
        Made::One(cipher) => xts_of_keys(cell, cipher),
        Made::Each(ciphers) => xts_of_keys(cell, ciphers),
    }
}

/// The same from one that knows the key of each message.
///
/// # Errors
/// For a stream, and for less than a block.
pub fn xts_of_keys(cell: &Cell, cipher: impl Cbc + 'static) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    if cell.lens().any(|len| len < 16) {
        return Err(Unavailable("takes a block or more".into()));
    }
    Ok(ctr(cell, Chained(cipher)))
}

/// A job of random bytes.
pub fn fill(cell: &Cell, generator: impl Fill + 'static) -> Box<dyn Job> {
    Box::new(FillJob { count: cell.count, generator, out: vec![0; cell.bytes] })
}

fn whole(cell: &Cell) -> Result<(), Unavailable> {
    match cell.mode == Mode::Stream && !cell.task.kind.streams() {
        true => Err(Unavailable("a message goes through whole".into())),
        false => Ok(()),
    }
}

/// A job from a hash function.
pub fn hash<const N: usize>(cell: &Cell, hash: impl Hash<N> + 'static) -> Box<dyn Job> {
    let texts = inputs(cell);
    let digests = vec![[0; N]; texts.len()];
    Box::new(HashJob { cell: *cell, hash, texts, digests, next: 0 })
}

/// A job from a hash function whose output has the length of that one's.
pub fn hash_of<H>(cell: &Cell, function: Function, hash: H) -> Box<dyn Job>
where
    H: Hash<16> + Hash<20> + Hash<28> + Hash<32> + Hash<48> + Hash<64> + 'static,
{
    match function.output_len() {
        16 => self::hash::<16>(cell, hash),
        20 => self::hash::<20>(cell, hash),
        28 => self::hash::<28>(cell, hash),
        32 => self::hash::<32>(cell, hash),
        48 => self::hash::<48>(cell, hash),
        _ => self::hash::<64>(cell, hash),
    }
}

/// A job of what makes tags of `N` bytes. `make` makes one from a key.
///
/// # Errors
/// Where `make` fails.
pub fn mac<const N: usize, H: Hash<N> + 'static>(
    cell: &Cell,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<H, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    Ok(match Made::new(cell, &keys(cell, key_len), |key| make(key))? {
        Made::One(keyed) => hash(cell, keyed),
        Made::Each(keyed) => hash(cell, keyed),
    })
}

/// The same of what makes tags of any length, as that MAC has them.
///
/// # Errors
/// Where `make` fails.
pub fn mac_of<H>(
    cell: &Cell,
    mac: Mac,
    make: impl Fn(&[u8]) -> Result<H, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable>
where
    H: Hash<16> + Hash<20> + Hash<28> + Hash<32> + Hash<48> + Hash<64> + 'static,
{
    Ok(match Made::new(cell, &keys(cell, mac.key_len()), |key| make(key))? {
        Made::One(keyed) => mac_of_keys(cell, mac, keyed),
        Made::Each(keyed) => mac_of_keys(cell, mac, keyed),
    })
}

/// The same from what knows the key of each message.
pub fn mac_of_keys<H>(cell: &Cell, mac: Mac, made: H) -> Box<dyn Job>
where
    H: Hash<16> + Hash<20> + Hash<28> + Hash<32> + Hash<48> + Hash<64> + 'static,
{
    match mac {
        Mac::Hmac(function) => hash_of(cell, function, made),
        Mac::Cmac { .. } | Mac::Poly1305 => hash::<16>(cell, made),
    }
}

/// That a library has no such function.
pub fn lacks(function: Function) -> Unavailable {
    Unavailable(format!("has no {}", function.name()))
}

/// That a library has no HMAC of such a function.
pub fn lacks_hmac(function: Function) -> Unavailable {
    Unavailable(format!("has no HMAC of {}", function.name()))
}

/// Calls before a buffer comes round again: enough that inputs differ, few enough to stay in the
/// caches.
fn rotation(cell: &Cell) -> usize {
    (16384 / (cell.bytes * cell.count).max(1)).clamp(2, 16)
}

fn inputs(cell: &Cell) -> Vec<Vec<u8>> {
    (0..rotation(cell) * cell.count).map(|i| bytes(1 + i as u64, cell.len(i))).collect()
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
    /// So many calls with the buffers in turn.
    #[inline(always)]
    fn each(&mut self, calls: usize, call: impl Fn(&mut C, &mut Buffer)) {
        for _ in 0..calls {
            call(&mut self.cipher, &mut self.buffers[self.next]);
            self.next = if self.next + 1 == self.buffers.len() { 0 } else { self.next + 1 };
        }
    }

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
        match self.cell.mode {
            Mode::Message if self.cell.count == 1 => {
                self.each(calls, |cipher, call| cipher.message(&call.ivs[0], &mut call.texts[0]));
            }
            Mode::Message => {
                self.each(calls, |cipher, call| cipher.messages(&call.ivs, &mut call.texts));
            }
            Mode::Stream => self.each(calls, |cipher, call| {
                call.texts.iter_mut().for_each(|text| cipher.update(text));
            }),
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
            Mode::Message => C::NOTE,
            Mode::Stream => "",
        }
    }
}

/// Counter mode and chaining have the same loops and buffers.
struct Chained<C>(C);

impl<C: Cbc> Ctr for Chained<C> {
    const NOTE: &str = C::NOTE;

    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.0.message(iv, text);
    }
    fn start(&mut self, _: &[u8; 16]) {}
    fn update(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }
    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        self.0.messages(ivs, texts);
    }
}

struct FillJob<G> {
    count: usize,
    generator: G,
    out: Vec<u8>,
}

impl<G: Fill> Job for FillJob<G> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.count {
            self.generator.fill(&mut self.out);
            black_box(&mut self.out);
        }
    }

    /// Whether bytes change, and all of them: sixty-four times without a change is no chance.
    fn answer(&mut self) -> Vec<u8> {
        let mut changed = vec![0; self.out.len()];
        for _ in 0..64 {
            let before = self.out.clone();
            self.generator.fill(&mut self.out);
            for (changed, (before, now)) in changed.iter_mut().zip(before.iter().zip(&self.out)) {
                *changed |= u8::from(before != now);
            }
        }
        changed
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

    fn note(&self) -> &'static str {
        match self.cell.mode {
            Mode::Message => H::NOTE,
            Mode::Stream => "",
        }
    }
}
