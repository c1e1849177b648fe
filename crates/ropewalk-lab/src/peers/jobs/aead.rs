//! Work of authenticated ciphers: sealing, opening, and taking keys.

use std::hint::black_box;

use ropewalk::{aes_ccm, aes_gcm, chacha20_poly1305};

use super::{
    Text, Turn, bytes,
    cipher::{Counting, Ctr, ctr_calls},
    inputs, iv, keys,
    keys::{made, new_keys, of_message},
    of_mut, places, whole,
};
use crate::{
    peers::{Job, Unavailable},
    tasks::{AeadOp, Cell, Kind, Mode},
};

/// An authenticated cipher with its key.
pub trait Aead {
    /// Additional work when sealing, which other libraries do not need.
    const SEAL_NOTE: &str = "";

    /// Additional work when opening, which other libraries do not need.
    const OPEN_NOTE: &str = "";

    /// Whether a message can be sealed in chunks.
    const STREAMS: bool = false;

    /// Encrypts one message in place and writes its tag.
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]);

    /// Decrypts one message to `text`, which has the same length, and returns whether `tag` is right. A
    /// library that only works in place copies it there first, and says so in `OPEN_NOTE`.
    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool;

    /// Takes another key of the same length, ready to seal.
    fn rekey(&mut self, key: &[u8]);

    /// Seals with another key of the same length, as [`Aead::seal`].
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

    /// Opens with another key of the same length, as [`Aead::open`].
    fn open_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.rekey(key);
        self.open(nonce, aad, sealed, tag, text)
    }

    /// Starts a message without additional data, whose chunks follow with `seal_piece`.
    fn begin(&mut self, _: &[u8; 12]) {
        unreachable!("it has no streams");
    }

    /// Encrypts the next chunk of the message in place.
    fn seal_piece(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }
}

/// The note for libraries that copy a message before they open it.
pub const COPIES: &str = "opens in place only: the copy of the message counts";

/// Consecutive calls of an authenticated cipher, which a job times. A function for batches implements it
/// directly.
pub trait AeadCalls {
    /// Makes `calls` calls that seal the next messages.
    fn seal(&mut self, calls: usize, turn: &mut Turn, messages: &mut [Message]);

    /// Makes `calls` calls that open them to texts, as many as a call has, and returns whether every tag was
    /// right.
    fn open(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        messages: &[Message],
        texts: &mut [Text],
    ) -> bool;

    /// Additional work when sealing, which other libraries do not need.
    fn seal_note(&self) -> &'static str {
        ""
    }

    /// Additional work when opening, which other libraries do not need.
    fn open_note(&self) -> &'static str {
        ""
    }
}

/// Consecutive calls that set keys.
trait KeyCalls {
    fn rekey(&mut self, calls: usize, keys: &mut Keys);

    fn set_key(&mut self, calls: usize, keys: &mut Keys);

    /// Data that shows which key a cipher has, and that it seals.
    fn probe(&mut self, op: AeadOp, key: &[u8]) -> Vec<u8>;
}

/// A job of an authenticated cipher. `make` makes one from a key.
///
/// # Errors
/// For a stream with a cipher that only seals whole messages, and if `make` fails.
pub fn aead<C: Aead + 'static>(
    cell: &Cell,
    op: AeadOp,
    key_len: usize,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    let messages = matches!(op, AeadOp::Seal | AeadOp::Open);
    if messages && cell.mode != Mode::Setup {
        let mut ciphers = made(&keys(cell, key_len), &make)?;
        if C::STREAMS && cell.mode == Mode::Stream && op == AeadOp::Seal {
            let pieces = Pieces { cipher: ciphers.remove(0), nonce: [0; 12], bytes: 0 };
            return Ok(ctr_calls(cell, Counting(pieces)));
        }
        return aead_calls(cell, op, key_len, Sealing(ciphers));
    }
    whole(cell)?;
    if cell.key_count() > 1 {
        return Err(Unavailable("takes its keys one after the other".into()));
    }
    let cipher = make(&keys(cell, key_len)[0])?;
    match op {
        AeadOp::SetKey | AeadOp::Rekey => {
            let work = Box::new(Keyed { cipher, make });
            Ok(Box::new(KeyJob { count: cell.count, op, work, keys: Keys::new(key_len) }))
        }
        // In that mode, sealing uses a key that was never used before.
        AeadOp::Seal | AeadOp::SealFresh => {
            let fresh = Fresh { cipher, keys: new_keys(cell, key_len) };
            aead_calls(cell, AeadOp::Seal, key_len, fresh)
        }
        AeadOp::Open => {
            let fresh = Fresh { cipher, keys: new_keys(cell, key_len) };
            aead_calls(cell, op, key_len, fresh)
        }
    }
}

/// A job that seals or opens, from an implementation of the calls, which has the key of each message.
///
/// # Errors
/// For a stream, and for other operations.
pub fn aead_calls(
    cell: &Cell,
    op: AeadOp,
    key_len: usize,
    calls: impl AeadCalls + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let work = Box::new(calls);
    match op {
        AeadOp::Seal => {
            let (messages, turn) = (messages(cell), Turn::new(cell.count));
            Ok(Box::new(SealJob { cell: *cell, work, messages, turn }))
        }
        AeadOp::Open => Ok(Box::new(OpenJob::new(cell, work, &keys(cell, key_len))?)),
        _ => Err(Unavailable("takes its keys one after the other".into())),
    }
}

struct SealJob {
    cell: Cell,
    work: Box<dyn AeadCalls>,
    messages: Vec<Message>,
    turn: Turn,
}

/// One message of a job.
pub struct Message {
    /// Its nonce.
    pub nonce: [u8; 12],
    /// The text, or the sealed text.
    pub text: Text,
    /// Its tag.
    pub tag: [u8; 16],
}

/// Header data of every message, as long as that of a TLS 1.2 record.
pub const AAD: [u8; 13] = *b"header data..";

fn messages(cell: &Cell) -> Vec<Message> {
    let texts = inputs(cell).into_iter().enumerate();
    let nonce = |i: usize| iv(i as u64)[4..].try_into().expect("twelve of sixteen");
    texts.map(|(i, text)| Message { nonce: nonce(i), text, tag: [0; 16] }).collect()
}

/// All outputs.
fn out(messages: &[Message]) -> Vec<u8> {
    let sealed = |message: &Message| [&message.text[..], &message.tag].concat();
    messages.iter().flat_map(sealed).collect()
}

impl SealJob {
    fn reset(&mut self) {
        self.messages = messages(&self.cell);
        self.turn = Turn::new(self.cell.count);
    }
}

impl Job for SealJob {
    fn run(&mut self, calls: usize) {
        self.work.seal(calls, &mut self.turn, &mut self.messages);
    }

    fn answer(&mut self) -> Vec<u8> {
        self.reset();
        self.run(self.messages.len() / self.cell.count);
        let out = out(&self.messages);
        self.reset();
        out
    }

    fn note(&self) -> &'static str {
        self.work.seal_note()
    }
}

struct OpenJob {
    work: Box<dyn AeadCalls>,
    messages: Vec<Message>,
    /// A buffer for each message of a call, as in a program.
    texts: Vec<Text>,
    turn: Turn,
}

impl OpenJob {
    /// The messages to open were sealed by ropewalk's portable backend, which is the reference.
    fn new(cell: &Cell, work: Box<dyn AeadCalls>, keys: &[Vec<u8>]) -> Result<Self, Unavailable> {
        let mut messages = messages(cell);
        for (i, Message { nonce, text, tag }) in messages.iter_mut().enumerate() {
            let key = of_message(cell, keys, i);
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
        let texts = places(cell, cell.lens());
        Ok(Self { work, messages, texts, turn: Turn::new(cell.count) })
    }
}

impl Job for OpenJob {
    fn run(&mut self, calls: usize) {
        black_box(self.work.open(calls, &mut self.turn, &self.messages, &mut self.texts));
    }

    /// Each text, whether it was accepted, and whether it was accepted with a wrong tag.
    fn answer(&mut self) -> Vec<u8> {
        let Self { work, messages, texts, turn } = self;
        let mut out = Vec::new();
        *turn = Turn::new(turn.count());
        for _ in 0..messages.len() / turn.count() {
            let mut again = turn.clone();
            let opened = turn.clone().take(messages.len());
            texts.iter_mut().for_each(|text| text.fill(0));
            let right = work.open(1, turn, messages, texts);
            out.extend(texts.concat());
            messages[opened.clone()].iter_mut().for_each(|message| message.tag[15] ^= 1);
            let fooled = work.open(1, &mut again, messages, texts);
            messages[opened].iter_mut().for_each(|message| message.tag[15] ^= 1);
            out.extend([u8::from(right), u8::from(fooled)]);
        }
        out
    }

    fn note(&self) -> &'static str {
        self.work.open_note()
    }
}

/// Keys, repeated only after caches and predictors have forgotten them.
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

/// A job that sets keys.
struct KeyJob {
    count: usize,
    op: AeadOp,
    work: Box<dyn KeyCalls>,
    keys: Keys,
}

impl Job for KeyJob {
    fn run(&mut self, calls: usize) {
        let calls = calls * self.count;
        match self.op {
            AeadOp::SetKey => self.work.set_key(calls, &mut self.keys),
            _ => self.work.rekey(calls, &mut self.keys),
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.keys.next = 0;
        self.keys.keys.iter().flat_map(|key| self.work.probe(self.op, key)).collect()
    }
}

/// A new key for each message.
struct Fresh<C> {
    cipher: C,
    keys: Vec<Vec<u8>>,
}

impl<C: Aead> AeadCalls for Fresh<C> {
    fn seal(&mut self, calls: usize, turn: &mut Turn, messages: &mut [Message]) {
        for _ in 0..calls {
            for i in turn.take(messages.len()) {
                let Message { nonce, text, tag } = &mut messages[i];
                self.cipher.seal_fresh(&self.keys[i], nonce, &AAD, text, tag);
            }
        }
    }

    fn open(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        messages: &[Message],
        texts: &mut [Text],
    ) -> bool {
        let mut right = true;
        for _ in 0..calls {
            for (i, out) in turn.take(messages.len()).zip(&mut *texts) {
                let Message { nonce, text, tag } = &messages[i];
                right &= self.cipher.open_fresh(&self.keys[i], nonce, &AAD, text, tag, out);
            }
        }
        right
    }

    fn seal_note(&self) -> &'static str {
        C::SEAL_NOTE
    }

    fn open_note(&self) -> &'static str {
        C::OPEN_NOTE
    }
}

/// A job that seals one long message, like a cipher in counter mode.
struct Pieces<C> {
    cipher: C,
    nonce: [u8; 12],
    bytes: u64,
}

impl<C: Aead> Ctr for Pieces<C> {
    fn message(&mut self, _: &[u8; 16], _: &mut [u8]) {
        unreachable!("messages that are whole are sealed otherwise");
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.nonce.copy_from_slice(&iv[4..]);
        self.cipher.begin(&self.nonce);
        self.bytes = 0;
    }

    fn update(&mut self, text: &mut [u8]) {
        // Half of the limit of AES-GCM for a message.
        const MOST: u64 = 1 << 35;
        self.bytes += text.len() as u64;
        if self.bytes > MOST {
            self.cipher.begin(&self.nonce);
            self.bytes = text.len() as u64;
        }
        self.cipher.seal_piece(text);
    }
}

/// One key for all messages, or one for each.
struct Sealing<C>(Vec<C>);

impl<C: Aead> AeadCalls for Sealing<C> {
    fn seal(&mut self, calls: usize, turn: &mut Turn, messages: &mut [Message]) {
        // For a single message per call the loop has no inner loop.
        if let [cipher] = &mut self.0[..]
            && turn.count() == 1
        {
            for _ in 0..calls {
                let Message { nonce, text, tag } = &mut messages[turn.take_one(messages.len())];
                cipher.seal(nonce, &AAD, text, tag);
            }
            return;
        }
        for _ in 0..calls {
            let range = turn.take(messages.len());
            for (i, Message { nonce, text, tag }) in messages[range].iter_mut().enumerate() {
                of_mut(&mut self.0, i).seal(nonce, &AAD, text, tag);
            }
        }
    }

    fn open(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        messages: &[Message],
        texts: &mut [Text],
    ) -> bool {
        let mut right = true;
        if let ([cipher], [text]) = (&mut self.0[..], &mut *texts) {
            for _ in 0..calls {
                let Message { nonce, text: sealed, tag } = &messages[turn.take_one(messages.len())];
                right &= cipher.open(nonce, &AAD, sealed, tag, text);
            }
            return right;
        }
        for _ in 0..calls {
            let messages = &messages[turn.take(messages.len())];
            for (i, (message, text)) in messages.iter().zip(&mut *texts).enumerate() {
                let Message { nonce, text: sealed, tag } = message;
                right &= of_mut(&mut self.0, i).open(nonce, &AAD, sealed, tag, text);
            }
        }
        right
    }

    fn seal_note(&self) -> &'static str {
        C::SEAL_NOTE
    }

    fn open_note(&self) -> &'static str {
        C::OPEN_NOTE
    }
}

/// A cipher that can be rekeyed, and the function that makes another.
struct Keyed<C, M> {
    cipher: C,
    make: M,
}

impl<C: Aead, M: Fn(&[u8]) -> Result<C, Unavailable>> KeyCalls for Keyed<C, M> {
    fn rekey(&mut self, calls: usize, keys: &mut Keys) {
        for _ in 0..calls {
            self.cipher.rekey(keys.next());
            black_box(&mut self.cipher);
        }
    }

    fn set_key(&mut self, calls: usize, keys: &mut Keys) {
        for _ in 0..calls {
            black_box((self.make)(keys.next()).expect("it has been made before"));
        }
    }

    fn probe(&mut self, op: AeadOp, key: &[u8]) -> Vec<u8> {
        let (mut text, mut tag) = ([0; 16], [0; 16]);
        match op {
            AeadOp::SetKey => self.cipher = (self.make)(key).expect("it has been made before"),
            _ => self.cipher.rekey(key),
        }
        self.cipher.seal(&[0; 12], &AAD, &mut text, &mut tag);
        [text, tag].concat()
    }
}
