//! AES-GCM (NIST SP 800-38D).
//!
//! A nonce must never be used twice with one key: with a [`Key`], that is up to the caller; a [`Sealer`] guarantees it. Texts are
//! encrypted in place, or copied (`_to`); a tag is returned, or appended to its text (`_appended`).
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
//!
//! A message that comes in chunks is a [`Stream`].
//!
//! Many short messages are sealed and opened faster in one call, with one key or with many:
//!
//! ```
//! use ropewalk::aes_gcm::{Key, Message, Tag, open_many, seal_many};
//!
//! let keys = [Key::new(&[1; 16])?, Key::new(&[2; 32])?];
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

#[cfg(target_arch = "x86_64")]
use self::x86_64::once;
#[cfg(target_arch = "x86_64")]
use crate::{
    aeads::key::release,
    core::{
        cpu::{Token, VaesClmul512},
        tag::check_tag,
    },
};
use crate::{
    aeads::{self, key::AesGcm, many::AeadMany, stream::Way},
    aes,
    core::{Error, backend::Primitive, block::Block, text::Text},
};

mod gmac;
mod key;
mod known;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod many;
#[cfg(target_arch = "x86_64")]
mod order;
mod parts;
mod portable;
mod sealer;
mod stream;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vperm;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod wide;

pub use crate::core::tag::Tag;
pub use gmac::Gmac;
use many::Message as Each;
#[cfg(feature = "many")]
pub use many::{Many, Message, Openings, Seals, open_many, seal_many};
pub use sealer::Sealer;
pub use stream::Stream;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod aesni;
    pub(super) mod avx;
    pub(super) mod avx2;
    mod ghash512;
    pub(super) mod once;
    pub(super) mod ssse3;
    pub(super) mod vaes256;
    pub(super) mod vaes256_x2;
    pub(super) mod vaes512;
    pub(super) mod vaes512_x4;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod aes;
    pub(super) mod aes_eor3;
    pub(super) mod neon;
}

#[cfg(target_arch = "arm")]
mod arm {
    mod ghash;
    pub(super) mod neon;
}

/// The nonce length that the standard recommends. Nonces of other lengths, except zero, are hashed first, which costs more.
pub type Nonce = [u8; 12];

/// A key of 16, 24 or 32 bytes.
type Secret<'a> = &'a [u8];

/// The operations of a backend. The caller has checked all lengths.
trait Gcm: CtrGhash + Sized {
    /// Encrypts the text and writes its tag (section 7.1).
    fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        parts::seal(self as &dyn CtrGhash, &parts::First::of(nonce), aad, text, tag);
    }

    /// Decrypts the text and writes the tag that it should have (section 7.2); the caller compares,
    /// and wipes.
    fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
        parts::open(self as &dyn CtrGhash, &parts::First::of(nonce), aad, text, tag);
    }

    /// Whole blocks of a message in chunks.
    fn piece(&self, place: &mut parts::Place, mut text: Text<'_>, way: Way) {
        parts::piece(self as &dyn CtrGhash, place, &mut text, way);
    }

    /// Writes the tag of such a message, given the lengths of its additional data and of its text in bytes.
    fn finish(&self, place: &parts::Place, aad: u64, text: u64, tag: &mut Block) {
        parts::finish(
            self as &dyn CtrGhash,
            &place.first,
            place.hash,
            &parts::lengths(aad, text),
            tag,
        );
    }
}

/// The two parts of GCM.
trait CtrGhash: Send + Sync {
    /// GCTR (section 6.5): XORs encrypted counter blocks into the text.
    fn ctr(&self, counter: &Block, text: Text<'_>);

    /// GCTR from a counter that GHASH has computed from a nonce, and which is as secret as its key.
    fn ctr_secret(&self, counter: &Block, text: Text<'_>) {
        self.ctr(counter, text);
    }

    /// GHASH (section 6.4): absorbs data, padded with zeros to whole blocks, into `hash`.
    fn absorb(&self, hash: &mut Block, data: &[u8]);

    /// Replaces the key.
    fn rekey(&mut self, secret: Secret<'_>);
}

backends! {
    calls Entries {
        fn seal(nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block);
        fn open(nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block);
        fn piece(place: &mut parts::Place; text, way: Way);
        fn finish(place: &parts::Place, aad: u64, text: u64, tag: &mut Block);
    }
    dyn CtrGhash
    tested by known::engine;

    /// AES-GCM, most preferred first.
    #[derive(Clone)]
    enum Engine(Secret<'_>): Gcm in "aes_gcm" sweeps 768 or 4096 {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512" needs VaesClmul512 => Vaes512(x86_64::vaes512::Vaes512),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256" needs Vaes256Clmul => Vaes256(x86_64::vaes256::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx" needs AvxClmul => Avx(x86_64::avx::Avx),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni" needs AesniClmul => Aesni(x86_64::aesni::Aesni),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" needs Avx2Clmul => Avx2(x86_64::avx2::Avx2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes_eor3" needs AesSha3 => AesEor3(aarch64::aes_eor3::AesEor3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes" needs Aes => Aes(aarch64::aes::Aes),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon" needs Neon => Neon(aarch64::neon::Neon),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

// The break-even in messages, and the longest length, are measured on Zen 3 for 256 bits, and counted for 512: four times as many
// blocks a cycle, with the same overhead of a call for each message.
backends! {
    calls ManyEntries {
        fn alike(open: bool, left: &mut u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
        fn seal_many(chosen: u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
        fn open_many(chosen: u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
    }
    tested by known::many;

    /// AES-GCM of many messages, most preferred first. Messages that gain nothing from lanes go to the backend of their key.
    pub(crate) enum ManyEngine(()): AeadMany in "aes_gcm" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512_x4" (0 cycles, 0 at the start, 4 lanes) needs VaesClmul512 => Vaes512x4(x86_64::vaes512_x4::Vaes512x4),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256_x2" (0 cycles, 0 at the start, 2 lanes) needs Vaes256Clmul => Vaes256x2(x86_64::vaes256_x2::Vaes256x2),
        "portable" needs Baseline => OneByOne(portable::OneByOne),
    }
}

/// AES-GCM and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-gcm",
    standard: "NIST SP 800-38D",
    backends: Engine::ALL,
    self_test: |backend| {
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        let mut text = EXAMPLE_PLAINTEXT;
        let tag = key.seal(&EXAMPLE_NONCE, &EXAMPLE_AAD, &mut text)?;
        let sealed = text == EXAMPLE_CIPHERTEXT && *tag == EXAMPLE_TAG;
        let opened = key.open(&EXAMPLE_NONCE, &EXAMPLE_AAD, &mut text, &tag).is_ok();
        Ok(sealed && opened && text == EXAMPLE_PLAINTEXT && known::engine(backend)?)
    },
};

/// AES-GCM of many messages and its backends.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "aes-gcm-many",
    standard: "NIST SP 800-38D",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        const COUNT: usize = 19;
        let (key, many) = (Key::new(&EXAMPLE_KEY)?, Many::with_backend(backend)?);
        let mut texts = [EXAMPLE_PLAINTEXT; COUNT];
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
            && texts == [EXAMPLE_PLAINTEXT; COUNT]
            && known::many(backend)?)
    },
};

/// The longest text in bytes: 2^39 − 256 bits (section 5.2.1.1).
pub const LONGEST_TEXT: u64 = (1 << 36) - 32;

/// An AES-GCM key. It is wiped when it is dropped, and so is a clone.
///
/// A text has at most [`LONGEST_TEXT`] bytes, and a nonce at least one.
pub type Key = aeads::key::Key<AesGcm>;

/// Encrypts `text` in place with a key that is used only once, and returns its tag. For a short text it takes a fraction of the
/// time of [`Key::new`], as most of the key is never computed.
///
/// # Errors
/// [`Error::Length`] as [`Key::new`] and [`Key::seal`]; `text` is then untouched.
///
/// # Example
/// ```
/// # use ropewalk::aes_gcm;
/// let (secret, nonce, mut text) = ([7; 16], [0; 12], *b"attack at dawn");
/// let tag = aes_gcm::seal_once(&secret, &nonce, b"", &mut text)?;
/// aes_gcm::open_once(&secret, &nonce, b"", &mut text, &tag)?;
/// # Ok::<(), ropewalk::Error>(())
/// ```
#[inline]
pub fn seal_once(secret: &[u8], nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<Tag, Error> {
    #[cfg(target_arch = "x86_64")]
    if let (Some(cpu), Ok(nonce)) = (VaesClmul512::detect(), nonce.try_into())
        && Engine::trusts::<x86_64::vaes512::Vaes512>()
    {
        let text = Text::in_place(text);
        if once::takes(aad, &text) {
            aes::check_key(secret)?;
            let mut tag = Tag { bytes: [0; 16], len: 16 };
            once::crypt(cpu, secret, nonce, aad, text, &mut tag.bytes, false);
            return Ok(tag);
        }
    }
    aes::check_key(secret)?;
    Key::of_checked(secret).seal(nonce, aad, text)
}

/// Decrypts `text` in place with a key that is used only once, if `tag` is its tag of 16 bytes.
///
/// # Errors
/// As [`Key::new`] and [`Key::open`].
#[inline]
pub fn open_once(
    secret: &[u8],
    nonce: &[u8],
    aad: &[u8],
    text: &mut [u8],
    tag: &[u8],
) -> Result<(), Error> {
    #[cfg(target_arch = "x86_64")]
    if let (Some(cpu), Ok(nonce)) = (VaesClmul512::detect(), nonce.try_into())
        && Engine::trusts::<x86_64::vaes512::Vaes512>()
    {
        let mut text = Text::in_place(text);
        if once::takes(aad, &text) {
            aes::check_key(secret)?;
            check_tag(tag, 16)?;
            let mut right = [0; 16];
            once::crypt(cpu, secret, nonce, aad, text.reborrow(), &mut right, true);
            return release(text, &right, tag);
        }
    }
    aes::check_key(secret)?;
    Key::of_checked(secret).open(nonce, aad, text, tag)
}

/// Section 5.2.1.1.
#[inline]
fn check(nonce: &[u8], aad: &[u8], text_len: usize) -> Result<(), Error> {
    check_text(text_len as u64)?;
    check_aad(aad.len() as u64)?;
    check_nonce(nonce)
}

#[inline]
fn check_text(len: u64) -> Result<(), Error> {
    if len > LONGEST_TEXT {
        let (got, allowed) = (len.try_into().unwrap_or(usize::MAX), "up to 2^36 - 32 bytes");
        return Err(Error::Length { what: "text", got, allowed });
    }
    Ok(())
}

#[inline]
fn check_aad(len: u64) -> Result<(), Error> {
    if len >= 1 << 61 {
        let (got, allowed) = (len.try_into().unwrap_or(usize::MAX), "less than 2^61 bytes");
        return Err(Error::Length { what: "additional data", got, allowed });
    }
    Ok(())
}

#[inline]
fn check_nonce(nonce: &[u8]) -> Result<(), Error> {
    if nonce.is_empty() || nonce.len() as u64 >= 1 << 61 {
        let allowed = "12 bytes, or any other from 1 to 2^61 - 1";
        return Err(Error::Length { what: "nonce", got: nonce.len(), allowed });
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
const EXAMPLE_TAG: Block = 0x5bc94fbc3221a5db94fae95ae7121a47_u128.to_be_bytes();
