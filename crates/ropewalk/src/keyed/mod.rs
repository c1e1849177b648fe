//! HMAC, and key derivations from it.

#[cfg(feature = "hkdf")]
pub mod hkdf;
#[cfg(feature = "hmac")]
pub mod hmac;
#[cfg(feature = "pbkdf2")]
pub mod pbkdf2;
