//! What authenticated ciphers have in common: keys, messages in chunks, many messages in a call.
//!
//! A program names these types by the module of its cipher: [`aes_gcm::Key`](crate::aes_gcm::Key) is [`Key<AesGcm>`](Key). Each
//! function is documented here once, and what a cipher has of its own, such as how its keys are made, in its module.

#[cfg(feature = "many")]
pub use crate::aeads::{
    collected::{Openings, Seals},
    many::{Many, Message},
};
pub use crate::aeads::{
    key::{AesCcm, AesGcm, ChaCha20Poly1305, Key, Named},
    stream::Stream,
};
