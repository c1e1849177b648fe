//! A new key for each message: `--mode setup`.

use super::{
    Buffer, Text, Turn,
    cipher::CipherCalls,
    hash::{Hash, HashCalls},
    keys::new_keys,
};
use crate::{peers::Unavailable, tasks::Cell};

/// The object that is rekeyed or replaced for each message, and the keys.
pub(super) struct Fresh<C, M> {
    cipher: C,
    make: M,
    keys: Vec<Vec<u8>>,
}

impl<C, M: Fn(&[u8]) -> Result<C, Unavailable>> Fresh<C, M> {
    /// # Errors
    /// If `make` fails.
    pub(super) fn new(cell: &Cell, key_len: usize, make: M) -> Result<Self, Unavailable> {
        Self::of(new_keys(cell, key_len), make)
    }

    /// With given keys, if not all bytes are valid keys.
    ///
    /// # Errors
    /// If `make` fails.
    pub(super) fn of(keys: Vec<Vec<u8>>, make: M) -> Result<Self, Unavailable> {
        Ok(Self { cipher: make(&keys[0])?, make, keys })
    }

    /// Calls `take` with the key of message `i` of the rotation, or, if it returns false, `with` and a new
    /// object.
    /// `with` and one that has been made anew.
    #[inline(always)]
    pub(super) fn put<T>(
        &mut self,
        i: usize,
        text: &mut T,
        take: impl FnOnce(&mut C, &[u8], &mut T) -> bool,
        with: impl FnOnce(&mut C, &mut T),
    ) {
        let key = &self.keys[i];
        if !take(&mut self.cipher, key, text) {
            self.cipher = (self.make)(key).expect("it has been made before");
            with(&mut self.cipher, text);
        }
    }

    /// Sets the key of message `i`, with `take` or a new object.
    #[inline(always)]
    pub(super) fn with(&mut self, i: usize, take: impl FnOnce(&mut C, &[u8]) -> bool) -> &mut C {
        self.put(i, &mut (), |cipher, key, ()| take(cipher, key), |_, ()| ());
        &mut self.cipher
    }
}

/// Calls of a cipher whose messages have separate keys, which are set with the message or before it.
pub(super) struct FreshCipher<C, M, T, W> {
    pub(super) fresh: Fresh<C, M>,
    pub(super) take: T,
    pub(super) with: W,
    pub(super) note: &'static str,
}

impl<C, M, T, W> CipherCalls for FreshCipher<C, M, T, W>
where
    M: Fn(&[u8]) -> Result<C, Unavailable>,
    T: Fn(&mut C, &[u8], &[u8; 16], &mut [u8]) -> bool,
    W: Fn(&mut C, &[u8; 16], &mut [u8]),
{
    fn messages(&mut self, calls: usize, turn: &mut Turn, all: &mut [Buffer]) {
        for _ in 0..calls {
            let next = turn.take_one(all.len());
            let Buffer { ivs, texts } = &mut all[next];
            let first = next * texts.len();
            for (i, (iv, text)) in ivs.iter().zip(texts).enumerate() {
                let take = |cipher: &mut C, key: &[u8], text: &mut Text| {
                    (self.take)(cipher, key, iv, text)
                };
                self.fresh.put(first + i, text, take, |cipher, text| (self.with)(cipher, iv, text));
            }
        }
    }

    fn note(&self) -> &'static str {
        self.note
    }
}

/// Calls of a MAC whose messages have separate keys.
pub(super) struct FreshHash<C, M>(pub(super) Fresh<C, M>);

impl<C: Hash, M: Fn(&[u8]) -> Result<C, Unavailable>> HashCalls for FreshHash<C, M> {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let len = digests.len() / texts.len();
        for _ in 0..calls {
            for i in turn.take(texts.len()) {
                let (text, mut digest) = (&texts[i], &mut digests[i * len..][..len]);
                self.0.put(
                    i,
                    &mut digest,
                    |hash, key, digest| hash.message_fresh(key, text, digest),
                    |hash, digest| hash.message(text, digest),
                );
            }
        }
    }

    fn note(&self) -> &'static str {
        C::NOTE
    }
}
