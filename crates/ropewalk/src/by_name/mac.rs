//! Message authentication codes by name, for a program whose configuration selects one.
//!
//! Poly1305 is not among them: its keys are for one message each, and a name in a configuration must not turn keys for many
//! messages into one-time keys.
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
    hashes::Hash,
    keyed::hmac,
};

/// The longest tag in bytes.
const LONGEST: usize = 64;

/// A tag, which authenticates a message. Tags compare in constant time.
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

/// A key for messages. It is wiped when it is dropped.
///
/// It is stored in place and allocates nothing: it has up to 576 bytes on x86-64, and on no target more than the largest of the
/// possible keys plus 128.
pub struct Key(Wiped<AnyKey>);

impl Key {
    /// With the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] unless a key of AES-CMAC has [`Algorithm::key_len`] bytes. A key of HMAC may have any length.
    pub fn new(algorithm: Algorithm, secret: &[u8]) -> Result<Self, Error> {
        AnyKey::best(algorithm, secret)
    }

    /// With the backend of that name in the list of the hash function or of AES-CMAC.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    pub fn with_backend(algorithm: Algorithm, secret: &[u8], name: &str) -> Result<Self, Error> {
        AnyKey::named(algorithm, secret, name)
    }

    /// Its algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.0.algorithm()
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.key().backend()
    }

    /// The tag of a message.
    pub fn mac(&self, message: &[u8]) -> Tag {
        self.0.key().mac(message)
    }

    /// Verifies the tag of a message. A tag of HMAC may be truncated, see [`hmac::Key::verify`].
    ///
    /// # Errors
    /// [`Error::Forged`] if it is not; [`Error::Length`] for a tag of another length.
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        self.0.key().verify(message, tag)
    }

    /// Starts a message in chunks.
    pub fn start(&self) -> Mac<'_> {
        self.0.start()
    }
}

/// A message in chunks. A clone continues where the original stands; both are wiped when they are dropped.
#[derive(Clone)]
pub struct Mac<'k>(Wiped<AnyMac<'k>>);

impl Mac<'_> {
    /// Absorbs the next chunk of the message, of any length.
    pub fn update(&mut self, text: &[u8]) {
        self.0.mac_mut().update(text);
    }

    /// The tag of all chunks.
    pub fn finish(self) -> Tag {
        self.0.mac().tag()
    }

    /// Verifies the tag of all chunks.
    ///
    /// # Errors
    /// As [`Key::verify`].
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        self.0.mac().verify(tag)
    }
}

impl Algorithm {
    /// The length of a key. HMAC accepts others too, but this is recommended.
    pub const fn key_len(self) -> usize {
        self.lens().0
    }

    /// Bytes of a tag.
    pub const fn tag_len(self) -> usize {
        self.lens().1
    }
}

/// A key of a message authentication code that was selected by name.
trait NamedKey {
    fn backend(&self) -> &'static str;
    fn mac(&self, message: &[u8]) -> Tag;
    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error>;
}

impl<H: Hash> NamedKey for hmac::Key<H> {
    fn backend(&self) -> &'static str {
        self.backend()
    }
    fn mac(&self, message: &[u8]) -> Tag {
        Tag::new(self.mac(message).as_ref())
    }
    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        self.verify(message, tag)
    }
}

impl NamedKey for aes_cmac::Key {
    fn backend(&self) -> &'static str {
        self.backend()
    }
    fn mac(&self, message: &[u8]) -> Tag {
        Tag::new(&self.mac(message))
    }
    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        self.verify(message, tag)
    }
}

/// A message in chunks. A finished one is cloned, since it is not moved out of the place that is wiped.
trait NamedMac {
    fn update(&mut self, text: &[u8]);
    fn tag(&self) -> Tag;
    fn verify(&self, tag: &[u8]) -> Result<(), Error>;
}

impl<H: Hash> NamedMac for hmac::Mac<H> {
    fn update(&mut self, text: &[u8]) {
        self.update(text);
    }
    fn tag(&self) -> Tag {
        Tag::new(self.clone().finish().as_ref())
    }
    fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        self.clone().verify(tag)
    }
}

impl NamedMac for aes_cmac::Pieces<'_> {
    fn update(&mut self, text: &[u8]) {
        self.update(text);
    }
    fn tag(&self) -> Tag {
        Tag::new(&self.clone().finish())
    }
    fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        self.clone().verify(tag)
    }
}

/// Declares the keys and messages of all algorithms, with the lengths of their keys and tags.
macro_rules! codes {
    ($( $Hmac:ident of $Hasher:ty, )+; $( $Cmac:ident of $key_len:literal, )+) => {
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

        impl Algorithm {
            const fn lens(self) -> (usize, usize) {
                match self {
                    $( Self::$Hmac => (<$Hasher>::DIGEST_LEN, <$Hasher>::DIGEST_LEN), )+
                    $( Self::$Cmac => ($key_len, 16), )+
                }
            }
        }

        impl AnyKey {
            // Keys are made in their final place: a move could leave a copy.
            #[inline]
            fn best(algorithm: Algorithm, secret: &[u8]) -> Result<Key, Error> {
                Ok(Key(Wiped::new(match algorithm {
                    $( Algorithm::$Hmac => Self::$Hmac(hmac::Key::new(secret)), )+
                    $( Algorithm::$Cmac => {
                        check_key("AES key", secret, $key_len)?;
                        Self::Cmac(algorithm, aes_cmac::Key::new(secret)?)
                    } )+
                })))
            }

            #[inline]
            fn named(algorithm: Algorithm, secret: &[u8], name: &str) -> Result<Key, Error> {
                Ok(Key(Wiped::new(match algorithm {
                    $( Algorithm::$Hmac => Self::$Hmac(hmac::Key::with_backend(secret, name)?), )+
                    $( Algorithm::$Cmac => {
                        check_key("AES key", secret, $key_len)?;
                        Self::Cmac(algorithm, aes_cmac::Key::with_backend(secret, name)?)
                    } )+
                })))
            }

            fn algorithm(&self) -> Algorithm {
                match self {
                    $( Self::$Hmac(_) => Algorithm::$Hmac, )+
                    Self::Cmac(algorithm, _) => *algorithm,
                }
            }

            fn key(&self) -> &dyn NamedKey {
                match self {
                    $( Self::$Hmac(key) => key, )+
                    Self::Cmac(_, key) => key,
                }
            }

            #[inline]
            fn start(&self) -> Mac<'_> {
                Mac(Wiped::new(match self {
                    $( Self::$Hmac(key) => AnyMac::$Hmac(key.start()), )+
                    Self::Cmac(_, key) => AnyMac::Cmac(key.start()),
                }))
            }
        }

        impl<'k> AnyMac<'k> {
            fn mac(&self) -> &(dyn NamedMac + 'k) {
                match self {
                    $( Self::$Hmac(mac) => mac, )+
                    Self::Cmac(mac) => mac,
                }
            }

            fn mac_mut(&mut self) -> &mut (dyn NamedMac + 'k) {
                match self {
                    $( Self::$Hmac(mac) => mac, )+
                    Self::Cmac(mac) => mac,
                }
            }
        }
    };
}

/// Declares the algorithms: HMAC of each hash function of the list, and CMAC.
macro_rules! declare {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt
        ($Hmac:ident $($lists_of_hmac:tt)*); )+) => {
        algorithms! {
            /// A message authentication code.
            "message authentication code" {
                $( $Hmac = concat!("hmac-", $name), )+
                Aes128Cmac = "aes-128-cmac",
                Aes192Cmac = "aes-192-cmac",
                Aes256Cmac = "aes-256-cmac",
            }
        }

        codes! {
            $( $Hmac of crate::$module::$Hash, )+;
            Aes128Cmac of 16,
            Aes192Cmac of 24,
            Aes256Cmac of 32,
        }
    };
}

crate::hash_functions! { declare! {} }
