//! Messages that are sealed and opened in chunks: AES-GCM and ChaCha20-Poly1305.

use std::ffi::c_void;

use ropewalk::{aes_gcm, chacha20_poly1305};

use super::{Any, Key, ropewalk_aead_key};
use crate::{
    enter::{Failure, Result, Why, call, making},
    memory,
    object::{self, Lent, words},
    overlap::{self, Span, Text},
    status::{ropewalk_error, ropewalk_status},
};

/// Words of a ropewalk_aead_stream.
pub const ROPEWALK_AEAD_STREAM_WORDS: usize = 64;

/// A message of which some chunks have been processed. It must not be copied or moved; ropewalk_aead_stream_clone() copies. Its
/// key must stay in place for as long.
#[repr(C)]
pub struct ropewalk_aead_stream {
    /// Private.
    pub words: [u64; ROPEWALK_AEAD_STREAM_WORDS],
}

words! { ropewalk_aead_stream has Stream, "message in pieces", b"RWaeadst" }

#[derive(Clone)]
pub(crate) struct Stream {
    key: Lent<ropewalk_aead_key>,
    running: Running,
}

#[derive(Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "it lies in the caller's memory, which has room for either"
)]
enum Running {
    Gcm(aes_gcm::Stream),
    ChaCha(chacha20_poly1305::Stream),
}

/// The direction of a chunk of the text.
enum Way {
    Seal,
    /// Decrypts, before the tag has been verified.
    Open,
}

const KINDS: &str = "AES-GCM, ChaCha20-Poly1305";

/// A key of another cipher would have another generation.
fn another_key() -> Failure {
    Why::Changed("key").into()
}

impl Stream {
    fn new(key: Lent<ropewalk_aead_key>, its: &Key, nonce: &[u8]) -> Result<Self> {
        let running = match &its.any {
            Any::Gcm(key) => Running::Gcm(aes_gcm::Stream::new(key, nonce)?),
            Any::ChaCha(key) => Running::ChaCha(chacha20_poly1305::Stream::new(key, nonce)?),
            Any::Ccm(_) => return Err(Why::Kind { what: "key", allowed: KINDS }.into()),
        };
        Ok(Self { key, running })
    }

    /// # Safety
    /// The key was made, or is NULL, for as long as the result is used.
    unsafe fn key<'a>(&self) -> Result<&'a Key> {
        // SAFETY: as the caller says.
        unsafe { self.key.get() }
    }

    fn absorb_aad(&mut self, key: &Key, aad: &[u8]) -> Result<()> {
        Ok(match (&mut self.running, &key.any) {
            (Running::Gcm(stream), Any::Gcm(key)) => stream.absorb_aad(key, aad),
            (Running::ChaCha(stream), Any::ChaCha(key)) => stream.absorb_aad(key, aad),
            _ => return Err(another_key()),
        }?)
    }

    fn crypt(&mut self, key: &Key, way: Way, text: Text<'_>) -> Result<()> {
        Ok(match (&mut self.running, &key.any) {
            (Running::Gcm(stream), Any::Gcm(key)) => match (way, text) {
                (Way::Seal, Text::InPlace(text)) => stream.seal(key, text),
                (Way::Seal, Text::Copying(from, to)) => stream.seal_to(key, from, to),
                (Way::Open, Text::InPlace(text)) => stream.open_unverified(key, text),
                (Way::Open, Text::Copying(from, to)) => stream.open_unverified_to(key, from, to),
            },
            (Running::ChaCha(stream), Any::ChaCha(key)) => match (way, text) {
                (Way::Seal, Text::InPlace(text)) => stream.seal(key, text),
                (Way::Seal, Text::Copying(from, to)) => stream.seal_to(key, from, to),
                (Way::Open, Text::InPlace(text)) => stream.open_unverified(key, text),
                (Way::Open, Text::Copying(from, to)) => stream.open_unverified_to(key, from, to),
            },
            _ => return Err(another_key()),
        }?)
    }

    fn tag(&self, key: &Key, tag: &mut [u8]) -> Result<()> {
        key.check_tag(tag.len())?;
        tag.copy_from_slice(
            &match (&self.running, &key.any) {
                (Running::Gcm(stream), Any::Gcm(key)) => stream.clone().tag(key),
                (Running::ChaCha(stream), Any::ChaCha(key)) => stream.clone().tag(key),
                _ => return Err(another_key()),
            }[..key.tag_len],
        );
        Ok(())
    }

    fn verify(&self, key: &Key, tag: &[u8]) -> Result<()> {
        key.check_tag(tag.len())?;
        Ok(match (&self.running, &key.any) {
            (Running::Gcm(stream), Any::Gcm(key)) => stream.clone().verify(key, tag),
            (Running::ChaCha(stream), Any::ChaCha(key)) => stream.clone().verify(key, tag),
            _ => return Err(another_key()),
        }?)
    }
}

/// Starts a message with a key of AES-GCM or ChaCha20-Poly1305. A nonce must be new for the key if the message is sealed.
/// Previous contents of the stream are not wiped.
///
/// Fails with ROPEWALK_WRONG_KIND for a key of AES-CCM, which needs the length before it starts.
///
/// # Safety
/// `stream` is for writing; `key` was made; `nonce` has `nonce_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_stream_init(
    stream: *mut ropewalk_aead_stream,
    key: *const ropewalk_aead_key,
    nonce: *const c_void,
    nonce_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(stream, error, || {
        overlap::apart("stream", Span::of(stream), [Span::of(key), Span::new(nonce, nonce_len)])?;
        // SAFETY: the caller's bytes, which are not the stream's.
        let nonce = unsafe { memory::input("nonce", nonce, nonce_len) }?;
        // SAFETY: the caller's key.
        let its = unsafe { object::get(key) }?;
        // SAFETY: the caller's key, which was made.
        let key = unsafe { Lent::new(key) };
        // SAFETY: the caller's stream.
        unsafe { object::make(stream, || Stream::new(key, its, nonce)) }
    })
}

/// Absorbs the next chunk of the additional data, of any length. All of it comes before the text.
///
/// Fails with ROPEWALK_TEXT_HAS_BEGUN after a chunk of the text that was not empty.
///
/// # Safety
/// `stream` was made, and its key is still there; `aad` has `aad_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_stream_aad(
    stream: *mut ropewalk_aead_stream,
    aad: *const c_void,
    aad_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("stream", Span::of(stream), [Span::new(aad, aad_len)])?;
        // SAFETY: the caller's bytes, which are not the stream's.
        let aad = unsafe { memory::input("aad", aad, aad_len) }?;
        // SAFETY: the caller's stream.
        let stream = unsafe { object::get_mut(stream) }?;
        // SAFETY: the caller's key, which is still there.
        let key = unsafe { stream.key() }?;
        stream.absorb_aad(key, aad)
    })
}

/// Encrypts the next chunk of the text, of any length, and writes `out`, which may be the same.
///
/// Fails with ROPEWALK_LENGTH where all chunks together are longer than a text may be.
///
/// # Safety
/// `stream` was made, and its key is still there; `in` has `len` bytes, and `out` for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_stream_seal(
    stream: *mut ropewalk_aead_stream,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { piece(stream, r#in, out, len, Way::Seal) })
}

/// Decrypts the next chunk of the text, of any length, and writes `out`, which may be the same. The output is unauthenticated
/// until ropewalk_aead_stream_finish_verify() has found the tag right. Do not use it before, and discard it if the tag is wrong.
///
/// Fails as ropewalk_aead_stream_seal().
///
/// # Safety
/// As ropewalk_aead_stream_seal().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_stream_open_unverified(
    stream: *mut ropewalk_aead_stream,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { piece(stream, r#in, out, len, Way::Open) })
}

/// # Safety
/// As ropewalk_aead_stream_seal().
unsafe fn piece(
    stream: *mut ropewalk_aead_stream,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    way: Way,
) -> Result<()> {
    let s = Span::of(stream);
    overlap::apart("stream", s, [Span::new(r#in, len)])?;
    overlap::check_text((r#in, len), (out, len), [s])?;
    // SAFETY: the caller's stream.
    let stream = unsafe { object::get_mut(stream) }?;
    overlap::apart("output", Span::new(out, len), [stream.key.span()])?;
    // SAFETY: the caller's key, which is still there.
    let key = unsafe { stream.key() }?;
    // SAFETY: the caller's bytes, apart from all others.
    let text = unsafe { overlap::checked_text((r#in, len), (out, len)) };
    stream.crypt(key, way, text)
}

/// Writes the tag of all chunks, and wipes the stream.
///
/// # Safety
/// `stream` was made, and its key is still there; `tag` has `tag_len` bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_stream_finish(
    stream: *mut ropewalk_aead_stream,
    tag: *mut c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let t = Span::new(tag, tag_len);
        overlap::apart("tag", t, [Span::of(stream)])?;
        // SAFETY: the caller's bytes, which are not the stream's.
        let tag = unsafe { memory::output("tag", tag, tag_len) }?;
        let finish = |stream: &mut Stream| {
            overlap::apart("tag", t, [stream.key.span()])?;
            // SAFETY: the caller's key, which is still there.
            let key = unsafe { stream.key() }?;
            stream.tag(key, tag)
        };
        // SAFETY: the caller's stream.
        unsafe { object::take(stream, finish) }
    })
}

/// Verifies `tag` as the tag of all chunks, in constant time, and wipes the stream. Only then may the output of
/// ropewalk_aead_stream_open_unverified() be used.
///
/// Fails with ROPEWALK_FORGED if it is wrong, and with ROPEWALK_LENGTH for a tag that is not as long as the key's: the stream
/// then stays.
///
/// # Safety
/// `stream` was made, and its key is still there; `tag` has `tag_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_stream_finish_verify(
    stream: *mut ropewalk_aead_stream,
    tag: *const c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("stream", Span::of(stream), [Span::new(tag, tag_len)])?;
        // SAFETY: the caller's bytes, which are not the stream's.
        let tag = unsafe { memory::input("tag", tag, tag_len) }?;
        // SAFETY: the caller's stream.
        let its = unsafe { object::get_mut(stream) }?;
        // SAFETY: the caller's key, which is still there.
        let key = unsafe { its.key() }?;
        let verdict = its.verify(key, tag);
        if verdict.as_ref().err().is_none_or(|failure| failure.is_forgery()) {
            // SAFETY: the caller's stream.
            unsafe { object::wipe(stream) };
        }
        verdict
    })
}

/// Makes a copy of a stream, which continues from the same position with the same key. Two streams that seal different texts from
/// there reveal both.
///
/// # Safety
/// `copy` is for writing; `stream` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_stream_clone(
    copy: *mut ropewalk_aead_stream,
    stream: *const ropewalk_aead_stream,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    making(copy, error, || unsafe { object::clone(copy, stream) })
}

/// Wipes a stream. NULL, and a stream that was not made or has been wiped or finished, are left unchanged.
///
/// # Safety
/// `stream` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_stream_wipe(stream: *mut ropewalk_aead_stream) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(stream) };
}
