//! AES-GCM with AES instructions and carry-less products on 128 bits, with the encodings of AVX.

use super::super::{
    CtrGhash, Gcm, Nonce,
    parts::{self, Place},
    wide::{
        Key, STEP, Way, absorb_or_mac, any, crypt, piece, short, short_text, short_texts, wide,
    },
};
use crate::{
    aeads::stream,
    aes::{Rounds, aes_ctr, x86_64::expand_to},
    core::{block::Block, simd::x86_64::Avx1x, text::Text},
};

wide! { Avx needs AvxClmul: Avx1x of 1, short texts [twice up to 4], pieces of steps, expand_to, aes_ctr::x86_64::aesni::apply }
