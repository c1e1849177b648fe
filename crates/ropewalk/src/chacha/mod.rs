//! ChaCha20 and Poly1305.

#[cfg(feature = "chacha20")]
pub mod chacha20;
#[cfg(feature = "poly1305")]
pub mod poly1305;
