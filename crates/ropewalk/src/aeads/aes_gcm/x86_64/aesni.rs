//! AES-GCM with AES instructions and carry-less products on 128 bits.

use super::super::{
    CtrGhash, Gcm, Nonce,
    wide::{Key, STEP, Way, absorb_or_mac, any, crypt, piece, short_texts, wide},
};
use crate::{
    aes::{Rounds, aes_ctr, x86_64::expand_to},
    core::{block::Block, simd::x86_64::Sse1x, text::Text},
};

wide! { Aesni needs AesniClmul: Sse1x of 1, short texts [told], pieces of parts, expand_to, aes_ctr::x86_64::aesni::apply }
