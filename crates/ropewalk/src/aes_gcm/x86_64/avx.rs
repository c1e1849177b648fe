//! AES-GCM with AES instructions and carry-less products on 128 bits, with the encodings of AVX.

use super::super::{
    Aead, Nonce, Parts,
    parts::{self, Place},
    wide::{Key, STEP, absorb, crypt, kernel_of, long, once, piece, pieces, short, steps, wide},
};
use crate::{
    aes::{Block, Rounds, x86_64::expand},
    aes_ctr,
    sealing::stream::Way,
    simd::x86_64::Avx1x,
    text::Text,
};

wide! { Avx needs AvxClmul: Avx1x of 1, short_once, pieces once, expand, aes_ctr::x86_64::aesni::apply }
