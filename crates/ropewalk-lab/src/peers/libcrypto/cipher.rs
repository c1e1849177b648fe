//! AES in counter mode, CBC, XTS and ECB, and ciphers with the same calls, in place on one context.
//!
//! `EVP_EncryptFinal_ex` is not called: without padding, it does nothing.

use super::{
    api,
    evp::{Context, Evp, Mode},
    failed,
    source::Source,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Direction,
};

/// Counter mode, and a cipher with the same calls: ChaCha20.
pub(super) struct Ctr {
    context: Context,
    /// Whether the last start has succeeded.
    started: bool,
}

impl Ctr {
    pub(super) fn new(source: Source, mode: Mode, key: &[u8]) -> Result<Self, Unavailable> {
        let evp = Evp::new(source, mode, Direction::Encrypt, key.len())?;
        Ok(Self { context: evp.context(key)?, started: false })
    }
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.started = self.context.start(iv);
    }

    fn update(&mut self, text: &mut [u8]) {
        if !self.started {
            // A failed call must not look like an answer.
            text.fill(0);
            return;
        }
        self.context.update(text);
    }

    fn message_fresh(&mut self, key: &[u8], iv: &[u8; 16], text: &mut [u8]) -> bool {
        self.started = self.context.start_fresh(key, iv);
        self.update(text);
        self.started
    }
}

/// RC4, whose key starts a message.
pub(super) struct Rc4 {
    ctr: Ctr,
    key: Vec<u8>,
}

impl Rc4 {
    pub(super) fn new(source: Source, key: &[u8]) -> Result<Self, Unavailable> {
        Ok(Self { ctr: Ctr::new(source, Mode::Rc4, key)?, key: key.to_vec() })
    }
}

impl jobs::Ctr for Rc4 {
    fn start(&mut self, _: &[u8; 16]) {
        self.ctr.started = self.ctr.context.rekey(&self.key);
    }

    fn update(&mut self, text: &mut [u8]) {
        self.ctr.update(text);
    }
}

/// CBC mode, and a mode with the same calls: XTS.
pub(super) struct Cbc {
    context: Context,
    /// Whether the last start has succeeded.
    started: bool,
}

impl Cbc {
    pub(super) fn new(
        source: Source,
        mode: Mode,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let context = Evp::new(source, mode, direction, key.len())?.context(key)?;
        let api = api::Padding::load(source.library)?;
        // SAFETY: the context is alive.
        let done = unsafe { (api.EVP_CIPHER_CTX_set_padding)(context.ctx, 0) };
        match done {
            1 => Ok(Self { context, started: false }),
            _ => Err(failed("EVP_CIPHER_CTX_set_padding")),
        }
    }
}

impl jobs::Cbc for Cbc {
    const STREAMS: bool = true;

    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        if !(self.context.start(iv) && self.context.update(text)) {
            text.fill(0);
        }
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.started = self.context.start(iv);
    }

    fn update(&mut self, text: &mut [u8]) {
        if !(self.started && self.context.update(text)) {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }

    fn message_fresh(&mut self, key: &[u8], iv: &[u8; 16], text: &mut [u8]) -> bool {
        self.context.start_fresh(key, iv) && self.context.update(text)
    }
}

/// ECB mode, which needs no start.
pub(super) struct Ecb(pub(super) Cbc);

impl jobs::Cbc for Ecb {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        self.0.context.update(text);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.context.rekey(key)
    }
}

#[cfg(test)]
mod tests {
    use ropewalk::aes_ctr::{Counter, Key};

    use super::*;
    use crate::peers::{dl, jobs::Ctr as _, libcrypto::evp::PIECE};

    /// Chunks may end anywhere in a block.
    #[test]
    fn long_text_goes_in_pieces() {
        let libraries = ["libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1"];
        let Some(library) = libraries.iter().find_map(|name| dl::open(name).ok()) else {
            return;
        };
        let (key, iv, mut text, mut right) =
            ([1; 16], [2; 16], [3; 2 * PIECE + 5], [3; 2 * PIECE + 5]);
        let mut ctr = Ctr::new(Source::of(library), Mode::Ctr, &key).unwrap();
        ctr.message(&iv, &mut text);
        let key = Key::new(&key).unwrap();
        key.apply_keystream(Counter::Bits128, &iv, &mut right).unwrap();
        assert!(text == right);
    }
}
