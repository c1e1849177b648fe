//! AES-GCM with AES instructions and carry-less products on 128 bits, with the encodings of AVX.

use super::super::{
    Aead, Nonce, Parts,
    wide::{Key, STEP, absorb, crypt, kernel_of, long, once, short, wide},
};
use crate::{
    aes::{Block, Rounds, x86_64::expand},
    aes_ctr,
    simd::x86_64::Avx1x,
    text::Text,
};

wide! { Avx needs AvxClmul: Avx1x of 1, short_once, expand, aes_ctr::x86_64::aesni::apply }
