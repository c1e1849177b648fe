//! Authenticated ciphers by name, for a program whose configuration selects one.
//!
//! A nonce must never be used twice with one key: that is up to the caller. A program with a fixed cipher uses its module, which
//! has more functions: shorter tags, and replacement of keys.
//!
//! ```
//! use ropewalk::aead::{Algorithm, Key};
//!
//! let algorithm = Algorithm::named("aes-256-gcm")?;
//! let secret = vec![7; algorithm.key_len()];
//! let nonce = vec![0; algorithm.nonce_len()];
//!
//! let key = Key::new(algorithm, &secret)?;
//! let mut text = *b"attack at dawn";
//! let tag = key.seal(&nonce, b"header", &mut text)?;
//! key.open(&nonce, b"header", &mut text, &tag)?;
//! assert_eq!(&text, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```

pub use crate::core::tag::Tag;
use crate::{
    aeads::{
        self, aes_ccm, aes_gcm, chacha20_poly1305,
        key::{Cipher, Named},
    },
    core::{
        Error,
        names::{algorithms, check_key},
        secret::Wiped,
        text::Text,
    },
};

algorithms! {
    /// An authenticated cipher.
    "authenticated cipher" {
        Aes128Gcm = "aes-128-gcm",
        Aes192Gcm = "aes-192-gcm",
        Aes256Gcm = "aes-256-gcm",
        Aes128Ccm = "aes-128-ccm",
        Aes192Ccm = "aes-192-ccm",
        Aes256Ccm = "aes-256-ccm",
        ChaCha20Poly1305 = "chacha20-poly1305",
    }
}

impl Algorithm {
    /// Bytes of a key.
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128Gcm | Self::Aes128Ccm => 16,
            Self::Aes192Gcm | Self::Aes192Ccm => 24,
            Self::Aes256Gcm | Self::Aes256Ccm | Self::ChaCha20Poly1305 => 32,
        }
    }

    /// The length of a nonce that all of them accept. AES-GCM and AES-CCM also accept others, see their modules.
    pub const fn nonce_len(self) -> usize {
        12
    }

    /// Bytes of a tag.
    pub const fn tag_len(self) -> usize {
        16
    }
}

/// A key of an authenticated cipher. It is wiped when it is dropped.
///
/// It is stored in place and allocates nothing: it has up to 1536 bytes on x86-64, and on no target more than the largest of the
/// possible keys plus 128.
pub type Key = aeads::key::Key<Named>;

/// The contents of a key.
pub(crate) struct Inner {
    algorithm: Algorithm,
    key: Any,
}

#[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
enum Any {
    AesGcm(aes_gcm::Key),
    AesCcm(aes_ccm::Key),
    ChaCha20Poly1305(chacha20_poly1305::Key),
}

/// Evaluates an expression with the key, of whatever type.
macro_rules! any {
    ($self:expr, $key:ident => $do:expr) => {
        match &$self.key {
            Any::AesGcm($key) => $do,
            Any::AesCcm($key) => $do,
            Any::ChaCha20Poly1305($key) => $do,
        }
    };
}

impl Key {
    /// With the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] unless the key has [`Algorithm::key_len`] bytes.
    pub fn new(algorithm: Algorithm, secret: &[u8]) -> Result<Self, Error> {
        use Algorithm::*;
        check_key(what(algorithm), secret, algorithm.key_len())?;
        let key = match algorithm {
            Aes128Gcm | Aes192Gcm | Aes256Gcm => Any::AesGcm(aes_gcm::Key::new(secret)?),
            Aes128Ccm | Aes192Ccm | Aes256Ccm => Any::AesCcm(aes_ccm::Key::new(secret)?),
            ChaCha20Poly1305 => Any::ChaCha20Poly1305(chacha20_poly1305::Key::new(secret)?),
        };
        Ok(Self(Wiped::new(Inner { algorithm, key })))
    }

    /// With the backend of that name in the list of the cipher.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    pub fn with_backend(algorithm: Algorithm, secret: &[u8], name: &str) -> Result<Self, Error> {
        use Algorithm::*;
        check_key(what(algorithm), secret, algorithm.key_len())?;
        let key = match algorithm {
            Aes128Gcm | Aes192Gcm | Aes256Gcm => {
                Any::AesGcm(aes_gcm::Key::with_backend(secret, name)?)
            }
            Aes128Ccm | Aes192Ccm | Aes256Ccm => {
                Any::AesCcm(aes_ccm::Key::with_backend(secret, name)?)
            }
            ChaCha20Poly1305 => {
                Any::ChaCha20Poly1305(chacha20_poly1305::Key::with_backend(secret, name)?)
            }
        };
        Ok(Self(Wiped::new(Inner { algorithm, key })))
    }

    /// Its algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.0.algorithm
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        any!(self.0, key => key.backend())
    }
}

impl Cipher for Named {
    type Kept = Wiped<Inner>;

    #[inline]
    fn tag_len(key: &Wiped<Inner>) -> usize {
        any!(key, key => key.tag_len())
    }

    #[inline]
    fn seal(key: &Wiped<Inner>, nonce: &[u8], aad: &[u8], text: Text<'_>) -> Result<Tag, Error> {
        any!(key, key => key.seal_text(nonce, aad, text))
    }

    #[inline]
    fn open(
        key: &Wiped<Inner>,
        nonce: &[u8],
        aad: &[u8],
        text: Text<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        any!(key, key => key.open_text(nonce, aad, text, tag))
    }
}

/// The name of the key in errors, as in the modules of the ciphers.
fn what(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::ChaCha20Poly1305 => "ChaCha20-Poly1305 key",
        _ => "AES key",
    }
}
