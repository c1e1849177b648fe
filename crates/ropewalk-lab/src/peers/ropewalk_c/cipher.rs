//! AES-CTR, AES-CBC, AES-XTS and ChaCha20.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    How,
    api::{self, CIPHER_KEY_WORDS, CipherMessage, OK, Object, STREAM_WORDS},
    done, made, number,
};
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::{Cell, Direction, Kind},
};

/// A job of a cipher in counter mode.
pub(super) fn counter(
    library: &'static Library,
    cell: &Cell,
    how: How,
    key_len: usize,
) -> Result<Box<dyn Job>, Unavailable> {
    let cipher = Cipher::new(library, cell, Direction::Encrypt)?;
    match how {
        How::Alone => jobs::ctr(cell, key_len, move |secret| One::new(cipher, secret)),
        _ => Ok(jobs::ctr_calls(cell, Several::new(cipher, cell, how, key_len)?)),
    }
}

/// A job of AES-CBC or AES-XTS.
pub(super) fn blocks(
    library: &'static Library,
    cell: &Cell,
    how: How,
    direction: Direction,
    key_len: usize,
) -> Result<Box<dyn Job>, Unavailable> {
    let cipher = Cipher::new(library, cell, direction)?;
    let is_xts = matches!(cell.task.kind, Kind::Xts { .. });
    let one = move |secret: &[u8]| One::new(cipher, secret);
    let several = || Several::new(cipher, cell, how, key_len);
    match (how, is_xts) {
        (How::Alone, true) => jobs::xts(cell, key_len, one),
        (How::Alone, false) => jobs::cbc(cell, key_len, one),
        (_, true) => jobs::xts_calls(cell, several()?),
        (_, false) => jobs::cbc_calls(cell, several()?),
    }
}

/// An algorithm, and the functions for one direction.
#[derive(Clone, Copy)]
struct Cipher {
    api: api::Cipher,
    algorithm: u32,
    direction: Direction,
    one: api::CipherOne,
    many: api::CipherMany,
    nonce_len: usize,
    /// Whether a block is chained to the one before it.
    chains: bool,
    /// Whether counter blocks are those of ChaCha20.
    is_chacha: bool,
}

impl Cipher {
    fn new(
        library: &'static Library,
        cell: &Cell,
        direction: Direction,
    ) -> Result<Self, Unavailable> {
        let api = api::Cipher::load(library)?;
        let algorithm = number(cell.task.name, api.ropewalk_cipher_named)?;
        let (one, many): (api::CipherOne, api::CipherMany) = match direction {
            Direction::Encrypt => (api.ropewalk_cipher_encrypt, api.ropewalk_cipher_encrypt_many),
            Direction::Decrypt => (api.ropewalk_cipher_decrypt, api.ropewalk_cipher_decrypt_many),
        };
        // SAFETY: it takes a number.
        let nonce_len = unsafe { (api.ropewalk_cipher_nonce_len)(algorithm) };
        let is_chacha = cell.task.kind == Kind::ChaCha20;
        if nonce_len != if is_chacha { 12 } else { 16 } {
            return Err(Unavailable(format!("has nonces of {nonce_len} bytes")));
        }
        let chains = matches!(cell.task.kind, Kind::Cbc { .. });
        Ok(Self { api, algorithm, direction, one, many, nonce_len, chains, is_chacha })
    }

    /// Makes a key in unused words.
    fn set(&self, key: &mut Key, secret: &[u8]) -> Result<(), Unavailable> {
        let (start, len) = (secret.as_ptr(), secret.len());
        // SAFETY: the key is for writing, the secret has the given length, and the error may be NULL.
        made(unsafe {
            (self.api.ropewalk_cipher_key_init)(
                key.get_mut(),
                self.algorithm,
                start,
                len,
                null_mut(),
            )
        })
    }

    /// The nonce in a counter block. The counter of ChaCha20, before it, is zero in every whole message.
    #[inline(always)]
    fn nonce<'a>(&self, iv: &'a [u8; 16]) -> &'a [u8] {
        &iv[16 - self.nonce_len..]
    }
}

type Key = Object<CIPHER_KEY_WORDS>;

/// A key, and a message that is processed in chunks.
struct One {
    cipher: Cipher,
    key: Key,
    stream: Object<STREAM_WORDS>,
    /// The block that the next chunk is chained to, or the tweak of all chunks.
    iv: [u8; 16],
}

impl One {
    fn new(cipher: Cipher, secret: &[u8]) -> Result<Self, Unavailable> {
        let mut key = Key::new();
        cipher.set(&mut key, secret)?;
        Ok(Self { cipher, key, stream: Object::new(), iv: [0; 16] })
    }

    #[inline(always)]
    fn put(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (nonce, start) = (self.cipher.nonce(iv), text.as_mut_ptr());
        // SAFETY: the key was made, and each pointer has as many bytes as follow it.
        done(unsafe {
            (self.cipher.one)(
                self.key.get(),
                nonce.as_ptr(),
                nonce.len(),
                start,
                start,
                text.len(),
                null_mut(),
            )
        });
    }

    fn set_another(&mut self, secret: &[u8]) {
        // SAFETY: the key was made.
        unsafe { (self.cipher.api.ropewalk_cipher_key_wipe)(self.key.get_mut()) };
        self.cipher.set(&mut self.key, secret).expect("it has been made before");
    }
}

impl jobs::Ctr for One {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.put(iv, text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        let (stream, key, nonce) = (self.stream.get_mut(), self.key.get(), self.cipher.nonce(iv));
        let (start, len) = (nonce.as_ptr(), nonce.len());
        let api = &self.cipher.api;
        done(match self.cipher.is_chacha {
            // SAFETY: the stream is for writing, the key was made and stays, and the nonce has the given length.
            true => unsafe {
                (api.ropewalk_stream_init_chacha20)(stream, key, 0, start, len, null_mut())
            },
            // SAFETY: as above.
            false => unsafe {
                (api.ropewalk_stream_init_ctr)(stream, key, 128, start, len, null_mut())
            },
        });
    }

    fn update(&mut self, text: &mut [u8]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        let stream = self.stream.get_mut();
        // SAFETY: the stream was made, its key is still there, and the text has the given length.
        let status = unsafe {
            (self.cipher.api.ropewalk_stream_apply)(stream, start, start, len, null_mut())
        };
        if status != OK {
            // A stream of ChaCha20 ends at the end of its counter.
            self.start(&[0; 16]);
        }
    }

    fn rekey(&mut self, secret: &[u8]) -> bool {
        self.set_another(secret);
        true
    }
}

impl jobs::Cbc for One {
    const STREAMS: bool = true;

    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.put(iv, text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.iv = *iv;
    }

    fn update(&mut self, text: &mut [u8]) {
        let (iv, before) = (self.iv, text.last_chunk().copied());
        self.put(&iv, text);
        if self.cipher.chains {
            let after = text.last_chunk().copied();
            let encrypts = self.cipher.direction == Direction::Encrypt;
            self.iv = if encrypts { after } else { before }.unwrap_or(iv);
        }
    }

    fn rekey(&mut self, secret: &[u8]) -> bool {
        self.set_another(secret);
        true
    }
}

/// Batches of messages in a call, with one key or with separate keys. They are laid out before the first
/// call, as they are in a program.
struct Several {
    cipher: Cipher,
    keys: Vec<Key>,
    how: How,
}

impl Several {
    fn new(cipher: Cipher, cell: &Cell, how: How, key_len: usize) -> Result<Self, Unavailable> {
        let mut keys = Vec::new();
        for secret in jobs::keys(cell, key_len) {
            let mut key = Key::new();
            cipher.set(&mut key, &secret)?;
            keys.push(key);
        }
        Ok(Self { cipher, keys, how })
    }

    fn laid_out(&self, call: &mut jobs::Buffer) -> Vec<CipherMessage> {
        let messages = call.ivs.iter().zip(&mut call.texts).enumerate();
        let message = |(i, (iv, text)): (usize, (&[u8; 16], &mut jobs::Text))| {
            let (nonce, start) = (self.cipher.nonce(iv), text.as_mut_ptr());
            CipherMessage {
                key: jobs::of(&self.keys, i).get(),
                nonce: nonce.as_ptr(),
                nonce_len: nonce.len(),
                from: start,
                to: start,
                len: text.len(),
            }
        };
        messages.map(message).collect()
    }

    /// # Safety
    /// The pointers of each message have as many bytes as it says.
    unsafe fn call(&self, messages: &[CipherMessage]) {
        if self.how == How::Many {
            let (all, count) = (messages.as_ptr(), messages.len());
            // SAFETY: as the caller promises.
            return done(unsafe { (self.cipher.many)(all, count, null_mut()) });
        }
        for m in messages {
            // SAFETY: as the caller promises.
            done(unsafe {
                (self.cipher.one)(m.key, m.nonce, m.nonce_len, m.from, m.to, m.len, null_mut())
            });
        }
    }
}

impl jobs::CipherCalls for Several {
    fn messages(&mut self, calls: usize, turn: &mut jobs::Turn, all: &mut [jobs::Buffer]) {
        let laid_out: Vec<_> = all.iter_mut().map(|call| self.laid_out(call)).collect();
        for _ in 0..calls {
            let messages = &laid_out[turn.take_one(laid_out.len())];
            // SAFETY: what they point to lives as long as this, and has the given length.
            unsafe { self.call(messages) };
        }
    }
}
