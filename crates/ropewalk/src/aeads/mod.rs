//! Authenticated ciphers, and what they have in common: keys, messages in chunks, many messages.

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
