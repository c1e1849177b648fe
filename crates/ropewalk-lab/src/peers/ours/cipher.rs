//! AES in its modes, AES key wrap, and ChaCha20.

use ropewalk::{
    aes_cbc,
    aes_ctr::{self, Counter, Key, Stream},
    aes_ecb, aes_kw, aes_xts, chacha20,
};

use crate::peers::jobs;

/// A key, and a message that is processed in chunks.
pub(super) struct Cipher(Key, Option<Stream>);

impl Cipher {
    pub(super) fn new(key: Key) -> Self {
        Self(key, None)
    }
}

impl jobs::Ctr for Cipher {
    // As with the other libraries, whose one call is inlined without being requested.
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.0.apply_keystream(Counter::Bits128, iv, text).expect("no length is too long");
    }
    fn start(&mut self, iv: &[u8; 16]) {
        self.1 = Some(Stream::new(Counter::Bits128, iv));
    }
    fn update(&mut self, text: &mut [u8]) {
        let stream = self.1.as_mut().expect(STARTED);
        stream.apply_keystream(&self.0, text).expect("no length is too long");
    }
}

const STARTED: &str = "it has been started";

/// A key, whether it encrypts, and the block that the next chunk is chained to.
pub(super) struct Cbc<const ENCRYPT: bool>(aes_cbc::Key, [u8; 16]);

impl<const ENCRYPT: bool> Cbc<ENCRYPT> {
    pub(super) fn new(key: aes_cbc::Key) -> Self {
        Self(key, [0; 16])
    }
}

impl<const ENCRYPT: bool> jobs::Cbc for Cbc<ENCRYPT> {
    const STREAMS: bool = true;

    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let done = if ENCRYPT { self.0.encrypt(iv, text) } else { self.0.decrypt(iv, text) };
        done.expect("whole blocks");
    }
    fn start(&mut self, iv: &[u8; 16]) {
        self.1 = *iv;
    }
    fn update(&mut self, text: &mut [u8]) {
        let sealed = text.last_chunk().copied();
        let iv = self.1;
        self.message(&iv, text);
        let sealed = if ENCRYPT { text.last_chunk().copied() } else { sealed };
        self.1 = sealed.unwrap_or(iv);
    }
}

/// A key, and whether it encrypts.
pub(super) struct Ecb<const ENCRYPT: bool>(pub(super) aes_ecb::Key);

impl<const ENCRYPT: bool> jobs::Cbc for Ecb<ENCRYPT> {
    #[inline(always)]
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        let done = if ENCRYPT { self.0.encrypt(text) } else { self.0.decrypt(text) };
        done.expect("whole blocks");
    }
}

/// A key, whether it encrypts, and the tweak of a stream.
pub(super) struct Xts<const ENCRYPT: bool>(aes_xts::Key, [u8; 16]);

impl<const ENCRYPT: bool> Xts<ENCRYPT> {
    pub(super) fn new(key: aes_xts::Key) -> Self {
        Self(key, [0; 16])
    }
}

impl<const ENCRYPT: bool> jobs::Cbc for Xts<ENCRYPT> {
    const STREAMS: bool = true;

    #[inline(always)]
    fn message(&mut self, tweak: &[u8; 16], text: &mut [u8]) {
        let done = if ENCRYPT { self.0.encrypt(tweak, text) } else { self.0.decrypt(tweak, text) };
        done.expect("a block or more");
    }
    fn start(&mut self, tweak: &[u8; 16]) {
        self.1 = *tweak;
    }
    fn update(&mut self, text: &mut [u8]) {
        let tweak = self.1;
        self.message(&tweak, text);
    }
}

pub(super) struct KeyWrap(pub(super) aes_kw::Key);

impl jobs::KeyWrap for KeyWrap {
    #[inline(always)]
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        self.0.wrap_to(key, wrapped).expect("whole semiblocks");
    }
    #[inline(always)]
    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        self.0.unwrap_to(wrapped, key).is_ok()
    }
}

/// A key, and a message that is processed in chunks.
pub(super) struct ChaCha(chacha20::Key, Option<chacha20::Stream>);

impl ChaCha {
    pub(super) fn new(key: chacha20::Key) -> Self {
        Self(key, None)
    }
}

/// A counter, and a nonce.
pub(super) fn split(iv: &[u8; 16]) -> (u32, &[u8; 12]) {
    let (counter, nonce) = iv.split_first_chunk().expect("four of sixteen");
    (u32::from_le_bytes(*counter), nonce.try_into().expect("twelve of sixteen"))
}

impl jobs::Ctr for ChaCha {
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (counter, nonce) = split(iv);
        self.0.apply_keystream(counter, nonce, text).expect("no length is too long");
    }
    fn start(&mut self, iv: &[u8; 16]) {
        let (counter, nonce) = split(iv);
        self.1 = Some(chacha20::Stream::new(counter, nonce));
    }
    fn update(&mut self, text: &mut [u8]) {
        let stream = self.1.as_mut().expect(STARTED);
        if stream.apply_keystream(&self.0, text).is_err() {
            self.start(&[0; 16]);
        }
    }
}

/// Implements batches in a call, with one key or with separate keys, or serially. Messages are laid out
/// before the first call, as they are in a program.
macro_rules! many {
    (
        $($Name:ident of $module:ident, $iv:ident: |$many:ident, $messages:ident| $call:expr, |$message:ident| $alone:expr;)+
    ) => { $(
        pub(in super::super) struct $Name {
            keys: Vec<$module::Key>,
            /// None for the serial loop.
            many: Option<$module::Many>,
        }

        impl $Name {
            pub(in super::super) fn new(secrets: &[Vec<u8>], backend: &str) -> Result<Self, ropewalk::Error> {
                let many = side_by_side!($module::Many, backend)?;
                let keys = secrets.iter().map(|secret| $module::Key::new(secret));
                Ok(Self { keys: keys.collect::<Result<_, _>>()?, many })
            }
        }

        impl jobs::CipherCalls for $Name {
            fn messages(&mut self, calls: usize, turn: &mut jobs::Turn, all: &mut [jobs::Buffer]) {
                let mut laid_out = Vec::new();
                for jobs::Buffer { ivs, texts } in &mut *all {
                    let messages = ivs.iter().zip(texts).enumerate();
                    let messages = messages.map(|(i, ($iv, text))| {
                        $module::Message { key: jobs::of(&self.keys, i), $iv, text }
                    });
                    laid_out.push(messages.collect::<Vec<_>>());
                }
                for _ in 0..calls {
                    let next = turn.take_one(laid_out.len());
                    let $messages = &mut laid_out[next];
                    match &self.many {
                        Some($many) => $call.expect("lengths that it takes"),
                        None => for $message in $messages {
                            $alone.expect("a length that it takes");
                        },
                    }
                }
            }
        }
    )+ };
}

many! {
    CtrMany of aes_ctr, iv: |many, messages| many.apply_keystream(Counter::Bits128, messages),
        |message| message.key.apply_keystream(Counter::Bits128, message.iv, message.text);
    CbcMany of aes_cbc, iv: |many, messages| many.encrypt(messages), |message| message.key.encrypt(message.iv, message.text);
    XtsEncryptMany of aes_xts, tweak: |many, messages| many.encrypt(messages),
        |message| message.key.encrypt(message.tweak, message.text);
    XtsDecryptMany of aes_xts, tweak: |many, messages| many.decrypt(messages),
        |message| message.key.decrypt(message.tweak, message.text);
}
