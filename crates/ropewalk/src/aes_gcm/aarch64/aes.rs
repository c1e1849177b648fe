//! AES-GCM with the Armv8 AES and PMULL instructions.

use super::super::{
    Aead, Nonce, Parts,
    wide::{Key, STEP, absorb, crypt, kernel_of, long, once, short, wide},
};
use crate::{
    aes::{Block, Rounds, aarch64::expand},
    aes_ctr,
    simd::aarch64::Neon1x,
    text::Text,
};

wide! { Aes needs Aes: Neon1x of 1, apart, expand, aes_ctr::aarch64::aes::apply }
