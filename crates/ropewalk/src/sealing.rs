//! The common types of authenticated ciphers: keys, messages in chunks, batches.
//!
//! A program uses these types under the names in the module of its cipher: [`aes_gcm::Key`](crate::aes_gcm::Key) is
//! [`Key<AesGcm>`](Key). Each method is documented here once; what is specific to a cipher, such as the constructors of its keys,
//! in its module.

#[cfg(feature = "many")]
pub use crate::aeads::{
    collected::{Openings, Seals},
    many::{Many, Message},
};
pub use crate::aeads::{
    key::{AesCcm, AesGcm, ChaCha20Poly1305, Key, Named},
    stream::Stream,
};
