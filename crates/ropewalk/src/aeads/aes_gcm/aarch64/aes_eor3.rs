//! AES-GCM with the Armv8 AES and PMULL instructions, and the three-way XOR of the SHA-3 extension.

use super::super::{
    CtrGhash, Gcm, Nonce,
    parts::{self, Place},
    wide::{
        Key, STEP, Way, absorb_or_mac, any, crypt, piece, short, short_text, short_texts, wide,
    },
};
use crate::{
    aeads::stream,
    aes::{Rounds, aarch64::expand_to, aes_ctr},
    core::{block::Block, simd::aarch64::Neon1xEor3, text::Text},
};

wide! { AesEor3 needs AesSha3: Neon1xEor3 of 1, short texts [twice up to 4], pieces of steps, expand_to, aes_ctr::aarch64::aes::apply }
