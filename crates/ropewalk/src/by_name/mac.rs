//! Message authentication codes by their names, for a program whose configuration says which it takes.
//!
//! Poly1305 is not among them: a key of it is for one message, and a name in a configuration must not make
//! keys that serve for many into such.
//!
//! ```
//! use ropewalk::mac::{Algorithm, Key};
//!
//! let algorithm = Algorithm::named("hmac-sha256")?;
//! let key = Key::new(algorithm, &vec![7; algorithm.key_len()])?;
//! let tag = key.mac(b"attack at dawn");
//! key.verify(b"attack at dawn", &tag)?;
//!
//! let mut mac = key.start();
//! mac.update(b"attack ");
//! mac.update(b"at dawn");
//! assert_eq!(mac.finish(), tag);
//! # Ok::<(), ropewalk::Error>(())
//! ```

use core::{fmt, ops::Deref};

use subtle::ConstantTimeEq;

use crate::{
    aes::aes_cmac,
    core::{
        Error, ct,
        names::{algorithms, check_key},
        secret::Wiped,
    },
    hashes::{
        Hash as _,
        md5::Md5,
        sha1::Sha1,
        sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512},
        sha256::{Sha224, Sha256},
        sha512::{Sha384, Sha512, Sha512_256},
    },
    keyed::hmac,
};

algorithms! {
    /// A message authentication code.
    "message authentication code" {
        HmacMd5 = "hmac-md5",
        HmacSha1 = "hmac-sha1",
        HmacSha224 = "hmac-sha224",
        HmacSha256 = "hmac-sha256",
        HmacSha384 = "hmac-sha384",
        HmacSha512 = "hmac-sha512",
        HmacSha512_256 = "hmac-sha512-256",
        HmacSha3_224 = "hmac-sha3-224",
        HmacSha3_256 = "hmac-sha3-256",
        HmacSha3_384 = "hmac-sha3-384",
        HmacSha3_512 = "hmac-sha3-512",
        Aes128Cmac = "aes-128-cmac",
        Aes192Cmac = "aes-192-cmac",
        Aes256Cmac = "aes-256-cmac",
    }
}

/// The most bytes of a tag.
const LONGEST: usize = 64;

/// Proves a message. Tags compare in constant time.
#[derive(Clone, Copy)]
pub struct Tag {
    bytes: [u8; LONGEST],
    len: u8,
}

impl Tag {
    fn new(tag: &[u8]) -> Self {
        let mut bytes = [0; LONGEST];
        bytes[..tag.len()].copy_from_slice(tag);
        Self { bytes, len: tag.len() as u8 }
    }
}

impl Deref for Tag {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && ct::verdict(self.bytes.ct_eq(&other.bytes))
    }
}

impl Eq for Tag {}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Writes what goes through all of them.
macro_rules! codes {
    ($( $Hmac:ident of $Hasher:ident, )+; $( $Cmac:ident of $key_len:literal, )+) => {
        impl Algorithm {
            /// Bytes of a key. HMAC takes others too: it should have as many.
            pub const fn key_len(self) -> usize {
                match self {
                    $( Self::$Hmac => $Hasher::DIGEST_LEN, )+
                    $( Self::$Cmac => $key_len, )+
                }
            }

            /// Bytes of a tag.
            pub const fn tag_len(self) -> usize {
                match self {
                    $( Self::$Hmac => $Hasher::DIGEST_LEN, )+
                    $( Self::$Cmac => 16, )+
                }
            }
        }

        #[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
        enum AnyKey {
            $( $Hmac(hmac::Key<$Hasher>), )+
            Cmac(Algorithm, aes_cmac::Key),
        }

        #[derive(Clone)]
        #[allow(clippy::large_enum_variant, reason = "it lies where it is used, not on the heap")]
        enum AnyMac<'k> {
            $( $Hmac(hmac::Mac<$Hasher>), )+
            Cmac(aes_cmac::Pieces<'k>),
        }

        impl Key {
            /// With the best backend of this processor.
            ///
            /// # Errors
            /// [`Error::Length`] unless a key of AES-CMAC has [`Algorithm::key_len`] bytes. Of HMAC it may
            /// have any length.
            pub fn new(algorithm: Algorithm, secret: &[u8]) -> Result<Self, Error> {
                Ok(Self(Wiped::new(match algorithm {
                    $( Algorithm::$Hmac => AnyKey::$Hmac(hmac::Key::new(secret)), )+
                    $( Algorithm::$Cmac => {
                        check_key("AES key", secret, $key_len)?;
                        AnyKey::Cmac(algorithm, aes_cmac::Key::new(secret)?)
                    } )+
                })))
            }

            /// With one backend, by its name in the list of the hash function or of AES-CMAC.
            ///
            /// # Errors
            /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
            pub fn with_backend(
                algorithm: Algorithm,
                secret: &[u8],
                name: &str,
            ) -> Result<Self, Error> {
                Ok(Self(Wiped::new(match algorithm {
                    $( Algorithm::$Hmac => AnyKey::$Hmac(hmac::Key::with_backend(secret, name)?), )+
                    $( Algorithm::$Cmac => {
                        check_key("AES key", secret, $key_len)?;
                        AnyKey::Cmac(algorithm, aes_cmac::Key::with_backend(secret, name)?)
                    } )+
                })))
            }

            /// What it is a key of.
            pub fn algorithm(&self) -> Algorithm {
                match &*self.0 {
                    $( AnyKey::$Hmac(_) => Algorithm::$Hmac, )+
                    AnyKey::Cmac(algorithm, _) => *algorithm,
                }
            }

            /// The name of its backend.
            pub fn backend(&self) -> &'static str {
                match &*self.0 {
                    $( AnyKey::$Hmac(key) => key.backend(), )+
                    AnyKey::Cmac(_, key) => key.backend(),
                }
            }

            /// The tag of a message.
            pub fn mac(&self, message: &[u8]) -> Tag {
                match &*self.0 {
                    $( AnyKey::$Hmac(key) => Tag::new(&key.mac(message)), )+
                    AnyKey::Cmac(_, key) => Tag::new(&key.mac(message)),
                }
            }

            /// Whether `tag` is that of a message. One of HMAC may be cut short, as
            /// [`hmac::Key::verify`] says.
            ///
            /// # Errors
            /// [`Error::Forged`] if it is not; [`Error::Length`] for a tag of another length.
            pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
                match &*self.0 {
                    $( AnyKey::$Hmac(key) => key.verify(message, tag), )+
                    AnyKey::Cmac(_, key) => key.verify(message, tag),
                }
            }

            /// Starts a message that comes in pieces.
            pub fn start(&self) -> Mac<'_> {
                Mac(Wiped::new(match &*self.0 {
                    $( AnyKey::$Hmac(key) => AnyMac::$Hmac(key.start()), )+
                    AnyKey::Cmac(_, key) => AnyMac::Cmac(key.start()),
                }))
            }
        }

        impl Mac<'_> {
            /// Takes the next piece of the message, of any length.
            pub fn update(&mut self, text: &[u8]) {
                match &mut *self.0 {
                    $( AnyMac::$Hmac(mac) => mac.update(text), )+
                    AnyMac::Cmac(mac) => mac.update(text),
                }
            }

            /// The tag of all pieces.
            pub fn finish(self) -> Tag {
                match &*self.0 {
                    $( AnyMac::$Hmac(mac) => Tag::new(&mac.clone().finish()), )+
                    AnyMac::Cmac(mac) => Tag::new(&mac.clone().finish()),
                }
            }

            /// Whether `tag` is that of all pieces.
            ///
            /// # Errors
            /// As [`Key::verify`].
            pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
                match &*self.0 {
                    $( AnyMac::$Hmac(mac) => mac.clone().verify(tag), )+
                    AnyMac::Cmac(mac) => mac.clone().verify(tag),
                }
            }
        }
    };
}

/// A key for messages. It is wiped when it is dropped.
///
/// It lies where it is used and allocates nothing: it has up to 576 bytes on x86-64, and nowhere more than the
/// largest of the keys it may be and 128.
pub struct Key(Wiped<AnyKey>);

/// A message that comes in pieces. A clone goes on from where the original stands; both are wiped when they
/// are dropped.
#[derive(Clone)]
pub struct Mac<'k>(Wiped<AnyMac<'k>>);

codes! {
    HmacMd5 of Md5,
    HmacSha1 of Sha1,
    HmacSha224 of Sha224,
    HmacSha256 of Sha256,
    HmacSha384 of Sha384,
    HmacSha512 of Sha512,
    HmacSha512_256 of Sha512_256,
    HmacSha3_224 of Sha3_224,
    HmacSha3_256 of Sha3_256,
    HmacSha3_384 of Sha3_384,
    HmacSha3_512 of Sha3_512,;
    Aes128Cmac of 16,
    Aes192Cmac of 24,
    Aes256Cmac of 32,
}
