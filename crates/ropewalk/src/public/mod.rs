//! Public keys: agreements and signatures.

#[cfg(feature = "ed25519")]
pub mod ed25519;
#[cfg(feature = "many")]
mod eights;
#[cfg(feature = "p256")]
pub mod p256;
#[cfg(feature = "rsa")]
pub mod rsa;
#[cfg(feature = "x25519")]
pub mod x25519;
