//! DIGEST: SHA-1, SHA-2, SHA-3, SHAKE, SM3 and MD5.

use ropewalk::{
    Hash,
    md5::Md5,
    sha1::Sha1,
    sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256},
    sha256::{Sha224, Sha256},
    sha512::{Sha384, Sha512, Sha512_256},
    sm3::Sm3,
};

use crate::{
    abi::Algorithm,
    error::Reason,
    hmac::{self, Keyed},
    params::{Param, Params},
    stats::Counter,
    version::Version,
};
use functions::Functions;
pub(crate) use functions::filled;
use shake::Xof;

mod functions;
mod shake;

/// A hash function as it is offered to OpenSSL.
pub(crate) trait Digest: Clone + 'static {
    const COUNTER: &'static Counter;
    /// In bytes.
    const BLOCK: usize;
    /// In bytes, as `EVP_MD_get_size` returns it.
    const SIZE: usize;
    /// Whether the output may have any length.
    const XOF: bool = false;
    /// Whether its `AlgorithmIdentifier` has no parameters.
    const NO_PARAMETERS: bool = true;
    /// Parameters of a context; empty if OpenSSL is offered no function for them.
    const GETTABLE: &'static [Param] = &[];
    const SETTABLE: &'static [Param] = &[];

    fn new() -> Self;
    /// Begins another message.
    fn reset(&mut self);
    fn update(&mut self, text: &[u8]) -> Result<(), Reason>;
    /// The length of the output, where OpenSSL reports `room` bytes.
    fn final_len(&self, room: usize) -> Result<usize, Reason> {
        if room < Self::SIZE { Err(Reason::OutputBufferTooSmall) } else { Ok(Self::SIZE) }
    }
    /// Writes the whole digest of the message so far.
    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason>;
    /// Writes more of the output.
    fn squeeze(&mut self, _: &mut [u8]) -> Result<(), Reason> {
        Err(Reason::NotXofOrInvalidLength)
    }
    /// Sets the parameters that it knows.
    fn set(&mut self, _: Params<'_>) -> Result<(), Reason> {
        Ok(())
    }
    /// Reads a parameter, if it is known.
    fn get(&self, _: &mut Param) -> Result<(), Reason> {
        Ok(())
    }
    /// Computes the digest of a message in one call.
    fn digest(message: &[u8], out: &mut [u8]) -> Result<(), Reason> {
        let mut state = Self::new();
        state.update(message)?;
        state.finish(out)
    }
}

/// Declares the list, of functions with digests of one length and of those with digests of any length.
macro_rules! digests {
    (
        one length { $( $Fixed:ident of $Hash:ty = $fixed:literal, $names:literal $(, $no_parameters:literal)?; )+ }
        any length { $( $Hasher:ty = $shake:literal, $shake_names:literal; )+ }
    ) => {
        $(
            #[derive(Clone)]
            struct $Fixed($Hash);

            impl Digest for $Fixed {
                const COUNTER: &'static Counter = {
                    static COUNTER: Counter = Counter::new($fixed);
                    &COUNTER
                };
                const BLOCK: usize = <$Hash as Hash>::BLOCK_LEN;
                const SIZE: usize = <$Hash as Hash>::DIGEST_LEN;
                $( const NO_PARAMETERS: bool = $no_parameters; )?

                fn new() -> Self {
                    Self(<$Hash>::new())
                }
                fn reset(&mut self) {
                    self.0.reset();
                }
                fn update(&mut self, text: &[u8]) -> Result<(), Reason> {
                    self.0.update(text);
                    Ok(())
                }
                fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
                    out.copy_from_slice(&self.0.finish_reset());
                    Ok(())
                }
                fn digest(message: &[u8], out: &mut [u8]) -> Result<(), Reason> {
                    out.copy_from_slice(&<$Hash>::new().digest(message));
                    Ok(())
                }
            }
        )+
        $(
            impl shake::Named for $Hasher {
                const COUNTER: &'static Counter = {
                    static COUNTER: Counter = Counter::new($shake);
                    &COUNTER
                };
            }
        )+

        /// A hash function of this provider, for algorithms that use one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Known {
            $( $Fixed, )+
        }

        impl Known {
            const ALL: &'static [Self] = &[$( Self::$Fixed, )+];

            /// In bytes.
            pub(crate) fn size(self) -> usize {
                match self {
                    $( Self::$Fixed => $Fixed::SIZE, )+
                }
            }

            /// In bytes.
            pub(crate) fn block_size(self) -> usize {
                match self {
                    $( Self::$Fixed => $Fixed::BLOCK, )+
                }
            }

            /// Makes an HMAC key with it.
            pub(crate) fn hmac(self, secret: &[u8]) -> Box<dyn Keyed> {
                match self {
                    $( Self::$Fixed => Box::new(hmac::Of::<$Hash>::new(secret)), )+
                }
            }

            /// The digest of the empty message.
            pub(crate) fn of_nothing(self) -> Result<[u8; hmac::LONGEST], Reason> {
                let mut digest = [0; hmac::LONGEST];
                let out = &mut digest[..self.size()];
                match self {
                    $( Self::$Fixed => $Fixed::digest(&[], out), )+
                }?;
                Ok(digest)
            }
        }

        impl<const MINOR: u32> Offered<MINOR> {
            /// First the functions of [`Known`], in that order.
            const ALL: &'static [Algorithm] = &[
                $( Algorithm::new($names, Functions::<$Fixed>::ALL), )+
                $( Algorithm::new($shake_names, Functions::<Xof<$Hasher, MINOR>>::ALL), )+
                Algorithm::END,
            ];
        }

        /// The counters.
        pub(crate) static COUNTERS: &[&Counter] = &[
            $( $Fixed::COUNTER, )+
            $( <$Hasher as shake::Named>::COUNTER, )+
        ];
    };
}

impl Known {
    /// The same for all versions of OpenSSL.
    const OFFERED: &'static [Algorithm] = Offered::<{ shake::V3_0 }>::ALL;

    /// Finds a function by any of its names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().zip(Self::OFFERED).find(|(_, own)| own.is(name)).map(|(known, _)| *known)
    }

    /// The first of its names.
    pub(crate) fn name(self) -> &'static str {
        Self::OFFERED[self as usize].first_name()
    }
}

/// The digests for a version of OpenSSL.
struct Offered<const MINOR: u32>;

/// The digests for that version. `EVP_MD` is queried without a context, so each version of SHAKE has its own
/// functions.
pub(crate) fn algorithms(version: Version) -> &'static [Algorithm] {
    match version.0 {
        shake::V4_0.. => Offered::<{ shake::V4_0 }>::ALL,
        shake::V3_4.. => Offered::<{ shake::V3_4 }>::ALL,
        shake::V3_3.. => Offered::<{ shake::V3_3 }>::ALL,
        _ => Offered::<{ shake::V3_0 }>::ALL,
    }
}

digests! {
    one length {
        OfSha1 of Sha1 = "SHA-1", c"SHA1:SHA-1:1.3.14.3.2.26";
        OfSha224 of Sha224 = "SHA-224", c"SHA2-224:SHA-224:SHA224:2.16.840.1.101.3.4.2.4";
        OfSha256 of Sha256 = "SHA-256", c"SHA2-256:SHA-256:SHA256:2.16.840.1.101.3.4.2.1";
        OfSha384 of Sha384 = "SHA-384", c"SHA2-384:SHA-384:SHA384:2.16.840.1.101.3.4.2.2";
        OfSha512 of Sha512 = "SHA-512", c"SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3";
        OfSha512Of256 of Sha512_256 = "SHA-512/256", c"SHA2-512/256:SHA-512/256:SHA512-256:2.16.840.1.101.3.4.2.6";
        OfSha3Of224 of Sha3_224 = "SHA3-224", c"SHA3-224:2.16.840.1.101.3.4.2.7";
        OfSha3Of256 of Sha3_256 = "SHA3-256", c"SHA3-256:2.16.840.1.101.3.4.2.8";
        OfSha3Of384 of Sha3_384 = "SHA3-384", c"SHA3-384:2.16.840.1.101.3.4.2.9";
        OfSha3Of512 of Sha3_512 = "SHA3-512", c"SHA3-512:2.16.840.1.101.3.4.2.10";
        OfSm3 of Sm3 = "SM3", c"SM3:1.2.156.10197.1.401", false;
        OfMd5 of Md5 = "MD5", c"MD5:1.2.840.113549.2.5", false;
    }
    any length {
        Shake128 = "SHAKE128", c"SHAKE-128:SHAKE128:2.16.840.1.101.3.4.2.11";
        Shake256 = "SHAKE256", c"SHAKE-256:SHAKE256:2.16.840.1.101.3.4.2.12";
    }
}
