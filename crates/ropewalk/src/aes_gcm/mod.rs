//! AES-GCM (NIST SP 800-38D) with nonces of twelve bytes.
//!
//! A nonce must never be used twice with one key: whoever calls sees to that.
//!
//! ```
//! use ropewalk::aes_gcm::Key;
//!
//! let key = Key::new(&[7; 32])?;
//! let (nonce, aad) = ([0; 12], b"header");
//! let mut text = *b"attack at dawn";
//! let tag = key.seal(&nonce, aad, &mut text)?;
//! key.open(&nonce, aad, &mut text, &tag)?;
//! assert_eq!(&text, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```

use subtle::ConstantTimeEq;

use crate::{Error, aes, backend::Primitive, text::Text};

mod portable;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod aesni;
    mod ghash128;
    mod ghash512;
    pub(super) mod vaes256;
    pub(super) mod vaes512;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod aes;
    mod ghash;
}

/// Never the same twice with one key.
pub type Nonce = [u8; 12];
/// Proves a message.
pub type Tag = [u8; 16];

/// A key of 16, 24 or 32 bytes.
type Secret<'a> = &'a [u8];

/// One message. Lengths are checked by the caller.
trait Aead: Send + Sync {
    /// Encrypts the text and writes its tag (section 7.1).
    fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Tag);

    /// Decrypts the text and writes the tag that it should have (section 7.2); the caller compares,
    /// and wipes.
    fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Tag);
}

backends! {
    /// AES-GCM, most preferred first.
    enum Engine(Secret<'_>): Aead in "aes_gcm" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512" needs VaesClmul512 => Vaes512(x86_64::vaes512::Vaes512),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256" needs Vaes256Clmul => Vaes256(x86_64::vaes256::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni" needs AesniClmul => Aesni(x86_64::aesni::Aesni),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes" needs Aes => Aes(aarch64::aes::Aes),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

/// AES-GCM, for those who walk the list.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-gcm",
    standard: "NIST SP 800-38D",
    backends: Engine::ALL,
    self_test: |backend| {
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        let mut text = EXAMPLE_PLAINTEXT;
        let tag = key.seal(&EXAMPLE_NONCE, &EXAMPLE_AAD, &mut text)?;
        let sealed = text == EXAMPLE_CIPHERTEXT && tag == EXAMPLE_TAG;
        let opened = key.open(&EXAMPLE_NONCE, &EXAMPLE_AAD, &mut text, &tag).is_ok();
        Ok(sealed && opened && text == EXAMPLE_PLAINTEXT)
    },
};

/// Bytes of text in a message, at most: 2^39 − 256 bits (section 5.2.1.1).
pub const LONGEST_TEXT: u64 = (1 << 36) - 32;

/// An AES-GCM key. It is wiped when it is dropped.
pub struct Key {
    engine: Engine,
}

impl Key {
    /// From a key of 16, 24 or 32 bytes, with the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length.
    pub fn new(secret: &[u8]) -> Result<Self, Error> {
        aes::check_key(secret)?;
        Ok(Self { engine: Engine::best(secret) })
    }

    /// With one backend, by its name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        aes::check_key(secret)?;
        Ok(Self { engine: Engine::named(name, secret)? })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// Encrypts `text` in place and returns its tag. The nonce must be new for this key.
    ///
    /// # Errors
    /// [`Error::Length`] past [`LONGEST_TEXT`]; `text` is then untouched.
    #[inline]
    pub fn seal(&self, nonce: &Nonce, aad: &[u8], text: &mut [u8]) -> Result<Tag, Error> {
        check(aad, text)?;
        let mut tag = [0; 16];
        self.engine.seal(nonce, aad, Text::in_place(text), &mut tag);
        Ok(tag)
    }

    /// Decrypts `text` in place, if `tag` is its tag.
    ///
    /// # Errors
    /// [`Error::Forged`] if it is not; `text` is then zeroed. [`Error::Length`] past
    /// [`LONGEST_TEXT`]; `text` is then untouched.
    #[inline]
    pub fn open(&self, nonce: &Nonce, aad: &[u8], text: &mut [u8], tag: &Tag) -> Result<(), Error> {
        check(aad, text)?;
        let mut right = [0; 16];
        self.engine.open(nonce, aad, Text::in_place(text), &mut right);
        if bool::from(right.ct_eq(tag)) {
            return Ok(());
        }
        text.fill(0);
        Err(Error::Forged)
    }
}

/// Section 5.2.1.1.
#[inline]
fn check(aad: &[u8], text: &[u8]) -> Result<(), Error> {
    if text.len() as u64 > LONGEST_TEXT {
        let allowed = "up to 2^36 - 32 bytes";
        return Err(Error::Length { what: "text", got: text.len(), allowed });
    }
    if aad.len() as u64 >= 1 << 61 {
        let allowed = "less than 2^61 bytes";
        return Err(Error::Length { what: "additional data", got: aad.len(), allowed });
    }
    Ok(())
}

/// The specification's test case 4.
const EXAMPLE_KEY: [u8; 16] = 0xfeffe9928665731c6d6a8f9467308308_u128.to_be_bytes();
const EXAMPLE_NONCE: Nonce = *b"\xca\xfe\xba\xbe\xfa\xce\xdb\xad\xde\xca\xf8\x88";
const EXAMPLE_AAD: [u8; 20] =
    *b"\xfe\xed\xfa\xce\xde\xad\xbe\xef\xfe\xed\xfa\xce\xde\xad\xbe\xef\xab\xad\xda\xd2";
const EXAMPLE_PLAINTEXT: [u8; 60] =
    *b"\xd9\x31\x32\x25\xf8\x84\x06\xe5\xa5\x59\x09\xc5\xaf\xf5\x26\x9a\
       \x86\xa7\xa9\x53\x15\x34\xf7\xda\x2e\x4c\x30\x3d\x8a\x31\x8a\x72\
       \x1c\x3c\x0c\x95\x95\x68\x09\x53\x2f\xcf\x0e\x24\x49\xa6\xb5\x25\
       \xb1\x6a\xed\xf5\xaa\x0d\xe6\x57\xba\x63\x7b\x39";
const EXAMPLE_CIPHERTEXT: [u8; 60] =
    *b"\x42\x83\x1e\xc2\x21\x77\x74\x24\x4b\x72\x21\xb7\x84\xd0\xd4\x9c\
       \xe3\xaa\x21\x2f\x2c\x02\xa4\xe0\x35\xc1\x7e\x23\x29\xac\xa1\x2e\
       \x21\xd5\x14\xb2\x54\x66\x93\x1c\x7d\x8f\x6a\x5a\xac\x84\xaa\x05\
       \x1b\xa3\x0b\x39\x6a\x0a\xac\x97\x3d\x58\xe0\x91";
const EXAMPLE_TAG: Tag = 0x5bc94fbc3221a5db94fae95ae7121a47_u128.to_be_bytes();
