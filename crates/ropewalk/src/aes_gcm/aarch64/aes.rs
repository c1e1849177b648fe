//! AES-GCM with the Armv8 AES and PMULL instructions.

use super::super::{
    Aead, Nonce, Parts,
    wide::{Key, STEP, absorb, crypt, long, short, wide},
};
use crate::{
    aes::{Block, Rounds, aarch64::expand},
    aes_ctr,
    simd::aarch64::Neon1x,
    text::Text,
};

wide! { Aes needs Aes: Neon1x of 1, expand, aes_ctr::aarch64::aes::apply }
