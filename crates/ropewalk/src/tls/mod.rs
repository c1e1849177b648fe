//! Records and key derivations of TLS.

#[cfg(feature = "cbc-hmac")]
pub mod cbc_hmac;
#[cfg(feature = "tls12")]
pub mod tls12;
#[cfg(feature = "tls13")]
pub mod tls13;
