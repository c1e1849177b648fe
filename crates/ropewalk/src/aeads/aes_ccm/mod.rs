//! AES-CCM (NIST SP 800-38C; RFC 3610).
//!
//! A nonce must never be used twice with one key: that is up to the caller. It has 7 to 13 bytes; the longer it is, the shorter
//! the longest text. Texts are encrypted in place, or copied (`_to`); a tag is returned, or appended to its text (`_appended`).
//!
//! ```
//! use ropewalk::aes_ccm::Key;
//!
//! let key = Key::new(&[7; 32])?;
//! let (nonce, aad) = ([0; 13], b"header");
//! let mut text = *b"attack at dawn";
//! let tag = key.seal(&nonce, aad, &mut text)?;
//! key.open(&nonce, aad, &mut text, &tag)?;
//! assert_eq!(&text, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! Many messages, of any lengths and with any keys, are processed in parallel. A single message is bound by latency.
//!
//! ```
//! use ropewalk::aes_ccm::{Key, Message, Tag, open_many, seal_many};
//!
//! let keys = [Key::new(&[1; 16])?, Key::new(&[2; 32])?];
//! let nonces = [[3; 13], [4; 13]];
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
    aeads::{self, key::AesCcm, many::AeadMany},
    aes::RoundKeys,
    core::{Error, backend::Primitive, block::Block, text::Text},
};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod chained;
mod key;
mod known;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
mod many;
mod portable;

pub use crate::core::tag::Tag;
use many::Message as Each;
#[cfg(feature = "many")]
pub use many::{Many, Message, Openings, Seals, open_many, seal_many};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod aesni;
    pub(super) mod aesni_x4;
    pub(super) mod ssse3;
    pub(super) mod vaes256_x8;
    pub(super) mod vaes512_x16;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod aes;
    pub(super) mod aes_x4;
    pub(super) mod neon;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

/// A key of 16, 24 or 32 bytes.
type Secret<'a> = &'a [u8];

/// The operations of a backend. The caller has checked all lengths: of nonces and texts, and of tags, which the first block
/// encodes.
trait Ccm: CcmRekey {
    /// Encrypts the text and writes its whole tag (section 6.1). If `open` is set, decrypts it and writes the whole tag that it
    /// should have (section 6.2); the caller compares, and wipes.
    fn crypt(
        &self,
        open: bool,
        nonce: &[u8],
        tag_len: usize,
        aad: &[u8],
        text: Text<'_>,
        tag: &mut Block,
    );
}

/// The functions that are not called for each message.
trait CcmRekey: Send + Sync {
    /// Replaces the key.
    fn rekey(&mut self, secret: Secret<'_>);

    /// The round keys, where it keeps them in the layout of the standard.
    fn round_keys(&self) -> Option<&RoundKeys> {
        None
    }
}

backends! {
    calls Entries {
        fn crypt(open: bool, nonce: &[u8], tag_len: usize, aad: &[u8], text: Text<'_>, tag: &mut Block);
    }
    dyn CcmRekey
    tested by known::one;

    /// AES-CCM, most preferred first.
    #[derive(Clone)]
    enum Engine(Secret<'_>): Ccm in "aes_ccm" sweeps 1024 or 2048 {
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni" needs AesniClmul => Aesni(x86_64::aesni::Aesni),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes" needs Aes => Aes(aarch64::aes::Aes),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon" needs Neon => Neon(aarch64::neon::Neon),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

// A block in each lane, interleaved with a counter block, is measured on Zen 3 for 128 and 256 bits, and counted for 512 and
// Arm64.
backends! {
    calls ManyEntries {
        fn alike(open: bool, left: &mut u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
        fn seal_many(chosen: u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
        fn open_many(chosen: u64, messages: &mut [Each<'_>], tags: &mut [Tag]);
    }
    tested by known::many;

    /// AES-CCM of many messages, most preferred first. Messages that gain nothing from lanes go to the backend of their key.
    pub(crate) enum ManyEngine(()): AeadMany in "aes_ccm" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512_x16" (86 cycles, 180 at the start, 16 lanes) needs Vaes512 => Vaes512x16(x86_64::vaes512_x16::Vaes512x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256_x8" (46 cycles, 180 at the start, 8 lanes) needs Vaes256 => Vaes256x8(x86_64::vaes256_x8::Vaes256x8),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni_x4" (46 cycles, 120 at the start, 4 lanes) needs Aesni => Aesnix4(x86_64::aesni_x4::Aesnix4),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes_x4" (46 cycles, 120 at the start, 4 lanes) needs Aes => Aesx4(aarch64::aes_x4::Aesx4),
        "portable" needs Baseline => OneByOne(portable::OneByOne),
    }
}

/// AES-CCM and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-ccm",
    standard: "NIST SP 800-38C",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        key.set_tag_len(EXAMPLE_TAG.len())?;
        let mut text = EXAMPLE_PLAINTEXT;
        let tag = key.seal(&EXAMPLE_NONCE, &EXAMPLE_AAD, &mut text)?;
        let sealed = text == EXAMPLE_CIPHERTEXT && *tag == EXAMPLE_TAG;
        let opened = key.open(&EXAMPLE_NONCE, &EXAMPLE_AAD, &mut text, &tag).is_ok();
        Ok(sealed && opened && text == EXAMPLE_PLAINTEXT && known::one(backend)?)
    },
};

/// AES-CCM of many messages and its backends.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "aes-ccm-many",
    standard: "NIST SP 800-38C",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        const COUNT: usize = 19;
        let (mut key, many) = (Key::new(&EXAMPLE_KEY)?, Many::with_backend(backend)?);
        key.set_tag_len(EXAMPLE_TAG.len())?;
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

/// The longest text in bytes, with a nonce of that length: the length field has 15 bytes less those of the nonce (appendix A.1).
pub const fn longest_text(nonce_len: usize) -> u64 {
    match nonce_len {
        0..=7 => u64::MAX,
        8..=13 => (1 << (8 * (15 - nonce_len))) - 1,
        _ => 0,
    }
}

/// An AES-CCM key. It is wiped when it is dropped, and so is a clone.
///
/// A nonce has 7 to 13 bytes, and a text at most [`longest_text`] of that.
pub type Key = aeads::key::Key<AesCcm>;

/// Appendix A.1.
#[inline]
fn check(nonce: &[u8], text_len: usize) -> Result<(), Error> {
    if !(7..=13).contains(&nonce.len()) {
        return Err(Error::Length { what: "nonce", got: nonce.len(), allowed: "7 to 13 bytes" });
    }
    if text_len as u64 > longest_text(nonce.len()) {
        let allowed = "what fits in as many bytes as the nonce is shorter than 15";
        return Err(Error::Length { what: "text", got: text_len, allowed });
    }
    Ok(())
}

/// SP 800-38C, appendix C.3, example 3.
const EXAMPLE_KEY: [u8; 16] = 0x404142434445464748494a4b4c4d4e4f_u128.to_be_bytes();
const EXAMPLE_NONCE: [u8; 12] = *b"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b";
const EXAMPLE_AAD: [u8; 20] =
    *b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13";
const EXAMPLE_PLAINTEXT: [u8; 24] =
    *b"\x20\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f\x30\x31\x32\x33\x34\x35\x36\x37";
const EXAMPLE_CIPHERTEXT: [u8; 24] =
    *b"\xe3\xb2\x01\xa9\xf5\xb7\x1a\x7a\x9b\x1c\xea\xec\xcd\x97\xe7\x0b\x61\x76\xaa\xd9\xa4\x42\x8a\xa5";
const EXAMPLE_TAG: [u8; 8] = *b"\x48\x43\x92\xfb\xc1\xb0\x99\x51";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aeads::many::Batched;

    #[test]
    fn precheck_finds_every_wrong_length() {
        let key = Key::new(&[7; 16]).unwrap();
        for nonce_len in 0..40 {
            let nonce = &vec![0; nonce_len][..];
            let lens = (0..usize::BITS)
                .flat_map(|bits| [(1_usize << bits) - 1, 1 << bits, (1 << bits) + 1]);
            for text_len in lens {
                let right = check(nonce, text_len).is_ok();
                let precheck = AesCcm::precheck(&key.0, nonce, &[], text_len);
                assert_eq!(precheck == 0, right, "{nonce_len}, {text_len}");
            }
        }
    }
}
