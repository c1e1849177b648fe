//! Work of authenticated ciphers: sealing, opening, and taking keys.

use std::hint::black_box;

use ropewalk::{aes_ccm, aes_gcm, chacha20_poly1305};

use super::{bytes, inputs, iv, keys, keys::Made, of, whole};
use crate::{
    peers::{Job, Unavailable},
    tasks::{AeadOp, Cell, Kind},
};

/// An authenticated cipher that has its key.
pub trait Aead {
    /// What sealing does besides, that others do not need.
    const SEAL_NOTE: &str = "";

    /// What opening does besides, that others do not need.
    const OPEN_NOTE: &str = "";

    /// Encrypts one message in place and writes its tag.
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]);

    /// Decrypts one message to `text`, which is as long, and says whether `tag` is its tag. A
    /// library that works in place alone copies it there first, and says so in `OPEN_NOTE`.
    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool;

    /// Encrypts many messages in place and writes their tags.
    fn seal_all(&mut self, aad: &[u8], messages: &mut [Message]) {
        for Message { nonce, text, tag } in messages {
            self.seal(nonce, aad, text, tag);
        }
    }

    /// Decrypts many messages, each to a text of its own, and says whether every tag was right.
    fn open_all(&mut self, aad: &[u8], messages: &[Message], texts: &mut [Vec<u8>]) -> bool {
        let mut right = true;
        for (Message { nonce, text: sealed, tag }, text) in messages.iter().zip(texts) {
            right &= self.open(nonce, aad, sealed, tag, text);
        }
        right
    }

    /// Becomes another key of the same length, ready to seal.
    fn rekey(&mut self, key: &[u8]);

    /// Seals with another key of the same length.
    fn seal_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &mut [u8; 16],
    ) {
        self.rekey(key);
        self.seal(nonce, aad, text, tag);
    }
}

/// The note of those that copy a message before they open it.
pub const COPIES: &str = "opens in place only: the copy of the message counts";

/// A job of an authenticated cipher. `make` makes one that is ready, from a key.
///
/// # Errors
/// For a stream, and where `make` fails.
pub fn aead<C: Aead + 'static>(
    cell: &Cell,
    op: AeadOp,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    let cipher = match Made::new(cell, &keys(cell, key_len), |key| make(key))? {
        Made::One(cipher) => cipher,
        Made::Each(ciphers) => return aead_of_keys(cell, op, key_len, ciphers),
    };
    whole(cell)?;
    Ok(match op {
        AeadOp::Seal | AeadOp::Open => return aead_of_keys(cell, op, key_len, cipher),
        AeadOp::SealFresh => {
            Box::new(FreshJob { sealing: SealJob::new(cell, cipher), keys: Keys::new(key_len) })
        }
        AeadOp::SetKey => Box::new(SetKeyJob { cell: *cell, make, keys: Keys::new(key_len) }),
        AeadOp::Rekey => Box::new(RekeyJob { cell: *cell, cipher, keys: Keys::new(key_len) }),
    })
}

/// What seals or opens, from a cipher that knows the key of each message.
///
/// # Errors
/// For a stream, and for what does neither.
pub fn aead_of_keys<C: Aead + 'static>(
    cell: &Cell,
    op: AeadOp,
    key_len: usize,
    cipher: C,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    match op {
        AeadOp::Seal => Ok(Box::new(SealJob::new(cell, cipher))),
        AeadOp::Open => Ok(Box::new(OpenJob::new(cell, cipher, &keys(cell, key_len))?)),
        _ => Err(Unavailable("takes its keys one after the other".into())),
    }
}

struct SealJob<C> {
    cell: Cell,
    cipher: C,
    messages: Vec<Message>,
    next: usize,
}

/// One message of a job.
pub struct Message {
    /// Its nonce.
    pub nonce: [u8; 12],
    /// What is sealed, or what was.
    pub text: Vec<u8>,
    /// Its tag.
    pub tag: [u8; 16],
}

/// Header data, as long as that of a TLS 1.2 record.
const AAD: [u8; 13] = *b"header data..";

impl<C: Aead> SealJob<C> {
    fn new(cell: &Cell, cipher: C) -> Self {
        Self { cell: *cell, cipher, messages: messages(cell), next: 0 }
    }

    fn reset(&mut self) {
        self.messages = messages(&self.cell);
        self.next = 0;
    }

    /// Everything that it has put out.
    fn out(&self) -> Vec<u8> {
        let sealed = |message: &Message| [message.text.as_slice(), &message.tag].concat();
        self.messages.iter().flat_map(sealed).collect()
    }
}

fn messages(cell: &Cell) -> Vec<Message> {
    let texts = inputs(cell).into_iter().enumerate();
    let nonce = |i: usize| iv(i as u64)[4..].try_into().expect("twelve of sixteen");
    texts.map(|(i, text)| Message { nonce: nonce(i), text, tag: [0; 16] }).collect()
}

impl<C: Aead> Job for SealJob<C> {
    fn run(&mut self, calls: usize) {
        let count = self.cell.count;
        if count > 1 {
            for _ in 0..calls {
                self.cipher.seal_all(&AAD, &mut self.messages[self.next..][..count]);
                self.next =
                    if self.next + count == self.messages.len() { 0 } else { self.next + count };
            }
            return;
        }
        for _ in 0..calls {
            let Message { nonce, text, tag } = &mut self.messages[self.next];
            self.cipher.seal(nonce, &AAD, text, tag);
            self.next = if self.next + 1 == self.messages.len() { 0 } else { self.next + 1 };
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.reset();
        self.run(self.messages.len() / self.cell.count);
        let out = self.out();
        self.reset();
        out
    }

    fn note(&self) -> &'static str {
        C::SEAL_NOTE
    }
}

struct OpenJob<C> {
    cell: Cell,
    cipher: C,
    messages: Vec<Message>,
    /// One place for each of a call, as a program would have it.
    texts: Vec<Vec<u8>>,
    next: usize,
}

impl<C: Aead> OpenJob<C> {
    /// What is opened was sealed by ropewalk's portable backend, against which all is compared.
    fn new(cell: &Cell, cipher: C, keys: &[Vec<u8>]) -> Result<Self, Unavailable> {
        let mut messages = messages(cell);
        for (i, Message { nonce, text, tag }) in messages.iter_mut().enumerate() {
            let key = of(keys, i % cell.count);
            let sealed = match cell.task.kind {
                Kind::ChaChaPoly { .. } => {
                    chacha20_poly1305::Key::with_backend(key, "chacha20_poly1305/portable")
                        .and_then(|key| key.seal(nonce, &AAD, text))
                }
                Kind::Ccm { .. } => aes_ccm::Key::with_backend(key, "aes_ccm/portable")
                    .and_then(|key| key.seal(nonce, &AAD, text)),
                _ => aes_gcm::Key::with_backend(key, "aes_gcm/portable")
                    .and_then(|key| key.seal(nonce, &AAD, text)),
            };
            tag.copy_from_slice(&sealed.map_err(|error| Unavailable(error.to_string()))?);
        }
        Ok(Self {
            cell: *cell,
            cipher,
            messages,
            texts: cell.lens().map(|len| vec![0; len]).collect(),
            next: 0,
        })
    }
}

impl<C: Aead> Job for OpenJob<C> {
    fn run(&mut self, calls: usize) {
        let (count, texts) = (self.cell.count, &mut self.texts);
        if count > 1 {
            for _ in 0..calls {
                let messages = &self.messages[self.next..][..count];
                black_box(self.cipher.open_all(&AAD, messages, texts));
                self.next =
                    if self.next + count == self.messages.len() { 0 } else { self.next + count };
            }
            return;
        }
        for _ in 0..calls {
            let Message { nonce, text, tag } = &self.messages[self.next];
            black_box(self.cipher.open(nonce, &AAD, text, tag, &mut texts[0]));
            self.next = if self.next + 1 == self.messages.len() { 0 } else { self.next + 1 };
        }
    }

    /// Each text, whether it was taken for right, and whether it was with a wrong tag.
    fn answer(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        for messages in self.messages.chunks_mut(self.cell.count) {
            self.texts.iter_mut().for_each(|text| text.fill(0));
            let right = self.cipher.open_all(&AAD, messages, &mut self.texts);
            out.extend(self.texts.concat());
            messages.iter_mut().for_each(|message| message.tag[15] ^= 1);
            let fooled = self.cipher.open_all(&AAD, messages, &mut self.texts);
            messages.iter_mut().for_each(|message| message.tag[15] ^= 1);
            out.extend([u8::from(right), u8::from(fooled)]);
        }
        out
    }

    fn note(&self) -> &'static str {
        C::OPEN_NOTE
    }
}

/// Keys that come round again only when everybody has forgotten them.
struct Keys {
    keys: Vec<Vec<u8>>,
    next: usize,
}

impl Keys {
    fn new(len: usize) -> Self {
        const COUNT: u64 = 64;
        Self { keys: (0..COUNT).map(|i| bytes(1 << 32 | i, len)).collect(), next: 0 }
    }

    fn next(&mut self) -> &[u8] {
        let key = self.next;
        self.next = if key + 1 == self.keys.len() { 0 } else { key + 1 };
        &self.keys[key]
    }
}

struct FreshJob<C> {
    sealing: SealJob<C>,
    keys: Keys,
}

impl<C: Aead> Job for FreshJob<C> {
    fn run(&mut self, calls: usize) {
        let sealing = &mut self.sealing;
        for _ in 0..calls * sealing.cell.count {
            let Message { nonce, text, tag } = &mut sealing.messages[sealing.next];
            sealing.cipher.seal_fresh(self.keys.next(), nonce, &AAD, text, tag);
            sealing.next =
                if sealing.next + 1 == sealing.messages.len() { 0 } else { sealing.next + 1 };
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.sealing.reset();
        self.keys.next = 0;
        self.run(self.sealing.messages.len() / self.sealing.cell.count);
        let out = self.sealing.out();
        self.sealing.reset();
        out
    }

    fn note(&self) -> &'static str {
        C::SEAL_NOTE
    }
}

struct SetKeyJob<M> {
    cell: Cell,
    make: M,
    keys: Keys,
}

impl<C: Aead, M: Fn(&[u8]) -> Result<C, Unavailable>> Job for SetKeyJob<M> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.cell.count {
            black_box((self.make)(self.keys.next()).expect("it has been made before"));
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.keys.next = 0;
        let keys = self.keys.keys.iter();
        keys.flat_map(|key| probe(&mut (self.make)(key).expect("as above"))).collect()
    }
}

struct RekeyJob<C> {
    cell: Cell,
    cipher: C,
    keys: Keys,
}

impl<C: Aead> Job for RekeyJob<C> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.cell.count {
            self.cipher.rekey(self.keys.next());
            black_box(&mut self.cipher);
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.keys.next = 0;
        let mut out = Vec::new();
        for key in &self.keys.keys {
            self.cipher.rekey(key);
            out.extend(probe(&mut self.cipher));
        }
        out
    }
}

/// What shows which key a cipher has, and that it seals.
fn probe(cipher: &mut impl Aead) -> Vec<u8> {
    let (mut text, mut tag) = ([0; 16], [0; 16]);
    cipher.seal(&[0; 12], &AAD, &mut text, &mut tag);
    [text, tag].concat()
}
