//! AES-GCM with the Armv8 AES and PMULL instructions.

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
    core::{block::Block, simd::aarch64::Neon1x, text::Text},
};

wide! { Aes needs Aes: Neon1x of 1, short texts [twice up to 4], pieces of steps, expand_to, aes_ctr::aarch64::aes::apply }
