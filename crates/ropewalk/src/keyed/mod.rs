//! HMAC, and keys that are derived by it.

#[cfg(feature = "hkdf")]
pub mod hkdf;
#[cfg(feature = "hmac")]
pub mod hmac;
#[cfg(feature = "pbkdf2")]
pub mod pbkdf2;
