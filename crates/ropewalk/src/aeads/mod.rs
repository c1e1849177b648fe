//! Authenticated ciphers, and their common parts: keys, messages in chunks, batches.

#[cfg(feature = "aes-ccm")]
pub mod aes_ccm;
#[cfg(feature = "aes-gcm")]
pub mod aes_gcm;
#[cfg(feature = "chacha20-poly1305")]
pub mod chacha20_poly1305;
#[cfg(feature = "many")]
pub(crate) mod collected;
pub(crate) mod key;
pub(crate) mod known;
pub(crate) mod many;
pub(crate) mod stream;
