//! Work of GMAC: tags of messages, each with a nonce of its own.

use super::{Aead, inputs, iv, whole};
use crate::{
    peers::{Job, Unavailable},
    tasks::Cell,
};

/// GMAC that has its key.
pub trait Gmac {
    /// Writes the tag of one message.
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]);
}

/// GMAC by AES-GCM: a message is header data, and there is no text.
pub struct HeaderAlone<C>(pub C);

impl<C: Aead> Gmac for HeaderAlone<C> {
    #[inline(always)]
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        self.0.seal(nonce, message, &mut [], tag);
    }
}

/// A job of GMAC.
///
/// # Errors
/// For a stream.
pub fn gmac(cell: &Cell, mac: impl Gmac + 'static) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let messages: Vec<_> = inputs(cell)
        .into_iter()
        .enumerate()
        .map(|(i, text)| {
            let nonce = iv(i as u64)[4..].try_into().expect("twelve of sixteen");
            Message { nonce, text, tag: [0; 16] }
        })
        .collect();
    Ok(Box::new(GmacJob { count: cell.count, mac, messages, next: 0 }))
}

struct GmacJob<M> {
    count: usize,
    mac: M,
    messages: Vec<Message>,
    next: usize,
}

struct Message {
    nonce: [u8; 12],
    text: Vec<u8>,
    tag: [u8; 16],
}

impl<M: Gmac> Job for GmacJob<M> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.count {
            let Message { nonce, text, tag } = &mut self.messages[self.next];
            self.mac.mac(nonce, text, tag);
            self.next = if self.next + 1 == self.messages.len() { 0 } else { self.next + 1 };
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        for Message { nonce, text, tag } in &mut self.messages {
            tag.fill(0);
            self.mac.mac(nonce, text, tag);
            out.extend_from_slice(tag);
        }
        out
    }
}
