//! Batches of messages for ciphers, of any keys and lengths.

use std::{ffi::c_void, mem::discriminant, slice};

use arrayvec::ArrayVec;
use ropewalk::{aes_cbc, aes_xts};

use super::{Key, ropewalk_cipher_key};
use crate::{
    enter::{Failure, Result, call},
    many::{self, Call, GROUP, Gain, serial, wrong},
    memory, object,
    overlap::{self, Region, Span, as_long},
    status::{ropewalk_error, ropewalk_status},
};

/// A message of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_cipher_message {
    /// Its key. Messages may share a key.
    pub key: *const ropewalk_cipher_key,
    /// Its nonce, of ropewalk_cipher_nonce_len() bytes.
    pub nonce: *const c_void,
    /// Its length in bytes.
    pub nonce_len: usize,
    /// The text.
    pub r#in: *const c_void,
    /// The output. It may be `in`.
    pub out: *mut c_void,
    /// The length of both in bytes.
    pub len: usize,
}

impl ropewalk_cipher_message {
    /// The written span comes first.
    #[inline(always)]
    fn spans(&self) -> [Span; 4] {
        [
            Span::new(self.out, self.len),
            overlap::own_input((self.r#in, self.len), self.out),
            Span::new(self.nonce, self.nonce_len),
            Span::of(self.key),
        ]
    }

    #[inline(always)]
    fn is_in_place(&self) -> bool {
        std::ptr::eq(self.r#in, self.out)
    }

    /// Its input and output, its key and nonce.
    #[inline(always)]
    fn regions(&self) -> [Region; 4] {
        [
            Region::new("input", (self.r#in, self.len)),
            Region::new("output", (self.out, self.len)),
            Region::object(self.key),
            Region::new("nonce", (self.nonce, self.nonce_len)),
        ]
    }
}

/// Encrypts each message, with the results of a loop over ropewalk_cipher_encrypt(), and in lanes where that is faster: best if
/// neighbours have the same cipher. Messages may differ in key and length.
///
/// Fails as ropewalk_cipher_encrypt() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP
/// where a message writes into `messages`, or the key of another one. Nothing is then written.
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
    call(error, || unsafe { run::<true>(messages, count) })
}

/// Decrypts each message, with the results of a loop over ropewalk_cipher_decrypt(), and in lanes where that is faster.
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
    call(error, || unsafe { run::<false>(messages, count) })
}

/// Encrypts or decrypts.
struct Cipher<const ENCRYPT: bool>;

/// # Safety
/// As [`ropewalk_cipher_encrypt_many`].
#[inline(always)]
unsafe fn run<const ENCRYPT: bool>(
    messages: *const ropewalk_cipher_message,
    count: usize,
) -> Result<()> {
    // SAFETY: as the caller says; no message is written.
    unsafe { many::run(&Cipher::<ENCRYPT>, "messages", messages.cast_mut(), count) }
}

impl<const ENCRYPT: bool> Call<4, 1> for Cipher<ENCRYPT> {
    type Message = ropewalk_cipher_message;
    type Keys = Keys;

    #[inline(always)]
    fn spans(&self, message: &ropewalk_cipher_message) -> [Span; 4] {
        message.spans()
    }

    #[inline]
    unsafe fn gain(&self, message: &ropewalk_cipher_message, count: usize) -> Gain {
        let (len, in_place) = (message.len, message.is_in_place());
        // SAFETY: the caller's key.
        match unsafe { object::get(message.key) } {
            Ok(Key::Cbc(_)) if ENCRYPT => Gain::of_chains(count, len, in_place),
            Ok(Key::Xts(_)) => {
                Gain::little_if(in_place && count >= 8 && (65..=1024).contains(&len))
            }
            // The blocks of one message keep the processor busy: for CTR, lanes were no faster.
            _ => Gain::None,
        }
    }

    #[inline(always)]
    unsafe fn fits(&self, message: &ropewalk_cipher_message, keys: &mut Keys) -> bool {
        // SAFETY: as the caller says.
        let found = unsafe { keys.find(message.key) };
        found && keys.fit(message)
    }

    #[inline(always)]
    fn are_alike(&self, one: &ropewalk_cipher_message, other: &ropewalk_cipher_message) -> bool {
        std::ptr::eq(one.key, other.key) && one.len == other.len
    }

    #[inline(always)]
    fn is_apart(&self, message: &ropewalk_cipher_message) -> bool {
        let [input, output, key, nonce] = message.regions();
        overlap::surely_apart(&input, &output, &[key, nonce], &[])
    }

    unsafe fn check(&self, message: &ropewalk_cipher_message) -> Result<()> {
        let [input, output, key, nonce] = message.regions();
        overlap::check(input, output, [key, nonce], [])?;
        // SAFETY: the caller's key.
        check_lens(unsafe { object::get(message.key) }?, message)
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_cipher_message) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *message };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked, apart from what is written.
        let nonce = unsafe { memory::bytes(one.nonce, one.nonce_len) };
        // SAFETY: the same, and for writing.
        let text = unsafe { overlap::checked_text((one.r#in, one.len), (one.out, one.len)) };
        if ENCRYPT { key.encrypt(nonce, text) } else { key.decrypt(nonce, text) }
    }

    #[inline(always)]
    unsafe fn one(&self, message: *mut ropewalk_cipher_message) -> Result<()> {
        // SAFETY: as the caller says.
        let ropewalk_cipher_message { key, nonce, nonce_len, r#in, out, len } = unsafe { *message };
        let (nonce, from, to) = ((nonce, nonce_len), (r#in, len), (out, len));
        match ENCRYPT {
            // SAFETY: as the caller says.
            true => unsafe { super::with(key, nonce, from, to, Key::encrypt) },
            // SAFETY: as the caller says.
            false => unsafe { super::with(key, nonce, from, to, Key::decrypt) },
        }
    }

    /// Neighbours with the same cipher are processed together.
    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        mut from: usize,
        messages: *mut ropewalk_cipher_message,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's messages, apart from what they write.
        let group = unsafe { slice::from_raw_parts(messages, count) };
        // SAFETY: their keys have been found ready.
        let key = |message: &ropewalk_cipher_message| unsafe { object::found(message.key) };
        let alike = |one: &_, next: &_| discriminant(key(one)) == discriminant(key(next));
        for run in group.chunk_by(alike) {
            // SAFETY: as the caller says.
            let gain = unsafe { many::gain(self, run) };
            match run.first().map(key).filter(|_| gain > Gain::None) {
                // SAFETY: as the caller says, and they are of this cipher.
                Some(Key::Cbc(_)) if ENCRYPT => unsafe { cbc(from, run) },
                // SAFETY: the same.
                Some(Key::Xts(_)) => unsafe { xts::<ENCRYPT>(from, run) },
                // SAFETY: as the caller says; no message is written.
                _ => unsafe { serial(self, from, run.as_ptr().cast_mut(), run.len()) },
            }?;
            from += run.len();
        }
        Ok(())
    }
}

/// The keys of messages, where neighbours mostly have the same.
#[derive(Default)]
struct Keys {
    last: Option<*const ropewalk_cipher_key>,
    nonce_len: usize,
    /// The shortest text in bytes.
    least: usize,
    /// The bits of the text length that must be 0.
    odd: usize,
}

impl Keys {
    /// Whether a key is ready; it becomes the last one.
    ///
    /// # Safety
    /// As [`ropewalk_cipher_encrypt_many`].
    #[inline(always)]
    unsafe fn find(&mut self, at: *const ropewalk_cipher_key) -> bool {
        if self.last != Some(at) {
            // SAFETY: the caller's key.
            let Ok(key) = (unsafe { object::get(at) }) else { return false };
            self.nonce_len = if matches!(key, Key::ChaCha(_)) { 12 } else { 16 };
            self.least = if matches!(key, Key::Xts(_)) { 16 } else { 0 };
            self.odd = if matches!(key, Key::Cbc(_)) { 15 } else { 0 };
            self.last = Some(at);
        }
        true
    }

    /// Whether a message, which has the last key, certainly has valid lengths.
    #[inline(always)]
    fn fit(&self, message: &ropewalk_cipher_message) -> bool {
        let whole = message.len & self.odd == 0 && message.len >= self.least;
        whole && message.len <= aes_xts::LONGEST_UNIT && message.nonce_len == self.nonce_len
    }
}

/// Checks the lengths of a message, whatever they are.
fn check_lens(key: &Key, message: &ropewalk_cipher_message) -> Result<()> {
    match key {
        Key::ChaCha(_) => as_long("nonce", message.nonce_len, 12, "12 bytes"),
        _ => as_long("nonce", message.nonce_len, 16, "16 bytes"),
    }?;
    let len = message.len;
    let wrong = |allowed| Err(Failure::length("text", len, allowed));
    match key {
        Key::Ctr(_) => Ok(()),
        Key::Cbc(_) if len.is_multiple_of(16) => Ok(()),
        Key::Cbc(_) => wrong("a multiple of 16 bytes"),
        Key::Xts(_) if (16..=aes_xts::LONGEST_UNIT).contains(&len) => Ok(()),
        Key::Xts(_) => wrong("16 to 2^24 bytes"),
        Key::ChaCha(_) if len as u64 <= 64 << 32 => Ok(()),
        Key::ChaCha(_) => wrong("64 bytes for each counter up to 2^32 - 1"),
    }
}

/// # Safety
/// As [`ropewalk_cipher_encrypt_many`]; they are checked, have this cipher, are apart, and are at most as many as in a group.
unsafe fn cbc(from: usize, run: &[ropewalk_cipher_message]) -> Result<()> {
    let mut all = ArrayVec::new();
    // SAFETY: as the caller says.
    unsafe { put_cbc(run, &mut all) }?;
    aes_cbc::encrypt_many(&mut all).map_err(|one| wrong(from, one))
}

/// # Safety
/// As [`ropewalk_cipher_encrypt_many`]; they are checked, have this cipher, are apart, and are at most as many as in a group.
unsafe fn xts<const ENCRYPT: bool>(from: usize, run: &[ropewalk_cipher_message]) -> Result<()> {
    let mut all = ArrayVec::new();
    // SAFETY: as the caller says.
    unsafe { put_xts(run, &mut all) }?;
    let done = if ENCRYPT { aes_xts::encrypt_many } else { aes_xts::decrypt_many };
    done(&mut all).map_err(|one| wrong(from, one))
}

/// Declares a function that makes messages of a mode from neighbours with its keys. They are made in place: returning them would
/// copy space for a whole group.
macro_rules! messages {
    ($name:ident: $module:ident, $Variant:ident, $start:ident) => {
        /// # Safety
        /// As [`ropewalk_cipher_encrypt_many`]; they are checked, and at most as many as in a group.
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

messages! { put_cbc: aes_cbc, Cbc, iv }
messages! { put_xts: aes_xts, Xts, tweak }
