//! Ciphers by name, for a program whose configuration selects one.
//!
//! None of them detects modifications, and each has its own requirements on nonces: see its module. Where there is space for a
//! tag, use [`aead`](crate::aead).
//!
//! ```
//! use ropewalk::cipher::{Algorithm, Key};
//!
//! let algorithm = Algorithm::named("aes-256-ctr")?;
//! let key = Key::new(algorithm, &vec![7; algorithm.key_len()])?;
//! let nonce = vec![0; algorithm.nonce_len()];
//! let mut text = *b"attack at dawn";
//! key.encrypt(&nonce, &mut text)?;
//! key.decrypt(&nonce, &mut text)?;
//! assert_eq!(&text, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    aes::{
        aes_cbc,
        aes_ctr::{self, Counter},
        aes_xts,
    },
    chacha::chacha20,
    core::{
        Error,
        names::{algorithms, check_key},
        secret::Wiped,
    },
};

algorithms! {
    /// A cipher.
    "cipher" {
        Aes128Ctr = "aes-128-ctr",
        Aes192Ctr = "aes-192-ctr",
        Aes256Ctr = "aes-256-ctr",
        Aes128Cbc = "aes-128-cbc",
        Aes192Cbc = "aes-192-cbc",
        Aes256Cbc = "aes-256-cbc",
        Aes128Xts = "aes-128-xts",
        Aes256Xts = "aes-256-xts",
        ChaCha20 = "chacha20",
    }
}

impl Algorithm {
    /// The length of a key; for XTS, of both of its halves.
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128Ctr | Self::Aes128Cbc => 16,
            Self::Aes192Ctr | Self::Aes192Cbc => 24,
            Self::Aes256Ctr | Self::Aes256Cbc | Self::Aes128Xts | Self::ChaCha20 => 32,
            Self::Aes256Xts => 64,
        }
    }

    /// The length of a nonce: for CTR, that of the first counter block, all of which is the counter; for CBC, of the
    /// initialization vector; for XTS, of the tweak. ChaCha20 counts its blocks from zero.
    pub const fn nonce_len(self) -> usize {
        match self {
            Self::ChaCha20 => 12,
            _ => 16,
        }
    }

    /// The length of a text must be a multiple of this. There is no padding. For XTS it is also at least 16.
    pub const fn block_len(self) -> usize {
        match self {
            Self::Aes128Cbc | Self::Aes192Cbc | Self::Aes256Cbc => 16,
            _ => 1,
        }
    }
}

/// A key of a cipher. It is wiped when it is dropped.
///
/// It is stored in place and allocates nothing: it has up to 1024 bytes on x86-64, and on no target more than the largest of the
/// possible keys plus 128.
pub struct Key(Wiped<Inner>);

struct Inner {
    algorithm: Algorithm,
    key: Any,
}

#[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
enum Any {
    Ctr(aes_ctr::Key),
    Cbc(aes_cbc::Key),
    Xts(aes_xts::Key),
    ChaCha20(chacha20::Key),
}

impl Key {
    /// With the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] unless the key has [`Algorithm::key_len`] bytes; [`Error::EqualHalves`] where the halves of an XTS key
    /// are equal.
    pub fn new(algorithm: Algorithm, secret: &[u8]) -> Result<Self, Error> {
        use Algorithm::*;
        check_key(what(algorithm), secret, algorithm.key_len())?;
        let key = match algorithm {
            Aes128Ctr | Aes192Ctr | Aes256Ctr => Any::Ctr(aes_ctr::Key::new(secret)?),
            Aes128Cbc | Aes192Cbc | Aes256Cbc => Any::Cbc(aes_cbc::Key::new(secret)?),
            Aes128Xts | Aes256Xts => Any::Xts(aes_xts::Key::new(secret)?),
            ChaCha20 => Any::ChaCha20(chacha20::Key::new(secret)?),
        };
        Ok(Self(Wiped::new(Inner { algorithm, key })))
    }

    /// With the backend of that name in the list of the cipher.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; others as [`Key::new`].
    pub fn with_backend(algorithm: Algorithm, secret: &[u8], name: &str) -> Result<Self, Error> {
        use Algorithm::*;
        check_key(what(algorithm), secret, algorithm.key_len())?;
        let key = match algorithm {
            Aes128Ctr | Aes192Ctr | Aes256Ctr => {
                Any::Ctr(aes_ctr::Key::with_backend(secret, name)?)
            }
            Aes128Cbc | Aes192Cbc | Aes256Cbc => {
                Any::Cbc(aes_cbc::Key::with_backend(secret, name)?)
            }
            Aes128Xts | Aes256Xts => Any::Xts(aes_xts::Key::with_backend(secret, name)?),
            ChaCha20 => Any::ChaCha20(chacha20::Key::with_backend(secret, name)?),
        };
        Ok(Self(Wiped::new(Inner { algorithm, key })))
    }

    /// Its algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.0.algorithm
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        match &self.0.key {
            Any::Ctr(key) => key.backend(),
            Any::Cbc(key) => key.backend(),
            Any::Xts(key) => key.backend(),
            Any::ChaCha20(key) => key.backend(),
        }
    }

    /// Encrypts `text` in place.
    ///
    /// # Errors
    /// [`Error::Length`] for a nonce or a text of a length that the cipher does not accept; `text` is then untouched.
    pub fn encrypt(&self, nonce: &[u8], text: &mut [u8]) -> Result<(), Error> {
        match &self.0.key {
            Any::Ctr(key) => key.apply_keystream(Counter::Bits128, array(nonce)?, text),
            Any::Cbc(key) => key.encrypt(array(nonce)?, text),
            Any::Xts(key) => key.encrypt(array(nonce)?, text),
            Any::ChaCha20(key) => key.apply_keystream(0, array(nonce)?, text),
        }
    }

    /// Encrypts `plaintext` to `ciphertext`.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`], and unless both are equally long; `ciphertext` is then
    /// untouched.
    pub fn encrypt_to(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<(), Error> {
        let (from, to) = (plaintext, ciphertext);
        match &self.0.key {
            Any::Ctr(key) => key.apply_keystream_to(Counter::Bits128, array(nonce)?, from, to),
            Any::Cbc(key) => key.encrypt_to(array(nonce)?, from, to),
            Any::Xts(key) => key.encrypt_to(array(nonce)?, from, to),
            Any::ChaCha20(key) => key.apply_keystream_to(0, array(nonce)?, from, to),
        }
    }

    /// Decrypts `text` in place.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`].
    pub fn decrypt(&self, nonce: &[u8], text: &mut [u8]) -> Result<(), Error> {
        match &self.0.key {
            Any::Cbc(key) => key.decrypt(array(nonce)?, text),
            Any::Xts(key) => key.decrypt(array(nonce)?, text),
            Any::Ctr(_) | Any::ChaCha20(_) => self.encrypt(nonce, text),
        }
    }

    /// Decrypts `ciphertext` to `plaintext`.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt_to`].
    pub fn decrypt_to(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        match &self.0.key {
            Any::Cbc(key) => key.decrypt_to(array(nonce)?, ciphertext, plaintext),
            Any::Xts(key) => key.decrypt_to(array(nonce)?, ciphertext, plaintext),
            Any::Ctr(_) | Any::ChaCha20(_) => self.encrypt_to(nonce, ciphertext, plaintext),
        }
    }
}

/// The nonce, if it has the right length: 12 or 16 bytes.
fn array<const N: usize>(nonce: &[u8]) -> Result<&[u8; N], Error> {
    let allowed = if N == 12 { "12 bytes" } else { "16 bytes" };
    nonce.try_into().map_err(|_| Error::Length { what: "nonce", got: nonce.len(), allowed })
}

/// The name of the key in errors, as in the modules of the ciphers.
fn what(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Aes128Xts | Algorithm::Aes256Xts => "AES-XTS key",
        Algorithm::ChaCha20 => "ChaCha20 key",
        _ => "AES key",
    }
}
