//! ChaCha20, as in the crate `chacha20`: a nonce of 96 bits and a counter of 32, which starts at 0.

use core::fmt;

use cipher::{
    AlgorithmName, Array, Iv, IvSizeUser, KeySizeUser, StreamCipherCoreWrapper,
    consts::{U12, U32, U64},
};

use super::stream::stream_core;
use crate::chacha::chacha20;

pub use cipher::{self, KeyIvInit};

/// A key.
pub type Key = Array<u8, U32>;
/// A nonce.
pub type Nonce = Array<u8, U12>;

/// ChaCha20.
pub type ChaCha20 = StreamCipherCoreWrapper<ChaChaCore>;

/// ChaCha20 on whole blocks.
pub struct ChaChaCore {
    key: chacha20::Key,
    nonce: chacha20::Nonce,
    /// The index of the next block.
    at: u32,
}

impl KeySizeUser for ChaChaCore {
    type KeySize = U32;
}

impl IvSizeUser for ChaChaCore {
    type IvSize = U12;
}

impl KeyIvInit for ChaChaCore {
    #[inline]
    fn new(key: &Key, nonce: &Iv<Self>) -> Self {
        let key = chacha20::Key::new(key).expect("its type has 32 bytes");
        Self { key, nonce: (*nonce).into(), at: 0 }
    }
}

impl AlgorithmName for ChaChaCore {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChaCha20")
    }
}

impl fmt::Debug for ChaChaCore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChaCha20 { ... }")
    }
}

stream_core! { [] ChaChaCore, blocks of U64, counted by u32 }

impl ChaChaCore {
    #[inline]
    fn remaining(&self) -> Option<usize> {
        (u32::MAX - self.at).try_into().ok()
    }

    #[inline]
    fn apply(&mut self, text: &mut [u8]) {
        let result = self.key.apply_keystream(self.at, &self.nonce, text);
        result.expect("no counter comes twice");
        self.at = self.at.wrapping_add((text.len() / 64) as u32);
    }
}
