//! Public keys: agreements and signatures.

#[cfg(feature = "p256")]
pub mod p256;
#[cfg(feature = "x25519")]
pub mod x25519;
