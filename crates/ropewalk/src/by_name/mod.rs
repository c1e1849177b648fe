//! Algorithms by name.

pub mod aead;
pub mod cipher;
pub(crate) mod hash;
pub mod mac;
