//! Work of GMAC: tags of messages, each with a separate nonce.

use super::{Aead, Text, fresh::Fresh, inputs, iv, key, whole};
use crate::{
    peers::{Job, Unavailable},
    tasks::{Cell, Mode},
};

/// GMAC with its key.
pub trait Gmac {
    /// Writes the tag of one message.
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]);

    /// Takes another key of the same length, if that is the recommended way of its library, and returns
    /// whether it did: otherwise a new one is made, and this one dropped.
    fn rekey(&mut self, _: &[u8]) -> bool {
        false
    }

    /// Sets another key for one message, if there is a single call for that, and returns whether it did.
    fn mac_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        message: &[u8],
        tag: &mut [u8; 16],
    ) -> bool {
        let taken = self.rekey(key);
        if taken {
            self.mac(nonce, message, tag);
        }
        taken
    }
}

/// GMAC with AES-GCM: a message is header data, and there is no text.
pub struct HeaderAlone<C>(pub C);

impl<C: Aead> Gmac for HeaderAlone<C> {
    #[inline(always)]
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        self.0.seal(nonce, message, &mut [], tag);
    }

    fn mac_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        message: &[u8],
        tag: &mut [u8; 16],
    ) -> bool {
        self.0.seal_fresh(key, nonce, message, &mut [], tag);
        true
    }
}

/// A job of GMAC. `make` makes one from a key.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn gmac<C: Gmac + 'static>(
    cell: &Cell,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    if cell.mode == Mode::Setup {
        return Ok(job(cell, Fresh::new(cell, key_len, make)?));
    }
    Ok(job(cell, Alone(make(&key(key_len))?)))
}

/// GMAC with the key of each message.
trait Keyed {
    /// Writes the tag of message `i`.
    fn mac(&mut self, i: usize, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]);
}

struct Alone<C>(C);

impl<C: Gmac> Keyed for Alone<C> {
    #[inline(always)]
    fn mac(&mut self, _: usize, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        self.0.mac(nonce, message, tag);
    }
}

impl<C: Gmac, M: Fn(&[u8]) -> Result<C, Unavailable>> Keyed for Fresh<C, M> {
    #[inline(always)]
    fn mac(&mut self, i: usize, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        self.put(
            i,
            tag,
            |mac, key, tag| mac.mac_fresh(key, nonce, message, tag),
            |mac, tag| mac.mac(nonce, message, tag),
        );
    }
}

fn job(cell: &Cell, mac: impl Keyed + 'static) -> Box<dyn Job> {
    let messages: Vec<_> = inputs(cell)
        .into_iter()
        .enumerate()
        .map(|(i, text)| {
            let nonce = iv(i as u64)[4..].try_into().expect("twelve of sixteen");
            Message { nonce, text, tag: [0; 16] }
        })
        .collect();
    Box::new(GmacJob { count: cell.count, mac, messages, next: 0 })
}

struct GmacJob<M> {
    count: usize,
    mac: M,
    messages: Vec<Message>,
    next: usize,
}

struct Message {
    nonce: [u8; 12],
    text: Text,
    tag: [u8; 16],
}

impl<M: Keyed> Job for GmacJob<M> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.count {
            let Message { nonce, text, tag } = &mut self.messages[self.next];
            self.mac.mac(self.next, nonce, text, tag);
            self.next = if self.next + 1 == self.messages.len() { 0 } else { self.next + 1 };
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        for (i, Message { nonce, text, tag }) in self.messages.iter_mut().enumerate() {
            tag.fill(0);
            self.mac.mac(i, nonce, text, tag);
            out.extend_from_slice(tag);
        }
        out
    }
}
