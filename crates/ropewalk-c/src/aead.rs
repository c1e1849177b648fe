//! Authenticated ciphers: AES-GCM, AES-CCM and ChaCha20-Poly1305.

use std::ffi::c_void;

use ropewalk::{
    aead::{Algorithm, Tag},
    aes_ccm, aes_gcm, chacha20_poly1305,
};

use crate::{
    algorithms::{Kind as _, ropewalk_aead},
    enter::{Failure, Result, call, making},
    memory,
    object::{self, words},
    overlap::{self, Region, Span, Text},
    status::{ropewalk_error, ropewalk_status},
};

mod gmac;
pub(crate) mod many;
mod once;
mod sealer;
pub(crate) mod stream;

/// Words of a ropewalk_aead_key.
pub const ROPEWALK_AEAD_KEY_WORDS: usize = 240;

/// A key of an authenticated cipher. It must not be copied or moved; ropewalk_aead_key_clone() copies. Any number of
/// threads may seal and open with one key at the same time.
#[repr(C)]
pub struct ropewalk_aead_key {
    /// Private.
    pub words: [u64; ROPEWALK_AEAD_KEY_WORDS],
}

words! { ropewalk_aead_key has a key of states, Key, "authenticated cipher's key", b"RWaeadk1" }

#[derive(Clone)]
pub(crate) struct Key {
    algorithm: Algorithm,
    /// The length of its tags in bytes.
    tag_len: usize,
    any: Any,
}

#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
enum Any {
    Gcm(aes_gcm::Key),
    Ccm(aes_ccm::Key),
    ChaCha(chacha20_poly1305::Key),
}

impl Key {
    /// Of a secret that has been checked.
    fn new(algorithm: Algorithm, secret: &[u8]) -> Self {
        let tag_len = algorithm.tag_len();
        use Algorithm::*;
        match algorithm {
            Aes128Gcm | Aes192Gcm | Aes256Gcm => {
                Self { algorithm, tag_len, any: Any::Gcm(aes_gcm::Key::of_checked(secret)) }
            }
            Aes128Ccm | Aes192Ccm | Aes256Ccm => {
                Self { algorithm, tag_len, any: Any::Ccm(aes_ccm::Key::of_checked(secret)) }
            }
            _ => {
                let Ok(secret) = secret.try_into() else { unreachable!("it has been checked") };
                let key = chacha20_poly1305::Key::of_checked(secret);
                Self { algorithm, tag_len, any: Any::ChaCha(key) }
            }
        }
    }

    /// Seals, and passes the tag to `put`. The tag is read in the place where the library has written it: moved in words, it
    /// would stall a vector load.
    #[inline(always)]
    fn seal(&self, nonce: &[u8], aad: &[u8], text: Text<'_>, put: impl FnOnce(&Tag)) -> Result<()> {
        let sealed = |sealed: &std::result::Result<Tag, ropewalk::Error>| match sealed {
            Ok(tag) => {
                put(tag);
                Ok(())
            }
            Err(error) => Err((*error).into()),
        };
        match (&self.any, text) {
            (Any::Gcm(key), Text::InPlace(text)) => sealed(&key.seal(nonce, aad, text)),
            (Any::Gcm(key), Text::Copying(from, to)) => sealed(&key.seal_to(nonce, aad, from, to)),
            (Any::Ccm(key), Text::InPlace(text)) => sealed(&key.seal(nonce, aad, text)),
            (Any::Ccm(key), Text::Copying(from, to)) => sealed(&key.seal_to(nonce, aad, from, to)),
            (Any::ChaCha(key), Text::InPlace(text)) => sealed(&key.seal(nonce, aad, text)),
            (Any::ChaCha(key), Text::Copying(from, to)) => {
                sealed(&key.seal_to(nonce, aad, from, to))
            }
        }
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], aad: &[u8], text: Text<'_>, tag: &[u8]) -> Result<()> {
        Ok(match (&self.any, text) {
            (Any::Gcm(key), Text::InPlace(text)) => key.open(nonce, aad, text, tag),
            (Any::Gcm(key), Text::Copying(from, to)) => key.open_to(nonce, aad, from, to, tag),
            (Any::Ccm(key), Text::InPlace(text)) => key.open(nonce, aad, text, tag),
            (Any::Ccm(key), Text::Copying(from, to)) => key.open_to(nonce, aad, from, to, tag),
            (Any::ChaCha(key), Text::InPlace(text)) => key.open(nonce, aad, text, tag),
            (Any::ChaCha(key), Text::Copying(from, to)) => key.open_to(nonce, aad, from, to, tag),
        }?)
    }

    /// The index of the cipher, in the order of [`Any`].
    fn kind(&self) -> u8 {
        match self.any {
            Any::Gcm(_) => 0,
            Any::Ccm(_) => 1,
            Any::ChaCha(_) => 2,
        }
    }

    #[inline(always)]
    fn check_tag(&self, tag_len: usize) -> Result<()> {
        match tag_len == self.tag_len {
            true => Ok(()),
            false => Err(Failure::length("tag", tag_len, "as the key has it")),
        }
    }
}

/// Makes a key of `secret`, which has ropewalk_aead_key_len() bytes, with the best backend of this processor. Previous contents
/// of the key are not wiped.
///
/// # Safety
/// `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_key_init(
    key: *mut ropewalk_aead_key,
    algorithm: ropewalk_aead,
    secret: *const c_void,
    secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, secret_len)])?;
        let algorithm = Algorithm::numbered(algorithm)?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::input("secret", secret, secret_len) }?;
        check_secret(algorithm, secret)?;
        // SAFETY: the caller's key.
        unsafe { object::make_key(key, || Key::new(algorithm, secret)) }
    })
}

/// Makes a copy of a key.
///
/// # Safety
/// `copy` is for writing; `key` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_key_clone(
    copy: *mut ropewalk_aead_key,
    key: *const ropewalk_aead_key,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    making(copy, error, || unsafe { object::clone(copy, key) })
}

/// Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_key_wipe(key: *mut ropewalk_aead_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Sets the length of a key's tags: 12 to 16 bytes for AES-GCM; 4, 6, 8, 10, 12, 14 or 16 for AES-CCM. A key has tags of one
/// length: were it chosen for each message, a forger would choose the shortest.
///
/// # Safety
/// `key` was made, and no other thread uses it meanwhile; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_key_set_tag_len(
    key: *mut ropewalk_aead_key,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's key.
        let its = unsafe { object::get_mut(key) }?;
        match &mut its.any {
            Any::Gcm(gcm) => gcm.set_tag_len(tag_len)?,
            Any::Ccm(ccm) => ccm.set_tag_len(tag_len)?,
            Any::ChaCha(_) => its.check_tag(tag_len)?,
        }
        its.tag_len = tag_len;
        // SAFETY: the caller's key, which was made.
        unsafe { object::renew(key) };
        Ok(())
    })
}

/// Replaces a key by another one of the same algorithm, in the same place, which is faster than to make a new one. The tag length
/// does not change.
///
/// # Safety
/// `key` was made, and no other thread uses it meanwhile; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_rekey(
    key: *mut ropewalk_aead_key,
    secret: *const c_void,
    secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, secret_len)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::input("secret", secret, secret_len) }?;
        // SAFETY: the caller's key.
        let its = unsafe { object::get_mut(key) }?;
        check_secret(its.algorithm, secret)?;
        // SAFETY: the caller's key, which was made.
        unsafe { object::renew(key) };
        match &mut its.any {
            Any::Gcm(gcm) => gcm.rekey(secret)?,
            Any::Ccm(ccm) => ccm.rekey(secret)?,
            Any::ChaCha(chacha) => *chacha = chacha20_poly1305::Key::new(secret)?,
        }
        Ok(())
    })
}

/// Encrypts `len` bytes of `in` to `out`, which may be the same, and writes their tag. The nonce must be new for this key.
///
/// Fails with ROPEWALK_LENGTH for a nonce length that the cipher does not accept, for a text that is too long for it, and unless
/// `tag_len` is that of the key's tags, by default 16.
///
/// # Safety
/// `key` was made; each pointer has as many bytes as follow it; `out` and `tag` are for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_seal(
    key: *const ropewalk_aead_key,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    tag: *mut c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let (nonce, aad) = ((nonce, nonce_len), (aad, aad_len));
    // SAFETY: as the caller says.
    call(error, || unsafe { seal(key, nonce, aad, (r#in, len), (out, len), (tag, tag_len)) })
}

/// Decrypts `len` bytes of `in` to `out`, which may be the same, if `tag` is their tag.
///
/// Fails with ROPEWALK_FORGED if it is not: `out` is then zeroed. Fails with ROPEWALK_LENGTH as ropewalk_aead_seal().
///
/// # Safety
/// As ropewalk_aead_seal(), and `tag` is only read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_open(
    key: *const ropewalk_aead_key,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    tag: *const c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    let (nonce, aad) = ((nonce, nonce_len), (aad, aad_len));
    // SAFETY: as the caller says.
    call(error, || unsafe { open(key, nonce, aad, (r#in, len), (out, len), (tag, tag_len)) })
}

/// Encrypts `in` to `out`, followed by the tag: `out_len` is greater than `in_len` by the length of a tag. Both may begin at one
/// address. The nonce must be new for this key.
///
/// Fails with ROPEWALK_LENGTH as ropewalk_aead_seal(), and for another `out_len`.
///
/// # Safety
/// As ropewalk_aead_seal().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_seal_appended(
    key: *const ropewalk_aead_key,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's key.
        let tag_len = unsafe { object::get(key) }?.tag_len;
        if in_len.checked_add(tag_len) != Some(out_len) {
            return Err(Failure::length("output", out_len, "that of the text and a tag"));
        }
        // It is also apart from the end of the text, unless that is the output.
        let all = [Span::new(out, out_len)];
        if !std::ptr::eq(r#in, out) {
            overlap::apart("output", Span::new(r#in, in_len), all)?;
        }
        memory::check("output", out, out_len)?;
        let tag = (out.wrapping_byte_add(in_len), tag_len);
        let (nonce, aad) = ((nonce, nonce_len), (aad, aad_len));
        // SAFETY: as the caller says; the tag lies behind the text, in the output.
        unsafe { seal(key, nonce, aad, (r#in, in_len), (out, in_len), tag) }
    })
}

/// Decrypts `in`, which ends with its tag, to `out`: `out_len` is less than `in_len` by the length of a tag. Both may begin at one
/// address.
///
/// Fails as ropewalk_aead_open(), and with ROPEWALK_LENGTH for another `out_len`.
///
/// # Safety
/// As ropewalk_aead_seal().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_open_appended(
    key: *const ropewalk_aead_key,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's key.
        let tag_len = unsafe { object::get(key) }?.tag_len;
        if out_len.checked_add(tag_len) != Some(in_len) {
            return Err(Failure::length("output", out_len, "that of the input without its tag"));
        }
        memory::check("input", r#in, in_len)?;
        let tag = (r#in.wrapping_byte_add(out_len), tag_len);
        let (nonce, aad) = ((nonce, nonce_len), (aad, aad_len));
        // SAFETY: as the caller says; the tag lies behind the text, in the input.
        unsafe { open(key, nonce, aad, (r#in, out_len), (out, out_len), tag) }
    })
}

type From = (*const c_void, usize);
type To = (*mut c_void, usize);

/// # Safety
/// As [`ropewalk_aead_seal`].
#[inline(always)]
unsafe fn seal(
    key: *const ropewalk_aead_key,
    nonce: From,
    aad: From,
    from: From,
    to: To,
    tag: To,
) -> Result<()> {
    let reads = [Region::object(key), Region::new("nonce", nonce), Region::new("aad", aad)];
    let writes = [Region::new("tag", (tag.0, tag.1))];
    let (input, output) = (Region::new("input", from), Region::new("output", (to.0, to.1)));
    overlap::check(input, output, reads, writes)?;
    // SAFETY: the caller's key.
    let key = unsafe { object::get(key) }?;
    key.check_tag(tag.1)?;
    // SAFETY: the caller's bytes, which have been checked, apart from the output.
    let nonce = unsafe { memory::bytes(nonce.0, nonce.1) };
    // SAFETY: the same.
    let aad = unsafe { memory::bytes(aad.0, aad.1) };
    // SAFETY: the same, and for writing.
    let text = unsafe { overlap::checked_text(from, to) };
    // SAFETY: the caller's bytes, for writing, which have been checked.
    key.seal(nonce, aad, text, |made| unsafe { memory::put_tag(tag.0, made) })
}

/// # Safety
/// As [`ropewalk_aead_open`].
#[inline(always)]
unsafe fn open(
    key: *const ropewalk_aead_key,
    nonce: From,
    aad: From,
    from: From,
    to: To,
    tag: From,
) -> Result<()> {
    let reads = [
        Region::object(key),
        Region::new("nonce", nonce),
        Region::new("aad", aad),
        Region::new("tag", tag),
    ];
    let (input, output) = (Region::new("input", from), Region::new("output", (to.0, to.1)));
    overlap::check(input, output, reads, [])?;
    // SAFETY: the caller's key.
    let key = unsafe { object::get(key) }?;
    // SAFETY: the caller's bytes, which have been checked, apart from the output.
    let nonce = unsafe { memory::bytes(nonce.0, nonce.1) };
    // SAFETY: the same.
    let aad = unsafe { memory::bytes(aad.0, aad.1) };
    // SAFETY: the same.
    let tag = unsafe { memory::bytes(tag.0, tag.1) };
    // SAFETY: the same, and for writing.
    key.open(nonce, aad, unsafe { overlap::checked_text(from, to) }, tag)
}

fn check_secret(algorithm: Algorithm, secret: &[u8]) -> Result<()> {
    let allowed = match algorithm.key_len() {
        16 => "16 bytes",
        24 => "24 bytes",
        _ => "32 bytes",
    };
    match secret.len() == algorithm.key_len() {
        true => Ok(()),
        false => Err(Failure::length("key", secret.len(), allowed)),
    }
}
