//! Hash functions.

use core::{fmt, mem};

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, Output, OutputSizeUser, Reset, Update, XofReader,
    common::{AlgorithmName, BlockSizeUser},
    const_oid::{AssociatedOid, ObjectIdentifier},
    consts::{U16, U20, U28, U32, U48, U64, U72, U104, U128, U136, U144, U168},
};
use zeroize::ZeroizeOnDrop;

use super::hmac::EagerHash;
use crate::hashes::{md5, sha1, sha3, sha256, sha512};

/// What all of them have.
macro_rules! hasher {
    ($Hasher:ident($name:literal, $oid:literal): $of:path, blocks of $block:ty) => {
        #[doc = concat!($name, ".")]
        #[derive(Clone, Default)]
        pub struct $Hasher($of);

        impl fmt::Debug for $Hasher {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Hasher), " { ... }"))
            }
        }

        impl AlgorithmName for $Hasher {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($Hasher))
            }
        }

        impl AssociatedOid for $Hasher {
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
        }

        impl HashMarker for $Hasher {}

        impl BlockSizeUser for $Hasher {
            type BlockSize = $block;
        }

        impl Update for $Hasher {
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }
        }

        impl Reset for $Hasher {
            #[inline]
            fn reset(&mut self) {
                self.0.reset();
            }
        }

        impl ZeroizeOnDrop for $Hasher {}
    };
}

macro_rules! fixed {
    ($($Hasher:ident($name:literal, $oid:literal): $of:path, blocks of $block:ty, digest of $digest:ty;)+) => { $(
        hasher! { $Hasher($name, $oid): $of, blocks of $block }

        impl OutputSizeUser for $Hasher {
            type OutputSize = $digest;
        }

        impl FixedOutput for $Hasher {
            #[inline]
            fn finalize_into(self, out: &mut Output<Self>) {
                *out = self.0.finish().into();
            }
        }

        impl FixedOutputReset for $Hasher {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                *out = self.0.finish_reset().into();
            }
        }

        impl EagerHash for $Hasher {
            type Of = $of;
        }
    )+ };
}

fixed! {
    Md5("MD5", "1.2.840.113549.2.5"): md5::Md5, blocks of U64, digest of U16;
    Sha1("SHA-1", "1.3.14.3.2.26"): sha1::Sha1, blocks of U64, digest of U20;
    Sha224("SHA-224", "2.16.840.1.101.3.4.2.4"): sha256::Sha224, blocks of U64, digest of U28;
    Sha256("SHA-256", "2.16.840.1.101.3.4.2.1"): sha256::Sha256, blocks of U64, digest of U32;
    Sha384("SHA-384", "2.16.840.1.101.3.4.2.2"): sha512::Sha384, blocks of U128, digest of U48;
    Sha512("SHA-512", "2.16.840.1.101.3.4.2.3"): sha512::Sha512, blocks of U128, digest of U64;
    Sha512_256("SHA-512/256", "2.16.840.1.101.3.4.2.6"): sha512::Sha512_256, blocks of U128, digest of U32;
    Sha3_224("SHA3-224", "2.16.840.1.101.3.4.2.7"): sha3::Sha3_224, blocks of U144, digest of U28;
    Sha3_256("SHA3-256", "2.16.840.1.101.3.4.2.8"): sha3::Sha3_256, blocks of U136, digest of U32;
    Sha3_384("SHA3-384", "2.16.840.1.101.3.4.2.9"): sha3::Sha3_384, blocks of U104, digest of U48;
    Sha3_512("SHA3-512", "2.16.840.1.101.3.4.2.10"): sha3::Sha3_512, blocks of U72, digest of U64;
}

macro_rules! extendable {
    ($($Hasher:ident($name:literal, $oid:literal): $of:path, $Reader:ident, blocks of $block:ty, strength $bytes:ty;)+) => { $(
        hasher! { $Hasher($name, $oid): $of, blocks of $block }

        impl CollisionResistance for $Hasher {
            type CollisionResistance = $bytes;
        }

        impl ExtendableOutput for $Hasher {
            type Reader = $Reader;

            #[inline]
            fn finalize_xof(self) -> $Reader {
                $Reader(self.0.finish())
            }
        }

        impl ExtendableOutputReset for $Hasher {
            #[inline]
            fn finalize_xof_reset(&mut self) -> $Reader {
                $Reader(mem::take(&mut self.0).finish())
            }
        }

        #[doc = concat!("The output of ", $name, ".")]
        #[derive(Clone)]
        pub struct $Reader(sha3::Reader);

        impl fmt::Debug for $Reader {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Reader), " { ... }"))
            }
        }

        impl BlockSizeUser for $Reader {
            type BlockSize = $block;
        }

        impl XofReader for $Reader {
            #[inline]
            fn read(&mut self, buffer: &mut [u8]) {
                self.0.squeeze(buffer);
            }
        }

        impl ZeroizeOnDrop for $Reader {}
    )+ };
}

extendable! {
    Shake128("SHAKE128", "2.16.840.1.101.3.4.2.11"): sha3::Shake128, Shake128Reader, blocks of U168, strength U16;
    Shake256("SHAKE256", "2.16.840.1.101.3.4.2.12"): sha3::Shake256, Shake256Reader, blocks of U136, strength U32;
}
