//! Algorithms by their names.

pub mod aead;
pub mod cipher;
pub(crate) mod hash;
pub mod mac;
