//! ChaCha20-Poly1305 (RFC 8439, section 2.8).
//!
//! A nonce must never be used twice with one key: that is up to the caller. Texts are encrypted in place, or copied (`_to`); a
//! tag is returned, or appended to its text (`_appended`).
//!
//! ```
//! use ropewalk::chacha20_poly1305::Key;
//!
//! let key = Key::new(&[7; 32])?;
//! let (nonce, aad) = ([0; 12], b"header");
//! let mut text = *b"attack at dawn";
//! let tag = key.seal(&nonce, aad, &mut text)?;
//! key.open(&nonce, aad, &mut text, &tag)?;
//! assert_eq!(&text, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! A message that comes in chunks is a [`Stream`].
//!
//! Many short messages are sealed and opened faster in one call, with one key or with many:
//!
//! ```
//! use ropewalk::chacha20_poly1305::{Key, Message, Tag, open_many, seal_many};
//!
//! let keys = [Key::new(&[1; 32])?, Key::new(&[2; 32])?];
//! let nonces = [[3; 12], [4; 12]];
//! let (mut first, mut second) = (*b"attack at dawn", *b"no, at noon");
//! let mut messages = [
//!     Message { key: &keys[0], nonce: &nonces[0], aad: b"header", text: &mut first },
//!     Message { key: &keys[1], nonce: &nonces[1], aad: b"", text: &mut second },
//! ];
//! let mut tags = [Tag::default(); 2];
//! seal_many(&mut messages, &mut tags).map_err(|wrong| wrong.error)?;
//!
//! let mut results = [Ok(()); 2];
//! open_many(&mut messages, &[&tags[0], &tags[1]], &mut results).map_err(|wrong| wrong.error)?;
//! assert_eq!(results, [Ok(()), Ok(())]);
//! assert_eq!(&second, b"no, at noon");
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    aeads::{self, many::AeadMany, stream::Way},
    chacha::poly1305::Block,
    core::{Error, backend::Primitive, text::Text},
};

mod key;
mod known;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
mod many;
mod parts;
mod portable;
mod stream;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod wide;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod avx2;
    pub(super) mod avx2_x8;
    pub(super) mod avx512_x16;
    pub(super) mod avx512ifma;
    #[cfg(not(ropewalk_ct = "msan"))]
    mod interleaved;
    mod short256;
    mod some256;
    mod some512;
    pub(super) mod ssse3;
    pub(super) mod ssse3_x4;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod neon;
    pub(super) mod neon_x4;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::chacha::chacha20::KeyWords;
pub use crate::{
    chacha::{chacha20::Nonce, poly1305::TAG_LEN},
    core::tag::Tag,
};
use many::Message as Each;
#[cfg(feature = "many")]
pub use many::{Many, Message, Openings, Seals, open_many, seal_many};
use parts::{CipherAndMac, Place};
pub use stream::Stream;

/// The longest text in bytes: 2^38 − 64.
pub const LONGEST_TEXT: u64 = (1 << 38) - 64;

/// A key of 32 bytes.
type Secret<'a> = &'a [u8; 32];

/// The operations of a backend. The caller has checked all lengths.
trait ChaChaPoly: CipherAndMac {
    /// Encrypts the text and writes its tag.
    fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block);

    /// Decrypts the text and writes the tag that it should have; the caller compares, and wipes.
    fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block);

    /// Whole blocks of a message in chunks.
    fn piece(&self, place: &mut Place, mut text: Text<'_>, way: Way) {
        parts::piece(self, place, &mut text, way);
    }
}

backends! {
    calls Entries {
        fn seal(nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block);
        fn open(nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block);
        fn piece(place: &mut Place; text, way: Way);
    }
    dyn CipherAndMac
    tested by known::one;

    /// ChaCha20-Poly1305, most preferred first.
    #[derive(Clone)]
    pub(crate) enum Engine(Secret<'_>): ChaChaPoly in "chacha20_poly1305" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512ifma" needs Avx512Ifma => Ifma(x86_64::avx512ifma::Ifma),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" needs Avx2 => Avx2(x86_64::avx2::Wide),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" needs Ssse3 => Ssse3(x86_64::ssse3::Wide),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon" needs Neon => Neon(aarch64::neon::Wide),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

// Cycles of AVX2 and SSSE3 are measured on Zen 3. Those of AVX-512 are counted: 960 instructions of rounds through two ports,
// some slots of which Poly1305 takes, and shuffles through one, which take 130. Those of Arm are assumed to be those of SSSE3.
backends! {
    calls ManyEntries {
        fn alike(open: bool, left: &mut u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
        fn seal_many(chosen: u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
        fn open_many(chosen: u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
    }
    tested by known::many;

    /// ChaCha20-Poly1305 of many messages, most preferred first. Messages that gain nothing from lanes go to the backend of their
    /// key.
    pub(crate) enum ManyEngine(()): AeadMany in "chacha20_poly1305" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512_x16" (800 cycles, 600 at the start, 16 lanes) needs Avx512 => Avx512x16(x86_64::avx512_x16::Avx512x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2_x8" (660 cycles, 560 at the start, 8 lanes) needs Avx2 => Avx2x8(x86_64::avx2_x8::Avx2x8),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3_x4" (770 cycles, 400 at the start, 4 lanes) needs Ssse3 => Ssse3x4(x86_64::ssse3_x4::Ssse3x4),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon_x4" (770 cycles, 400 at the start, 4 lanes) needs Neon => Neonx4(aarch64::neon_x4::Neonx4),
        "portable" needs Baseline => OneByOne(portable::OneByOne),
    }
}

/// ChaCha20-Poly1305 and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "chacha20-poly1305",
    standard: "RFC 8439, section 2.8",
    backends: Engine::ALL,
    self_test: |backend| {
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        let mut text = *EXAMPLE_PLAINTEXT;
        let tag = key.seal(&EXAMPLE_NONCE, &EXAMPLE_AAD, &mut text)?;
        let sealed = text == EXAMPLE_CIPHERTEXT && *tag == EXAMPLE_TAG;
        let opened = key.open(&EXAMPLE_NONCE, &EXAMPLE_AAD, &mut text, &tag).is_ok();
        Ok(sealed && opened && text == *EXAMPLE_PLAINTEXT && known::one(backend)?)
    },
};

/// ChaCha20-Poly1305 of many messages and its backends.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "chacha20-poly1305-many",
    standard: "RFC 8439, section 2.8",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        const COUNT: usize = 19;
        let (key, many) = (Key::new(&EXAMPLE_KEY)?, Many::with_backend(backend)?);
        let mut texts = [*EXAMPLE_PLAINTEXT; COUNT];
        let mut messages = texts.each_mut().map(|text| Message {
            key: &key,
            nonce: &EXAMPLE_NONCE,
            aad: &EXAMPLE_AAD,
            text,
        });
        let (mut tags, mut results) = ([Tag::default(); COUNT], [Ok(()); COUNT]);
        many.seal(&mut messages, &mut tags).map_err(|wrong| wrong.error)?;
        let sealed = messages.iter().all(|message| *message.text == EXAMPLE_CIPHERTEXT)
            && tags.iter().all(|tag| **tag == EXAMPLE_TAG);
        let tags = tags.each_ref().map(|tag| &**tag);
        many.open(&mut messages, &tags, &mut results).map_err(|wrong| wrong.error)?;
        Ok(sealed
            && results == [Ok(()); COUNT]
            && texts == [*EXAMPLE_PLAINTEXT; COUNT]
            && known::many(backend)?)
    },
};

/// A ChaCha20-Poly1305 key. It is wiped when it is dropped, and so is a clone.
///
/// A text has at most [`LONGEST_TEXT`] bytes, and a nonce has 12.
pub type Key = aeads::key::Key<aeads::key::ChaCha20Poly1305>;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl Engine {
    /// Its words, after the constants.
    #[inline]
    fn words(&self) -> &KeyWords {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(backend) => backend.words(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(backend) => backend.words(),
            #[cfg(target_arch = "x86_64")]
            Self::Ssse3(backend) => backend.words(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(backend) => backend.words(),
            Self::Portable(backend) => backend.words(),
        }
    }
}

/// The nonce, if the lengths are right.
#[inline]
fn check(nonce: &[u8], text_len: usize) -> Result<&Nonce, Error> {
    check_text(text_len as u64)?;
    check_nonce(nonce)
}

#[inline]
fn check_text(len: u64) -> Result<(), Error> {
    if len > LONGEST_TEXT {
        let (got, allowed) = (len.try_into().unwrap_or(usize::MAX), "up to 2^38 - 64 bytes");
        return Err(Error::Length { what: "text", got, allowed });
    }
    Ok(())
}

#[inline]
fn check_nonce(nonce: &[u8]) -> Result<&Nonce, Error> {
    let got = nonce.len();
    nonce.try_into().map_err(|_| Error::Length { what: "nonce", got, allowed: "12 bytes" })
}

#[inline]
fn check_key(secret: &[u8]) -> Result<Secret<'_>, Error> {
    let (got, allowed) = (secret.len(), "32 bytes");
    secret.try_into().map_err(|_| Error::Length { what: "ChaCha20-Poly1305 key", got, allowed })
}

/// Section 2.8.2.
const EXAMPLE_KEY: [u8; 32] = *b"\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\
       \x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f";
const EXAMPLE_NONCE: Nonce = *b"\x07\x00\x00\x00\x40\x41\x42\x43\x44\x45\x46\x47";
const EXAMPLE_AAD: [u8; 12] = *b"\x50\x51\x52\x53\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7";
const EXAMPLE_PLAINTEXT: &[u8; 114] =
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
      sunscreen would be it.";
const EXAMPLE_CIPHERTEXT: [u8; 114] =
    *b"\xd3\x1a\x8d\x34\x64\x8e\x60\xdb\x7b\x86\xaf\xbc\x53\xef\x7e\xc2\
       \xa4\xad\xed\x51\x29\x6e\x08\xfe\xa9\xe2\xb5\xa7\x36\xee\x62\xd6\
       \x3d\xbe\xa4\x5e\x8c\xa9\x67\x12\x82\xfa\xfb\x69\xda\x92\x72\x8b\
       \x1a\x71\xde\x0a\x9e\x06\x0b\x29\x05\xd6\xa5\xb6\x7e\xcd\x3b\x36\
       \x92\xdd\xbd\x7f\x2d\x77\x8b\x8c\x98\x03\xae\xe3\x28\x09\x1b\x58\
       \xfa\xb3\x24\xe4\xfa\xd6\x75\x94\x55\x85\x80\x8b\x48\x31\xd7\xbc\
       \x3f\xf4\xde\xf0\x8e\x4b\x7a\x9d\xe5\x76\xd2\x65\x86\xce\xc6\x4b\
       \x61\x16";
const EXAMPLE_TAG: Block = 0x1ae10b594f09e26a7e902ecbd0600691_u128.to_be_bytes();
