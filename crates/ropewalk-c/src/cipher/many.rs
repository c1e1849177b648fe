//! Many messages of ciphers, of any keys and lengths.

use std::{
    ffi::c_void,
    mem::{Discriminant, discriminant},
};

use arrayvec::ArrayVec;
use ropewalk::{aes_cbc, aes_ctr, aes_xts};

use super::{Key, ropewalk_cipher_key};
use crate::{
    enter::{Failure, Result, call},
    many::{FEW, GROUP, LONG_TEXT, SHORT_TEXT, wrong},
    memory, object,
    overlap::{self, Span, Text, as_long, batch, rows},
    status::{ropewalk_error, ropewalk_status},
};

/// One of many messages.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_cipher_message {
    /// Its key, which others may have too.
    pub key: *const ropewalk_cipher_key,
    /// Its nonce, of ropewalk_cipher_nonce_len() bytes.
    pub nonce: *const c_void,
    /// Bytes of it.
    pub nonce_len: usize,
    /// The text.
    pub r#in: *const c_void,
    /// Where it is encrypted or decrypted to. It may be `in`.
    pub out: *mut c_void,
    /// Bytes of both.
    pub len: usize,
}

impl ropewalk_cipher_message {
    /// What it writes comes first.
    #[inline(always)]
    fn spans(&self) -> [Span; 4] {
        [
            Span::new(self.out, self.len),
            overlap::own_input((self.r#in, self.len), self.out),
            Span::new(self.nonce, self.nonce_len),
            Span::of(self.key),
        ]
    }

    /// # Safety
    /// As [`ropewalk_cipher_encrypt_many`].
    unsafe fn check(&self) -> Result<()> {
        let [_, _, nonce, its_key] = self.spans();
        overlap::check_text((self.r#in, self.len), (self.out, self.len), [nonce, its_key])?;
        memory::check("nonce", self.nonce, self.nonce_len)?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(self.key) }?;
        match key {
            Key::ChaCha(_) => as_long("nonce", self.nonce_len, 12, "12 bytes"),
            _ => as_long("nonce", self.nonce_len, 16, "16 bytes"),
        }?;
        let wrong = |allowed| Err(Failure::length("text", self.len, allowed));
        match key {
            Key::Ctr(_) => Ok(()),
            Key::Cbc(_) if self.len.is_multiple_of(16) => Ok(()),
            Key::Cbc(_) => wrong("a multiple of 16 bytes"),
            Key::Xts(_) if (16..=aes_xts::LONGEST_UNIT).contains(&self.len) => Ok(()),
            Key::Xts(_) => wrong("16 to 2^24 bytes"),
            Key::ChaCha(_) if self.len as u64 <= 64 << 32 => Ok(()),
            Key::ChaCha(_) => wrong("64 bytes for each counter up to 2^32 - 1"),
        }
    }
}

/// Encrypts each message, side by side with others where that is faster: best where neighbours are of one cipher. Those of any keys
/// and lengths may be mixed.
///
/// Fails as ropewalk_cipher_encrypt() for the first message that would, whose index the error has, and with ROPEWALK_OVERLAP where
/// one message writes what another one has. Nothing is then written.
///
/// # Safety
/// There are `count` messages, each as for ropewalk_cipher_encrypt(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cipher_encrypt_many(
    messages: *const ropewalk_cipher_message,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { run(messages, count, true) })
}

/// Decrypts each message, side by side with others where that is faster.
///
/// Fails as ropewalk_cipher_encrypt_many().
///
/// # Safety
/// As ropewalk_cipher_encrypt_many().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cipher_decrypt_many(
    messages: *const ropewalk_cipher_message,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { run(messages, count, false) })
}

/// # Safety
/// As [`ropewalk_cipher_encrypt_many`].
unsafe fn run(
    messages: *const ropewalk_cipher_message,
    count: usize,
    encrypting: bool,
) -> Result<()> {
    // SAFETY: the caller's messages.
    let messages = unsafe { memory::row("messages", messages, count) }?;
    if let [message] = messages {
        // SAFETY: as the caller says.
        return unsafe { one(message, encrypting) }.map_err(|wrong| wrong.at(0));
    }
    let mut keys = Keys::new();
    // SAFETY: as the caller says.
    let fine = |message: &ropewalk_cipher_message| unsafe { keys.fit(message) };
    let spans = ropewalk_cipher_message::spans;
    let certain = rows::surely_apart::<_, 4, 1>(messages, spans, fine);
    if !certain {
        // SAFETY: as the caller says.
        unsafe { check_exactly(messages) }?;
    }

    // SAFETY: their keys have been found ready.
    let key = |message: &ropewalk_cipher_message| unsafe { object::found(message.key) };
    let alike = |one: &ropewalk_cipher_message, next: &ropewalk_cipher_message| {
        (certain && keys.of_one_kind) || discriminant(key(one)) == discriminant(key(next))
    };
    let mut from = 0;
    if certain && keys.go_one_by_one(messages.len()) {
        for message in messages {
            // SAFETY: each has been checked, and they are apart.
            unsafe { alone(message, encrypting) }?;
        }
        from = messages.len();
    }
    for group in messages[from..].chunks(GROUP) {
        for run in group.chunk_by(alike) {
            let Some(first) = run.first() else { continue };
            let short = run.len() <= FEW && run.iter().all(|one| one.len <= SHORT_TEXT);
            match (key(first), encrypting) {
                _ if short => {
                    for message in run {
                        // SAFETY: each has been checked, and they are apart.
                        unsafe { alone(message, encrypting) }?;
                    }
                }
                (Key::Ctr(_), _) => {
                    let mut all = ArrayVec::new();
                    // SAFETY: each has been checked, and they are apart.
                    unsafe { put_ctr(run, &mut all) }?;
                    aes_ctr::apply_keystream_many(aes_ctr::Counter::Bits128, &mut all)
                        .map_err(|one| wrong(from, one))?;
                }
                (Key::Cbc(_), true) => {
                    let mut all = ArrayVec::new();
                    // SAFETY: each has been checked, and they are apart.
                    unsafe { put_cbc(run, &mut all) }?;
                    aes_cbc::encrypt_many(&mut all).map_err(|one| wrong(from, one))?;
                }
                (Key::Xts(_), _) => {
                    let mut all = ArrayVec::new();
                    // SAFETY: each has been checked, and they are apart.
                    unsafe { put_xts(run, &mut all) }?;
                    let done =
                        if encrypting { aes_xts::encrypt_many } else { aes_xts::decrypt_many };
                    done(&mut all).map_err(|one| wrong(from, one))?;
                }
                // Decrypting, blocks of one message go side by side.
                _ => {
                    for message in run {
                        // SAFETY: each has been checked, and they are apart.
                        unsafe { alone(message, encrypting) }?;
                    }
                }
            }
            from += run.len();
        }
    }
    Ok(())
}

/// The keys of messages, of which neighbours mostly have the same.
struct Keys {
    last: Option<*const ropewalk_cipher_key>,
    nonce_len: usize,
    /// The fewest bytes of a text.
    least: usize,
    /// The bits of a text's length that must be 0.
    odd: usize,
    kind: Option<Discriminant<Key>>,
    of_one_kind: bool,
    /// Whether the blocks of one message go side by side, whichever message that is.
    wide: bool,
    /// No text is longer, or shorter.
    longest: usize,
    shortest: usize,
}

impl Keys {
    fn new() -> Self {
        let (longest, shortest) = (0, usize::MAX);
        let (nonce_len, least, odd) = (0, 0, 0);
        let (last, kind, of_one_kind, wide) = (None, None, false, false);
        Self { last, nonce_len, least, odd, kind, of_one_kind, wide, longest, shortest }
    }

    /// Whether all messages go one by one, where each was fit.
    fn go_one_by_one(&self, count: usize) -> bool {
        let short = count <= FEW && self.longest <= SHORT_TEXT;
        self.of_one_kind && (short || self.wide && self.shortest >= LONG_TEXT)
    }

    /// Whether the key of a message is ready, and takes its lengths.
    ///
    /// # Safety
    /// As [`ropewalk_cipher_encrypt_many`].
    #[inline(always)]
    unsafe fn fit(&mut self, message: &ropewalk_cipher_message) -> bool {
        // SAFETY: as the caller says.
        if self.last != Some(message.key) && !unsafe { self.next(message.key) } {
            return false;
        }
        self.longest |= message.len;
        self.shortest = self.shortest.min(message.len);
        let whole = message.len & self.odd == 0 && message.len >= self.least;
        whole && message.len <= aes_xts::LONGEST_UNIT && message.nonce_len == self.nonce_len
    }

    /// # Safety
    /// As [`ropewalk_cipher_encrypt_many`].
    #[inline]
    unsafe fn next(&mut self, at: *const ropewalk_cipher_key) -> bool {
        // SAFETY: the caller's key.
        let Ok(key) = (unsafe { object::get(at) }) else { return false };
        let kind = Some(discriminant(key));
        self.of_one_kind = self.last.is_none() || self.of_one_kind && self.kind == kind;
        (self.last, self.kind) = (Some(at), kind);
        self.nonce_len = if matches!(key, Key::ChaCha(_)) { 12 } else { 16 };
        self.least = if matches!(key, Key::Xts(_)) { 16 } else { 0 };
        self.odd = if matches!(key, Key::Cbc(_)) { 15 } else { 0 };
        self.wide = matches!(key, Key::Ctr(_));
        true
    }
}

/// Whether messages are right, each by itself and with the others, whatever they are.
///
/// # Safety
/// As [`ropewalk_cipher_encrypt_many`].
#[cold]
unsafe fn check_exactly(messages: &[ropewalk_cipher_message]) -> Result<()> {
    for (i, message) in messages.iter().enumerate() {
        // SAFETY: as the caller says.
        unsafe { message.check() }.map_err(|wrong| wrong.at(i))?;
    }
    batch::apart(messages, 1, ropewalk_cipher_message::spans)
}

/// A message that has no others goes as ropewalk_cipher_encrypt() and ropewalk_cipher_decrypt() do.
///
/// # Safety
/// As [`ropewalk_cipher_encrypt_many`].
unsafe fn one(message: &ropewalk_cipher_message, encrypting: bool) -> Result<()> {
    overlap::apart("output", message.spans()[0], [Span::of(message)])?;
    let ropewalk_cipher_message { key, nonce, nonce_len, r#in, out, len } = *message;
    let (nonce, from, to) = ((nonce, nonce_len), (r#in, len), (out, len));
    match encrypting {
        // SAFETY: as the caller says.
        true => unsafe { super::with(key, nonce, from, to, Key::encrypt) },
        // SAFETY: as the caller says.
        false => unsafe { super::with(key, nonce, from, to, Key::decrypt) },
    }
}

/// # Safety
/// As [`ropewalk_cipher_encrypt_many`]; it has been checked.
unsafe fn alone(one: &ropewalk_cipher_message, encrypting: bool) -> Result<()> {
    // SAFETY: the caller's key, which has been found ready.
    let key = unsafe { object::found(one.key) };
    // SAFETY: the caller's bytes, which have been checked, apart from what is written.
    let nonce = unsafe { memory::bytes(one.nonce, one.nonce_len) };
    // SAFETY: the same, and for writing.
    let text: Text<'_> = unsafe { overlap::checked_text((one.r#in, one.len), (one.out, one.len)) };
    if encrypting { key.encrypt(nonce, text) } else { key.decrypt(nonce, text) }
}

/// Writes what makes messages of a mode of neighbours that have its keys. They are made where they are used: to return them would
/// copy room for a whole group.
macro_rules! messages {
    ($name:ident: $module:ident, $Variant:ident, $start:ident) => {
        /// # Safety
        /// As [`ropewalk_cipher_encrypt_many`]; they are checked, and no more than go in a group.
        unsafe fn $name<'a>(
            run: &[ropewalk_cipher_message],
            all: &mut ArrayVec<$module::Message<'a>, GROUP>,
        ) -> Result<()> {
            for one in run {
                // SAFETY: the caller's key, which has been found ready.
                let Key::$Variant(key) = (unsafe { object::found(one.key) }) else {
                    unreachable!("neighbours of one cipher")
                };
                // SAFETY: the caller's bytes, which have been checked, apart from what is written.
                let $start = unsafe { memory::array("nonce", one.nonce) }?;
                // SAFETY: the same, and for writing.
                let text = unsafe { overlap::copied((one.r#in, one.out), one.len) };
                all.push($module::Message { key, $start, text });
            }
            Ok(())
        }
    };
}

messages! { put_ctr: aes_ctr, Ctr, iv }
messages! { put_cbc: aes_cbc, Cbc, iv }
messages! { put_xts: aes_xts, Xts, tweak }
