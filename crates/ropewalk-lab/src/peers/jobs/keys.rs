//! The keys of messages, and what has one key as many times as there are keys.

use super::{Aead, Cbc, Hash, Message, Record, Records, bytes};
use crate::{
    peers::Unavailable,
    tasks::{Cell, Function, Keys},
};

/// The key of every peer.
pub fn key(len: usize) -> Vec<u8> {
    bytes(0, len)
}

/// The keys of the messages of a call, the same for every peer: the first is [`key`], and there may be no other.
pub fn keys(cell: &Cell, len: usize) -> Vec<Vec<u8>> {
    all(cell, len, 0)
}

/// The key of every peer's MAC of records.
pub fn mac_key(function: Function) -> Vec<u8> {
    bytes(MAC, function.output_len())
}

/// The same for the records of a call, as [`keys`].
pub(super) fn mac_keys(cell: &Cell, function: Function) -> Vec<Vec<u8>> {
    all(cell, function.output_len(), MAC)
}

/// The one of message `i` of a call, of a key for each or one for all.
#[inline(always)]
pub fn of<K>(keys: &[K], i: usize) -> &K {
    if let [one] = keys { one } else { &keys[i] }
}

/// Apart from what messages are made of.
const MAC: u64 = 1 << 33;
const OTHERS: u64 = 1 << 34;

fn all(cell: &Cell, len: usize, first: u64) -> Vec<Vec<u8>> {
    let seed = |i| if i == 0 { first } else { (OTHERS | first) + i };
    (0..cell.key_count() as u64).map(|i| bytes(seed(i), len)).collect()
}

/// What has a key, with the only one or with each.
pub(super) enum Made<C> {
    One(C),
    Each(Each<C>),
}

impl<C> Made<C> {
    /// # Errors
    /// Where `make` fails.
    pub(super) fn new<K>(
        cell: &Cell,
        keys: &[K],
        make: impl Fn(&K) -> Result<C, Unavailable>,
    ) -> Result<Self, Unavailable> {
        Ok(match cell.keys {
            Keys::One => Self::One(make(&keys[0])?),
            Keys::Each => Self::Each(Each(keys.iter().map(make).collect::<Result<_, _>>()?)),
        })
    }
}

/// As many as a call has messages, each with a key of its own.
pub(super) struct Each<C>(Vec<C>);

impl<C: Cbc> Cbc for Each<C> {
    const NOTE: &str = C::NOTE;

    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.0[0].message(iv, text);
    }

    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        for (cipher, (iv, text)) in self.0.iter_mut().zip(ivs.iter().zip(texts)) {
            cipher.message(iv, text);
        }
    }
}

impl<H: Hash<N>, const N: usize> Hash<N> for Each<H> {
    const NOTE: &str = H::NOTE;

    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        self.0[0].message(text, digest);
    }

    fn start(&mut self) {}

    fn update(&mut self, _: &[u8]) {
        unreachable!("a stream has one key");
    }

    fn finish(&mut self, _: &mut [u8; N]) {
        unreachable!("a stream has one key");
    }

    fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; N]]) {
        for (keyed, (text, digest)) in self.0.iter_mut().zip(texts.iter().zip(digests)) {
            keyed.message(text, digest);
        }
    }
}

impl<C: Aead> Aead for Each<C> {
    const SEAL_NOTE: &str = C::SEAL_NOTE;
    const OPEN_NOTE: &str = C::OPEN_NOTE;

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.0[0].seal(nonce, aad, text, tag);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.0[0].open(nonce, aad, sealed, tag, text)
    }

    fn seal_all(&mut self, aad: &[u8], messages: &mut [Message]) {
        for (cipher, Message { nonce, text, tag }) in self.0.iter_mut().zip(messages) {
            cipher.seal(nonce, aad, text, tag);
        }
    }

    fn open_all(&mut self, aad: &[u8], messages: &[Message], texts: &mut [Vec<u8>]) -> bool {
        let mut right = true;
        for (cipher, (message, text)) in self.0.iter_mut().zip(messages.iter().zip(texts)) {
            let Message { nonce, text: sealed, tag } = message;
            right &= cipher.open(nonce, aad, sealed, tag, text);
        }
        right
    }

    fn rekey(&mut self, _: &[u8]) {
        unreachable!("what takes another key has one");
    }
}

impl<C: Records> Records for Each<C> {
    const SEAL_NOTE: &str = C::SEAL_NOTE;

    fn seal(&mut self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8], len: usize) {
        self.0[0].seal(iv, header, record, len);
    }

    fn seal_all(&mut self, header: &[u8; 11], records: &mut [Record]) {
        for (cipher, (iv, text, record)) in self.0.iter_mut().zip(records) {
            cipher.seal(iv, header, record, text.len());
        }
    }

    fn open(
        &mut self,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &[u8],
        text: &mut [u8],
    ) -> Option<usize> {
        self.0[0].open(iv, header, record, text)
    }

    fn open_nth(
        &mut self,
        i: usize,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &[u8],
        text: &mut [u8],
    ) -> Option<usize> {
        self.0[i].open(iv, header, record, text)
    }
}
