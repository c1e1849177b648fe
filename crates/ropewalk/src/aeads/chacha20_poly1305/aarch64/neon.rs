//! ChaCha20-Poly1305 on 128 bits.

use super::super::{
    ChaChaPoly, Nonce, Secret,
    parts::CipherAndMac,
    wide::{self, beside},
};
use crate::{
    chacha::{
        chacha20::{KeyWords, key_words},
        poly1305::{Block, Carried, State},
    },
    core::{simd::aarch64::U32x4, text::Text},
};

beside! { Wide needs Neon: U32x4 of 4, "neon" }
