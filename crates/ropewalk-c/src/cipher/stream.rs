//! Texts in chunks: key streams of AES-CTR and ChaCha20.

use std::ffi::c_void;

use ropewalk::{aes_ctr, chacha20};

use super::{Key, modes::counter, ropewalk_cipher_key, wrong_kind};
use crate::{
    enter::{Result, Why, call, making},
    memory,
    object::{self, Lent, words},
    overlap::{self, Span, Text, as_long},
    status::{ropewalk_error, ropewalk_status},
};

/// Words of a ropewalk_stream.
pub const ROPEWALK_STREAM_WORDS: usize = 64;

/// A position in a key stream. It must not be copied or moved. Its key must stay in place for as long.
#[repr(C)]
pub struct ropewalk_stream {
    /// Private.
    pub words: [u64; ROPEWALK_STREAM_WORDS],
}

words! { ropewalk_stream has Stream, "stream", b"RWstream" }

pub(crate) struct Stream {
    key: Lent<ropewalk_cipher_key>,
    any: Any,
}

#[expect(clippy::large_enum_variant, reason = "it lies in the words of its object")]
enum Any {
    Ctr(aes_ctr::Stream),
    ChaCha(chacha20::Stream),
}

impl Stream {
    /// # Safety
    /// The key was made, for as long as the text is processed.
    unsafe fn apply(&mut self, text: Text<'_>) -> Result<()> {
        // SAFETY: as the caller says.
        let key = unsafe { self.key.get() }?;
        Ok(match (&mut self.any, key, text) {
            (Any::Ctr(stream), Key::Ctr(key), Text::InPlace(text)) => {
                stream.apply_keystream(key, text)
            }
            (Any::Ctr(stream), Key::Ctr(key), Text::Copying(from, to)) => {
                stream.apply_keystream_to(key, from, to)
            }
            (Any::ChaCha(stream), Key::ChaCha(key), Text::InPlace(text)) => {
                stream.apply_keystream(key, text)
            }
            (Any::ChaCha(stream), Key::ChaCha(key), Text::Copying(from, to)) => {
                stream.apply_keystream_to(key, from, to)
            }
            // A key of another cipher would have another generation.
            _ => return Err(Why::Changed("key").into()),
        }?)
    }
}

/// Starts a key stream of AES-CTR. `iv`, of 16 bytes, is the first counter block; its last 32, 64 or 128 bits are the counter.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-CTR.
///
/// # Safety
/// `stream` is for writing; `key` was made; `iv` has `iv_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_stream_init_ctr(
    stream: *mut ropewalk_stream,
    key: *const ropewalk_cipher_key,
    counter_bits: u32,
    iv: *const c_void,
    iv_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(stream, error, || {
        overlap::apart("stream", Span::of(stream), [Span::of(key), Span::new(iv, iv_len)])?;
        as_long("nonce", iv_len, 16, "16 bytes")?;
        // SAFETY: the caller's bytes, which are not the stream's.
        let iv = unsafe { memory::array("nonce", iv) }?;
        // SAFETY: the caller's key.
        let Key::Ctr(_) = unsafe { object::get(key) }? else { return Err(wrong_kind("AES-CTR")) };
        let counter = counter(counter_bits)?;
        // SAFETY: the caller's key, which was made.
        let key = unsafe { Lent::new(key) };
        let new = || Ok(Stream { key, any: Any::Ctr(aes_ctr::Stream::new(counter, iv)) });
        // SAFETY: the caller's stream.
        unsafe { object::make(stream, new) }
    })
}

/// Starts a key stream of ChaCha20 at the block `counter`. The nonce has 12 bytes.
///
/// Fails with ROPEWALK_WRONG_KIND for a key that is not of ChaCha20.
///
/// # Safety
/// `stream` is for writing; `key` was made; `nonce` has `nonce_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_stream_init_chacha20(
    stream: *mut ropewalk_stream,
    key: *const ropewalk_cipher_key,
    counter: u32,
    nonce: *const c_void,
    nonce_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(stream, error, || {
        overlap::apart("stream", Span::of(stream), [Span::of(key), Span::new(nonce, nonce_len)])?;
        as_long("nonce", nonce_len, 12, "12 bytes")?;
        // SAFETY: the caller's bytes, which are not the stream's.
        let nonce = unsafe { memory::array("nonce", nonce) }?;
        // SAFETY: the caller's key.
        let Key::ChaCha(_) = unsafe { object::get(key) }? else {
            return Err(wrong_kind("ChaCha20"));
        };
        // SAFETY: the caller's key, which was made.
        let key = unsafe { Lent::new(key) };
        let new = || Ok(Stream { key, any: Any::ChaCha(chacha20::Stream::new(counter, nonce)) });
        // SAFETY: the caller's stream.
        unsafe { object::make(stream, new) }
    })
}

/// XORs the next `len` bytes of the key stream into `in`, which encrypts or decrypts, and writes `out`, which may be the same.
///
/// Fails with ROPEWALK_LENGTH past the last counter value. Where it fails, nothing is written.
///
/// # Safety
/// `stream` was made, and its key is still there; `in` has `len` bytes, and `out` for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_stream_apply(
    stream: *mut ropewalk_stream,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let s = Span::of(stream);
        overlap::apart("stream", s, [Span::new(r#in, len)])?;
        overlap::check_text((r#in, len), (out, len), [s])?;
        // SAFETY: the caller's stream.
        let stream = unsafe { object::get_mut(stream) }?;
        overlap::apart("output", Span::new(out, len), [stream.key.span()])?;
        // SAFETY: the caller's bytes, apart from all others.
        let text = unsafe { overlap::checked_text((r#in, len), (out, len)) };
        // SAFETY: the caller's key, which is still there.
        unsafe { stream.apply(text) }
    })
}

/// Wipes a stream. NULL, and a stream that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `stream` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_stream_wipe(stream: *mut ropewalk_stream) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(stream) };
}
