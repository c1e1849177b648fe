//! Hash functions by their names.

use core::{fmt, ops::Deref};

use crate::hashes::Hash as _;
use crate::{
    core::{Error, names::algorithms, secret::Wiped},
    hashes::{
        md5::Md5,
        sha1::Sha1,
        sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256},
        sha256::{Sha224, Sha256},
        sha512::{Sha384, Sha512, Sha512_256},
    },
};

algorithms! {
    /// A hash function. MD5 and SHA-1 are for what is old: others find two messages with one digest.
    ///
    /// SHAKE, whose output may have any length, gives twice as many bytes as it has of strength.
    "hash function" {
        Md5 = "md5",
        Sha1 = "sha1",
        Sha224 = "sha224",
        Sha256 = "sha256",
        Sha384 = "sha384",
        Sha512 = "sha512",
        Sha512_256 = "sha512-256",
        Sha3_224 = "sha3-224",
        Sha3_256 = "sha3-256",
        Sha3_384 = "sha3-384",
        Sha3_512 = "sha3-512",
        Shake128 = "shake128",
        Shake256 = "shake256",
    }
}

/// The most bytes of a digest.
const LONGEST: usize = 64;

/// A digest. It has as many bytes as its function gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest {
    bytes: [u8; LONGEST],
    len: u8,
}

impl Digest {
    fn new(digest: &[u8]) -> Self {
        let mut bytes = [0; LONGEST];
        bytes[..digest.len()].copy_from_slice(digest);
        Self { bytes, len: digest.len() as u8 }
    }
}

impl Deref for Digest {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Writes what goes through all functions. Those whose output has any length give so many bytes.
macro_rules! functions {
    ($( $Hasher:ident, )+; $( $Shake:ident of $len:literal with block of $block:literal, )+) => {
        impl Algorithm {
            /// Bytes of a digest.
            pub const fn digest_len(self) -> usize {
                match self {
                    $( Self::$Hasher => $Hasher::DIGEST_LEN, )+
                    $( Self::$Shake => $len, )+
                }
            }

            /// Bytes of a block.
            pub const fn block_len(self) -> usize {
                match self {
                    $( Self::$Hasher => $Hasher::BLOCK_LEN, )+
                    $( Self::$Shake => $block, )+
                }
            }
        }

        #[derive(Clone)]
        #[allow(clippy::large_enum_variant, reason = "a hasher lies where it is used")]
        enum Any {
            $( $Hasher($Hasher), )+
            $( $Shake($Shake), )+
        }

        impl Hasher {
            /// With the best backend of this processor.
            pub fn new(algorithm: Algorithm) -> Self {
                Self(Wiped::new(match algorithm {
                    $( Algorithm::$Hasher => Any::$Hasher($Hasher::new()), )+
                    $( Algorithm::$Shake => Any::$Shake($Shake::new()), )+
                }))
            }

            /// With one backend, by its name in the list of the function.
            ///
            /// # Errors
            /// [`Error::NoBackend`] where it cannot run here.
            pub fn with_backend(algorithm: Algorithm, name: &str) -> Result<Self, Error> {
                Ok(Self(Wiped::new(match algorithm {
                    $( Algorithm::$Hasher => Any::$Hasher($Hasher::with_backend(name)?), )+
                    $( Algorithm::$Shake => Any::$Shake($Shake::with_backend(name)?), )+
                })))
            }

            /// What it hashes with.
            pub fn algorithm(&self) -> Algorithm {
                match &*self.0 {
                    $( Any::$Hasher(_) => Algorithm::$Hasher, )+
                    $( Any::$Shake(_) => Algorithm::$Shake, )+
                }
            }

            /// The name of its backend.
            pub fn backend(&self) -> &'static str {
                match &*self.0 {
                    $( Any::$Hasher(hasher) => hasher.backend(), )+
                    $( Any::$Shake(hasher) => hasher.backend(), )+
                }
            }

            /// Takes the next piece of the message, of any length.
            pub fn update(&mut self, text: &[u8]) {
                match &mut *self.0 {
                    $( Any::$Hasher(hasher) => hasher.update(text), )+
                    $( Any::$Shake(hasher) => hasher.update(text), )+
                }
            }

            /// The digest of all pieces.
            pub fn finish(mut self) -> Digest {
                self.finish_reset()
            }

            /// The digest of all pieces, after which another message may come: nothing is moved.
            pub fn finish_reset(&mut self) -> Digest {
                match &mut *self.0 {
                    $( Any::$Hasher(hasher) => Digest::new(&hasher.finish_reset()), )+
                    $( Any::$Shake(hasher) => {
                        let mut digest = [0; $len];
                        hasher.clone().finish().squeeze(&mut digest);
                        hasher.reset();
                        Digest::new(&digest)
                    } )+
                }
            }

            /// Forgets all pieces. The backend stays.
            pub fn reset(&mut self) {
                match &mut *self.0 {
                    $( Any::$Hasher(hasher) => hasher.reset(), )+
                    $( Any::$Shake(hasher) => hasher.reset(), )+
                }
            }

            /// The digest of a message in one piece, with this hasher's backend; what it has absorbed
            /// before is left alone.
            pub fn digest(&self, message: &[u8]) -> Digest {
                match &*self.0 {
                    $( Any::$Hasher(hasher) => Digest::new(&hasher.digest(message)), )+
                    $( Any::$Shake(hasher) => {
                        let mut digest = [0; $len];
                        hasher.digest(message, &mut digest);
                        Digest::new(&digest)
                    } )+
                }
            }
        }
    };
}

/// A message that comes in pieces. A clone goes on from where the original stands; both wipe themselves when
/// they are dropped.
///
/// It has 256 bytes at the most.
#[derive(Clone)]
pub struct Hasher(Wiped<Any>);

functions! {
    Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_256, Sha3_224, Sha3_256, Sha3_384, Sha3_512,;
    Shake128 of 32 with block of 168,
    Shake256 of 64 with block of 136,
}
