//! Elliptic curves: formulas written once over a [`Field`](crate::fields::Field).

pub(crate) mod digits;
#[cfg(any(feature = "ed25519", feature = "x25519"))]
pub(crate) mod edwards;
#[cfg(any(feature = "ed25519", feature = "x25519"))]
pub(crate) mod edwards25519;
#[cfg(feature = "x25519")]
pub(crate) mod montgomery;
#[cfg(feature = "p256")]
pub(crate) mod p256;
pub(crate) mod tables;
#[cfg(feature = "p256")]
pub(crate) mod weierstrass;
#[cfg(all(target_arch = "x86_64", any(feature = "ed25519", feature = "x25519")))]
pub(crate) mod x86_64;
