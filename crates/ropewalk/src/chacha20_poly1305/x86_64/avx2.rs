//! ChaCha20-Poly1305 on 256 bits.

use super::super::{
    Aead, Nonce, Secret,
    wide::{self, beside},
};
use crate::{
    chacha20::{KeyWords, key_words},
    poly1305::Block,
    simd::x86_64::U32x8,
    text::Text,
};

beside! { Wide needs Avx2: U32x8 of 8, "avx2,bmi1,bmi2" }
