//! AES-GCM with the Armv8 AES and PMULL instructions, and sums of three of the SHA-3 extension.

use super::super::{
    Aead, Nonce, Parts,
    parts::{self, Place},
    wide::{Key, STEP, absorb, crypt, kernel_of, long, once, piece, pieces, short, steps, wide},
};
use crate::{
    aes::{Block, Rounds, aarch64::expand},
    aes_ctr,
    sealing::stream::Way,
    simd::aarch64::Neon1xEor3,
    text::Text,
};

wide! { AesEor3 needs AesSha3: Neon1xEor3 of 1, apart, pieces apart, expand, aes_ctr::aarch64::aes::apply }
