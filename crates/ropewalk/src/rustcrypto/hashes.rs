//! Hash functions.

use core::{fmt, mem};

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, Output, OutputSizeUser, Reset, Update, XofReader,
    array::{ArraySize, AssocArraySize},
    common::{AlgorithmName, BlockSizeUser},
    const_oid::{AssociatedOid, ObjectIdentifier},
    consts::{U16, U32},
};
use zeroize::ZeroizeOnDrop;

use super::hmac::EagerHash;
use crate::hashes::{
    Described, Hasher,
    function::FixedHash,
    sha3::{Reader, Shake, ShakeFunction},
};

/// SHAKE128.
pub type Shake128 = XofHasher<168>;
/// SHAKE256.
pub type Shake256 = XofHasher<136>;
/// The output of SHAKE128.
pub type Shake128Reader = OutputReader<168>;
/// The output of SHAKE256.
pub type Shake256Reader = OutputReader<136>;

/// A function with its name in RustCrypto's crates.
pub trait Named {
    const NAME: &'static str;
    const OID: ObjectIdentifier;
    type BlockSize: ArraySize;
}

/// A function with digests of one length.
#[allow(private_bounds, reason = "only functions of this library have it")]
pub trait NamedFixed: Named + FixedHash {
    type OutputSize: ArraySize;
}

/// A function with output of any length.
pub trait NamedXof: Named {
    type Strength: ArraySize;
}

/// A hasher of a function with digests of one length.
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

macro_rules! fixed {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
        ($Other:path, $block:literal, $digest:literal, $oid:literal) $lists:tt $calls:tt $hmac:tt; )+) => { $(
        #[doc = concat!("The hash function `", $name, "`.")]
        #[allow(private_interfaces, reason = "functions are types of this library only")]
        pub type $Hash = FixedHasher<<crate::$module::$Hash as Described>::Function>;

        impl Named for <crate::$module::$Hash as Described>::Function {
            const NAME: &'static str = stringify!($Hash);
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
            type BlockSize = <[u8; $block] as AssocArraySize>::Size;
        }

        impl NamedFixed for <crate::$module::$Hash as Described>::Function {
            type OutputSize = <[u8; $digest] as AssocArraySize>::Size;
        }
    )+ };
}

crate::hash_functions! { fixed! {} }

macro_rules! extendable {
    ($( $name:literal, $oid:literal, blocks of $rate:literal, strength of $strength:ty; )+) => { $(
        impl Named for ShakeFunction<$rate> {
            const NAME: &'static str = $name;
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
            type BlockSize = <[u8; $rate] as AssocArraySize>::Size;
        }

        impl NamedXof for ShakeFunction<$rate> {
            type Strength = $strength;
        }
    )+ };
}

extendable! {
    "Shake128", "2.16.840.1.101.3.4.2.11", blocks of 168, strength of U16;
    "Shake256", "2.16.840.1.101.3.4.2.12", blocks of 136, strength of U32;
}
