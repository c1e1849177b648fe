//! AES-GCM with AES instructions and carry-less products on 128 bits.

use super::super::{
    Aead, Nonce, Parts,
    wide::{Key, STEP, absorb, crypt, kernel_of, long, once, piece, short, wide},
};
use crate::{
    aes::{Block, Rounds, x86_64::expand},
    aes_ctr,
    simd::x86_64::Sse1x,
    text::Text,
};

wide! { Aesni needs AesniClmul: Sse1x of 1, short_once, pieces parts, expand, aes_ctr::x86_64::aesni::apply }
