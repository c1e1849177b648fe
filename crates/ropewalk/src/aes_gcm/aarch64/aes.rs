//! AES-GCM with the Armv8 AES and PMULL instructions.

use super::super::{
    Aead, Nonce, Parts,
    parts::{self, Place},
    wide::{Key, STEP, absorb, crypt, kernel_of, long, once, piece, pieces, short, steps, wide},
};
use crate::{
    aes::{Block, Rounds, aarch64::expand},
    aes_ctr,
    sealing::stream::Way,
    simd::aarch64::Neon1x,
    text::Text,
};

wide! { Aes needs Aes: Neon1x of 1, apart, pieces apart, expand, aes_ctr::aarch64::aes::apply }
