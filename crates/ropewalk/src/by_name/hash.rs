//! Hash functions by name.

use core::{fmt, ops::Deref};

use crate::{
    core::{Error, names::algorithms, secret::Wiped},
    hashes::{
        self, Hash as _,
        function::FixedHash,
        sha3::{Shake, Shake128, Shake256},
    },
};

/// The longest digest in bytes.
const LONGEST: usize = 64;

/// A digest, with the length that its function has.
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

/// A message in chunks.
///
/// A clone continues where the original stands; both are wiped when they are dropped. It has at most 256 bytes.
#[derive(Clone)]
pub struct Hasher(Wiped<Any>);

impl Hasher {
    /// With the best backend of this processor.
    pub fn new(algorithm: Algorithm) -> Self {
        Self(Wiped::new(Any::new(algorithm)))
    }

    /// With the backend of that name in the list of the function.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(algorithm: Algorithm, name: &str) -> Result<Self, Error> {
        Ok(Self(Wiped::new(Any::with_backend(algorithm, name)?)))
    }

    /// Its hash function.
    pub fn algorithm(&self) -> Algorithm {
        self.0.algorithm()
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.function().backend()
    }

    /// Absorbs the next chunk of the message, of any length.
    pub fn update(&mut self, text: &[u8]) {
        self.0.function_mut().update(text);
    }

    /// The digest of all chunks.
    pub fn finish(mut self) -> Digest {
        self.finish_reset()
    }

    /// The digest of all chunks. The hasher then starts another message, in the same place.
    pub fn finish_reset(&mut self) -> Digest {
        self.0.function_mut().finish_reset()
    }

    /// Discards all chunks. The backend stays.
    pub fn reset(&mut self) {
        self.0.function_mut().reset();
    }

    /// The digest of a whole message, with this hasher's backend. Its own message is not affected.
    pub fn digest(&self, message: &[u8]) -> Digest {
        self.0.function().digest(message)
    }
}

impl Algorithm {
    /// Bytes of a digest.
    pub const fn digest_len(self) -> usize {
        self.lens().0
    }

    /// Bytes of a block.
    pub const fn block_len(self) -> usize {
        self.lens().1
    }
}

/// A hash function that was selected by name.
trait NamedHash {
    fn backend(&self) -> &'static str;
    fn update(&mut self, text: &[u8]);
    fn finish_reset(&mut self) -> Digest;
    fn reset(&mut self);
    fn digest(&self, message: &[u8]) -> Digest;
}

impl<F: FixedHash> NamedHash for hashes::Hasher<F> {
    fn backend(&self) -> &'static str {
        self.backend()
    }
    fn update(&mut self, text: &[u8]) {
        self.update(text);
    }
    fn finish_reset(&mut self) -> Digest {
        Digest::new(self.finish_reset().as_ref())
    }
    fn reset(&mut self) {
        self.reset();
    }
    fn digest(&self, message: &[u8]) -> Digest {
        Digest::new(self.digest(message).as_ref())
    }
}

impl<const RATE: usize> NamedHash for Shake<RATE> {
    fn backend(&self) -> &'static str {
        self.backend()
    }
    fn update(&mut self, text: &[u8]) {
        self.update(text);
    }
    fn finish_reset(&mut self) -> Digest {
        let mut digest = [0; LONGEST];
        let digest = &mut digest[..capacity::<RATE>()];
        self.clone().finish().squeeze(digest);
        self.reset();
        Digest::new(digest)
    }
    fn reset(&mut self) {
        self.reset();
    }
    fn digest(&self, message: &[u8]) -> Digest {
        let mut digest = [0; LONGEST];
        let digest = &mut digest[..capacity::<RATE>()];
        self.digest(message, digest);
        Digest::new(digest)
    }
}

/// Bytes of SHAKE's output here: as many as its capacity, which is twice its strength.
const fn capacity<const RATE: usize>() -> usize {
    200 - RATE
}

/// Declares the hashers of all algorithms, where SHAKE has an output of one length.
macro_rules! hashers {
    ($( $Variant:ident of $Hasher:ty, )+; $( $Shake:ident with blocks of $rate:literal, )+) => {
        #[derive(Clone)]
        #[allow(clippy::large_enum_variant, reason = "a hasher lies where it is used")]
        enum Any {
            $( $Variant($Hasher), )+
            $( $Shake($Shake), )+
        }

        impl Any {
            fn new(algorithm: Algorithm) -> Self {
                match algorithm {
                    $( Algorithm::$Variant => Self::$Variant(<$Hasher>::new()), )+
                    $( Algorithm::$Shake => Self::$Shake($Shake::new()), )+
                }
            }

            fn with_backend(algorithm: Algorithm, name: &str) -> Result<Self, Error> {
                Ok(match algorithm {
                    $( Algorithm::$Variant => Self::$Variant(<$Hasher>::with_backend(name)?), )+
                    $( Algorithm::$Shake => Self::$Shake($Shake::with_backend(name)?), )+
                })
            }

            fn algorithm(&self) -> Algorithm {
                match self {
                    $( Self::$Variant(_) => Algorithm::$Variant, )+
                    $( Self::$Shake(_) => Algorithm::$Shake, )+
                }
            }

            fn function(&self) -> &dyn NamedHash {
                match self {
                    $( Self::$Variant(hasher) => hasher, )+
                    $( Self::$Shake(hasher) => hasher, )+
                }
            }

            fn function_mut(&mut self) -> &mut dyn NamedHash {
                match self {
                    $( Self::$Variant(hasher) => hasher, )+
                    $( Self::$Shake(hasher) => hasher, )+
                }
            }
        }

        impl Algorithm {
            const fn lens(self) -> (usize, usize) {
                match self {
                    $( Self::$Variant => (<$Hasher>::DIGEST_LEN, <$Hasher>::BLOCK_LEN), )+
                    $( Self::$Shake => (capacity::<$rate>(), $rate), )+
                }
            }
        }
    };
}

/// Declares the algorithms: each line of the list, and SHAKE with an output of one length.
macro_rules! declare {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt $hmac:tt; )+) => {
        algorithms! {
            /// A hash function. MD5 and SHA-1 are for old protocols: collisions of both are known.
            ///
            /// SHAKE, whose output may have any length, gives twice as many bytes as its strength here.
            "hash function" {
                $( $Hash = $name, )+
                Shake128 = "shake128",
                Shake256 = "shake256",
            }
        }

        hashers! {
            $( $Hash of crate::$module::$Hash, )+;
            Shake128 with blocks of 168,
            Shake256 with blocks of 136,
        }
    };
}

crate::hash_functions! { declare! {} }
