//! Public keys: agreements and signatures.

#[cfg(feature = "many")]
mod eights;
#[cfg(feature = "x25519")]
pub mod x25519;
