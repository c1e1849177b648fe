//! ChaCha20-Poly1305, as in the crate `chacha20poly1305`.

use aead::{
    array::Array,
    consts::{U12, U16, U32},
};

use super::seal::aead_traits;
use crate::aeads::chacha20_poly1305;

pub use aead::{self, AeadCore, AeadInOut, Error, KeyInit, KeySizeUser, consts};

/// A key.
pub type Key = Array<u8, U32>;
/// A nonce.
pub type Nonce = Array<u8, U12>;
/// A tag.
pub type Tag = Array<u8, U16>;

/// ChaCha20-Poly1305 with nonces of 96 bits.
#[derive(Clone)]
pub struct ChaCha20Poly1305 {
    key: chacha20_poly1305::Key,
}

impl KeySizeUser for ChaCha20Poly1305 {
    type KeySize = U32;
}

impl KeyInit for ChaCha20Poly1305 {
    #[inline]
    fn new(key: &Key) -> Self {
        Self { key: chacha20_poly1305::Key::new(key).expect("its type has 32 bytes") }
    }
}

aead_traits! { [] "ChaCha20Poly1305" ChaCha20Poly1305, nonces of U12, tags of U16 }
