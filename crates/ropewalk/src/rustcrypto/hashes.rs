//! Hash functions.

use core::{fmt, mem};

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, Output, OutputSizeUser, Reset, Update, XofReader,
    array::ArraySize,
    common::{AlgorithmName, BlockSizeUser},
    const_oid::{AssociatedOid, ObjectIdentifier},
    consts::{U16, U20, U28, U32, U48, U64, U72, U104, U128, U136, U144, U168},
};
use zeroize::ZeroizeOnDrop;

use super::hmac::EagerHash;
use crate::hashes::{
    Hasher,
    function::FixedHash,
    md5, sha1,
    sha3::{Reader, Shake, ShakeFunction, SpongeFunction},
    sha256, sha512,
};

/// MD5.
pub type Md5 = FixedHasher<md5::Function>;
/// SHA-1.
pub type Sha1 = FixedHasher<sha1::Function>;
/// SHA-224.
pub type Sha224 = FixedHasher<sha256::Function224>;
/// SHA-256.
pub type Sha256 = FixedHasher<sha256::Function256>;
/// SHA-384.
pub type Sha384 = FixedHasher<sha512::Function384>;
/// SHA-512.
pub type Sha512 = FixedHasher<sha512::Function512>;
/// SHA-512/256.
pub type Sha512_256 = FixedHasher<sha512::Function512_256>;
/// SHA3-224.
pub type Sha3_224 = FixedHasher<SpongeFunction<144, 0x06, 28>>;
/// SHA3-256.
pub type Sha3_256 = FixedHasher<SpongeFunction<136, 0x06, 32>>;
/// SHA3-384.
pub type Sha3_384 = FixedHasher<SpongeFunction<104, 0x06, 48>>;
/// SHA3-512.
pub type Sha3_512 = FixedHasher<SpongeFunction<72, 0x06, 64>>;
/// SHAKE128.
pub type Shake128 = XofHasher<168>;
/// SHAKE256.
pub type Shake256 = XofHasher<136>;
/// The output of SHAKE128.
pub type Shake128Reader = OutputReader<168>;
/// The output of SHAKE256.
pub type Shake256Reader = OutputReader<136>;

/// A function as RustCrypto's crates name it.
pub trait Named {
    const NAME: &'static str;
    const OID: ObjectIdentifier;
    type BlockSize: ArraySize;
}

/// A function of digests of one length.
#[allow(private_bounds, reason = "only functions of this library have it")]
pub trait NamedFixed: Named + FixedHash {
    type OutputSize: ArraySize;
}

/// A function of output of any length.
pub trait NamedXof: Named {
    type Strength: ArraySize;
}

/// A hasher of a function of digests of one length.
pub struct FixedHasher<F: NamedFixed>(Hasher<F>);

impl<F: NamedFixed> Clone for FixedHasher<F> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<F: NamedFixed> Default for FixedHasher<F> {
    #[inline]
    fn default() -> Self {
        Self(Hasher::new())
    }
}

impl<F: NamedFixed> fmt::Debug for FixedHasher<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{ ... }}", <F as Named>::NAME)
    }
}

impl<F: NamedFixed> AlgorithmName for FixedHasher<F> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(<F as Named>::NAME)
    }
}

impl<F: NamedFixed> AssociatedOid for FixedHasher<F> {
    const OID: ObjectIdentifier = F::OID;
}

impl<F: NamedFixed> HashMarker for FixedHasher<F> {}

impl<F: NamedFixed> BlockSizeUser for FixedHasher<F> {
    type BlockSize = F::BlockSize;
}

impl<F: NamedFixed> OutputSizeUser for FixedHasher<F> {
    type OutputSize = F::OutputSize;
}

impl<F: NamedFixed> Update for FixedHasher<F> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

impl<F: NamedFixed> Reset for FixedHasher<F> {
    #[inline]
    fn reset(&mut self) {
        self.0.reset();
    }
}

impl<F: NamedFixed> FixedOutput for FixedHasher<F> {
    #[inline]
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.0.finish().as_ref());
    }
}

impl<F: NamedFixed> FixedOutputReset for FixedHasher<F> {
    #[inline]
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        out.copy_from_slice(self.0.finish_reset().as_ref());
    }
}

impl<F: NamedFixed> EagerHash for FixedHasher<F> {
    type Of = Hasher<F>;
}

impl<F: NamedFixed> ZeroizeOnDrop for FixedHasher<F> {}

/// A hasher of SHAKE with blocks of `RATE` bytes.
#[derive(Clone, Default)]
pub struct XofHasher<const RATE: usize>(Shake<RATE>);

impl<const RATE: usize> fmt::Debug for XofHasher<RATE>
where
    ShakeFunction<RATE>: NamedXof,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{ ... }}", <ShakeFunction<RATE>>::NAME)
    }
}

impl<const RATE: usize> AlgorithmName for XofHasher<RATE>
where
    ShakeFunction<RATE>: NamedXof,
{
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(<ShakeFunction<RATE>>::NAME)
    }
}

impl<const RATE: usize> AssociatedOid for XofHasher<RATE>
where
    ShakeFunction<RATE>: NamedXof,
{
    const OID: ObjectIdentifier = <ShakeFunction<RATE>>::OID;
}

impl<const RATE: usize> HashMarker for XofHasher<RATE> {}

impl<const RATE: usize> BlockSizeUser for XofHasher<RATE>
where
    ShakeFunction<RATE>: NamedXof,
{
    type BlockSize = <ShakeFunction<RATE> as Named>::BlockSize;
}

impl<const RATE: usize> CollisionResistance for XofHasher<RATE>
where
    ShakeFunction<RATE>: NamedXof,
{
    type CollisionResistance = <ShakeFunction<RATE> as NamedXof>::Strength;
}

impl<const RATE: usize> Update for XofHasher<RATE> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

impl<const RATE: usize> Reset for XofHasher<RATE> {
    #[inline]
    fn reset(&mut self) {
        self.0.reset();
    }
}

impl<const RATE: usize> ExtendableOutput for XofHasher<RATE> {
    type Reader = OutputReader<RATE>;

    #[inline]
    fn finalize_xof(self) -> OutputReader<RATE> {
        OutputReader(self.0.finish())
    }
}

impl<const RATE: usize> ExtendableOutputReset for XofHasher<RATE> {
    #[inline]
    fn finalize_xof_reset(&mut self) -> OutputReader<RATE> {
        OutputReader(mem::take(&mut self.0).finish())
    }
}

impl<const RATE: usize> ZeroizeOnDrop for XofHasher<RATE> {}

/// The output of SHAKE with blocks of `RATE` bytes.
#[derive(Clone)]
pub struct OutputReader<const RATE: usize>(Reader);

impl<const RATE: usize> fmt::Debug for OutputReader<RATE>
where
    ShakeFunction<RATE>: NamedXof,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Reader {{ ... }}", <ShakeFunction<RATE>>::NAME)
    }
}

impl<const RATE: usize> BlockSizeUser for OutputReader<RATE>
where
    ShakeFunction<RATE>: NamedXof,
{
    type BlockSize = <ShakeFunction<RATE> as Named>::BlockSize;
}

impl<const RATE: usize> XofReader for OutputReader<RATE> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) {
        self.0.squeeze(buffer);
    }
}

impl<const RATE: usize> ZeroizeOnDrop for OutputReader<RATE> {}

macro_rules! named {
    ($($Function:ty = $name:literal, $oid:literal, blocks of $block:ty, $Trait:ident with $Size:ident of $size:ty;)+) => { $(
        impl Named for $Function {
            const NAME: &'static str = $name;
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
            type BlockSize = $block;
        }

        impl $Trait for $Function {
            type $Size = $size;
        }
    )+ };
}

named! {
    md5::Function = "Md5", "1.2.840.113549.2.5", blocks of U64, NamedFixed with OutputSize of U16;
    sha1::Function = "Sha1", "1.3.14.3.2.26", blocks of U64, NamedFixed with OutputSize of U20;
    sha256::Function224 = "Sha224", "2.16.840.1.101.3.4.2.4", blocks of U64, NamedFixed with OutputSize of U28;
    sha256::Function256 = "Sha256", "2.16.840.1.101.3.4.2.1", blocks of U64, NamedFixed with OutputSize of U32;
    sha512::Function384 = "Sha384", "2.16.840.1.101.3.4.2.2", blocks of U128, NamedFixed with OutputSize of U48;
    sha512::Function512 = "Sha512", "2.16.840.1.101.3.4.2.3", blocks of U128, NamedFixed with OutputSize of U64;
    sha512::Function512_256 = "Sha512_256", "2.16.840.1.101.3.4.2.6", blocks of U128, NamedFixed with OutputSize of U32;
    SpongeFunction<144, 0x06, 28> = "Sha3_224", "2.16.840.1.101.3.4.2.7", blocks of U144, NamedFixed with OutputSize of U28;
    SpongeFunction<136, 0x06, 32> = "Sha3_256", "2.16.840.1.101.3.4.2.8", blocks of U136, NamedFixed with OutputSize of U32;
    SpongeFunction<104, 0x06, 48> = "Sha3_384", "2.16.840.1.101.3.4.2.9", blocks of U104, NamedFixed with OutputSize of U48;
    SpongeFunction<72, 0x06, 64> = "Sha3_512", "2.16.840.1.101.3.4.2.10", blocks of U72, NamedFixed with OutputSize of U64;
    ShakeFunction<168> = "Shake128", "2.16.840.1.101.3.4.2.11", blocks of U168, NamedXof with Strength of U16;
    ShakeFunction<136> = "Shake256", "2.16.840.1.101.3.4.2.12", blocks of U136, NamedXof with Strength of U32;
}
