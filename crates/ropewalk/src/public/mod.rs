//! Public keys: agreements and signatures.

#[cfg(feature = "x25519")]
pub mod x25519;
