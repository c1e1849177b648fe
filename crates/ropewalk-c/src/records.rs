//! Records of TLS 1.0 to 1.2 by AES-CBC with HMAC (RFC 5246, section 6.2.3.2).

use std::ffi::c_void;

use ropewalk::{
    cbc_hmac::{self, Header},
    hash::Algorithm,
    sha1::Sha1,
    sha256::Sha256,
};

use crate::{
    algorithms::{Kind as _, ropewalk_hash},
    enter::{Failure, Result, Why, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span, Text, as_long},
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod many;

/// Words of a ropewalk_record_key.
pub const ROPEWALK_RECORD_KEY_WORDS: usize = 104;

/// The AES key and the HMAC key for the records of one direction. It must not be copied or moved. Any number of threads may use
/// one at the same time.
#[repr(C)]
pub struct ropewalk_record_key {
    /// Private.
    pub words: [u64; ROPEWALK_RECORD_KEY_WORDS],
}

words! { ropewalk_record_key has a key, Key, "records' key", b"RWrecord", leaves 3584 }

/// The length of a sequence number, a type and a version in bytes.
pub const ROPEWALK_RECORD_HEADER_LEN: usize = 11;

#[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
pub(crate) enum Key {
    Sha1(cbc_hmac::Key<Sha1>),
    Sha256(cbc_hmac::Key<Sha256>),
}

impl Key {
    /// A constructor, after the arguments have been checked.
    fn maker(hash: Algorithm, aes: &[u8], mac: &[u8]) -> Result<impl FnOnce() -> Self> {
        if !matches!(hash, Algorithm::Sha1 | Algorithm::Sha256) {
            return Err(Why::Kind { what: "hash function", allowed: "sha1, sha256" }.into());
        }
        cbc_hmac::check_key(aes)?;
        Ok(move || match hash {
            Algorithm::Sha1 => Self::Sha1(cbc_hmac::Key::of_checked(aes, mac)),
            _ => Self::Sha256(cbc_hmac::Key::of_checked(aes, mac)),
        })
    }

    fn sealed_len(&self, text: usize) -> usize {
        match self {
            Self::Sha1(_) => cbc_hmac::Key::<Sha1>::sealed_len(text),
            Self::Sha256(_) => cbc_hmac::Key::<Sha256>::sealed_len(text),
        }
    }

    /// Checks the lengths of a text and of its record.
    fn check_text(&self, text: usize, record: usize) -> Result<()> {
        if text > cbc_hmac::LONGEST_TEXT {
            return Err(Failure::length("text", text, "up to 2^14 bytes"));
        }
        as_long("record", record, self.sealed_len(text), "as ropewalk_record_len says")
    }

    /// Seals a text of that length.
    #[inline(always)]
    fn seal(&self, iv: &[u8; 16], header: &Header, text: Text<'_>, len: usize) -> Result<()> {
        Ok(match (self, text) {
            (Self::Sha1(key), Text::InPlace(record)) => key.seal(iv, header, record, len),
            (Self::Sha1(key), Text::Copying(from, to)) => key.seal_to(iv, header, from, to),
            (Self::Sha256(key), Text::InPlace(record)) => key.seal(iv, header, record, len),
            (Self::Sha256(key), Text::Copying(from, to)) => key.seal_to(iv, header, from, to),
        }?)
    }

    /// Opens a record, and returns the length of its text.
    #[inline(always)]
    fn open(&self, iv: &[u8; 16], header: &Header, record: Text<'_>) -> Result<usize> {
        Ok(match (self, record) {
            (Self::Sha1(key), Text::InPlace(record)) => key.open(iv, header, record)?.len(),
            (Self::Sha1(key), Text::Copying(from, to)) => key.open_to(iv, header, from, to)?,
            (Self::Sha256(key), Text::InPlace(record)) => key.open(iv, header, record)?.len(),
            (Self::Sha256(key), Text::Copying(from, to)) => key.open_to(iv, header, from, to)?,
        })
    }
}

/// Makes a key from an AES secret, of 16 or 32 bytes, and an HMAC secret for `hash`, which is ROPEWALK_SHA1 or ROPEWALK_SHA256;
/// that secret should have as many bytes as a digest. Previous contents of the key are not wiped.
///
/// # Safety
/// `key` is for writing; each secret has as many bytes as follow it; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_record_key_init(
    key: *mut ropewalk_record_key,
    hash: ropewalk_hash,
    aes_secret: *const c_void,
    aes_secret_len: usize,
    mac_secret: *const c_void,
    mac_secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        let read = [(aes_secret, aes_secret_len), (mac_secret, mac_secret_len)];
        overlap::apart("key", Span::of(key), read.map(|(at, len)| Span::new(at, len)))?;
        let hash = Algorithm::numbered(hash)?;
        // SAFETY: the caller's bytes, which are not the key's.
        let aes = unsafe { memory::input("AES secret", aes_secret, aes_secret_len) }?;
        // SAFETY: the same.
        let mac = unsafe { memory::input("MAC secret", mac_secret, mac_secret_len) }?;
        // SAFETY: the caller's key.
        unsafe { object::make_key(key, Key::maker(hash, aes, mac)?) }
    })
}

/// Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_record_key_wipe(key: *mut ropewalk_record_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// The length of a record in bytes, without its initialization vector, for a text of that length; 0 where there is no such key.
///
/// # Safety
/// `key` was made, or it is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_record_len(
    key: *const ropewalk_record_key,
    text_len: usize,
) -> usize {
    // SAFETY: as the caller says.
    unsafe { object::get(key) }.map_or(0, |key| key.sealed_len(text_len))
}

/// Encrypts `in`, its MAC and a padding to `out`, which has ropewalk_record_len() bytes. Both may begin at one address. `iv`, of
/// 16 bytes, is the initialization vector, and `header` has ROPEWALK_RECORD_HEADER_LEN bytes: the sequence number, the type and
/// the version, which the MAC covers too.
///
/// Fails with ROPEWALK_LENGTH for other lengths, and past 2^14 bytes of text.
///
/// # Safety
/// `key` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_record_seal(
    key: *const ropewalk_record_key,
    iv: *const c_void,
    iv_len: usize,
    header: *const c_void,
    header_len: usize,
    r#in: *const c_void,
    in_len: usize,
    out: *mut c_void,
    out_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's key.
        unsafe { object::get(key) }?.check_text(in_len, out_len)?;
        // SAFETY: the caller's bytes.
        let given = unsafe { Given::new(key, (iv, iv_len), (header, header_len)) }?;
        // SAFETY: the same, apart from those.
        let text = unsafe { given.text((r#in, in_len), (out, out_len)) }?;
        given.key.seal(given.iv, given.header, text, in_len)
    })
}

/// Decrypts a record, `len` bytes of `in`, to `out`, which may be the same, and writes to `text_len` how many of them are its
/// text. The time does not depend on the length of the text.
///
/// Fails with ROPEWALK_FORGED where the MAC or the padding is wrong, in whatever way: `out` is then zeroed. Fails with
/// ROPEWALK_LENGTH unless there are whole blocks of 16 bytes, with space for a MAC and padding, and at most 2^14 + 2048 bytes.
///
/// # Safety
/// As ropewalk_record_seal(); `text_len` is for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_record_open(
    key: *const ropewalk_record_key,
    iv: *const c_void,
    iv_len: usize,
    header: *const c_void,
    header_len: usize,
    r#in: *const c_void,
    out: *mut c_void,
    len: usize,
    text_len: *mut usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let told = Span::of(text_len);
        memory::not_null("text_len", text_len)?;
        let read = [Span::new(iv, iv_len), Span::new(header, header_len), Span::new(r#in, len)];
        overlap::apart("text_len", told, read)?;
        overlap::apart("text_len", told, [Span::of(key), Span::new(out, len)])?;
        // SAFETY: the caller's bytes.
        let given = unsafe { Given::new(key, (iv, iv_len), (header, header_len)) }?;
        // SAFETY: the same, apart from those.
        let text = unsafe { given.text((r#in, len), (out, len)) }?;
        let len = given.key.open(given.iv, given.header, text)?;
        // SAFETY: for writing, as the caller says.
        unsafe { memory::put("text_len", text_len, len) }
    })
}

/// The inputs of a record.
struct Given<'a> {
    key: &'a Key,
    iv: &'a [u8; 16],
    header: &'a Header,
    spans: [Span; 3],
}

impl<'a> Given<'a> {
    /// # Safety
    /// As [`ropewalk_record_seal`].
    #[inline(always)]
    unsafe fn new(
        key: *const ropewalk_record_key,
        iv: (*const c_void, usize),
        header: (*const c_void, usize),
    ) -> Result<Self> {
        as_long("nonce", iv.1, 16, "16 bytes")?;
        as_long("header", header.1, ROPEWALK_RECORD_HEADER_LEN, "11 bytes")?;
        let spans = [Span::of(key), Span::new(iv.0, iv.1), Span::new(header.0, header.1)];
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        // SAFETY: the caller's bytes, apart from the output.
        let iv = unsafe { memory::array("nonce", iv.0) }?;
        // SAFETY: the same.
        let header = unsafe { memory::array("header", header.0) }?;
        Ok(Self { key, iv, header, spans })
    }

    /// # Safety
    /// As [`ropewalk_record_seal`].
    #[inline(always)]
    unsafe fn text(
        &self,
        from: (*const c_void, usize),
        to: (*mut c_void, usize),
    ) -> Result<Text<'a>> {
        // SAFETY: as the caller says.
        unsafe { overlap::text(from, to, self.spans) }
    }
}
