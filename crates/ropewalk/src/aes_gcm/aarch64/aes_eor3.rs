//! AES-GCM with the Armv8 AES and PMULL instructions, and sums of three of the SHA-3 extension.

use super::super::{
    Aead, Nonce, Parts,
    wide::{Key, STEP, absorb, crypt, kernel_of, long, once, short, wide},
};
use crate::{
    aes::{Block, Rounds, aarch64::expand},
    aes_ctr,
    simd::aarch64::Neon1xEor3,
    text::Text,
};

wide! { AesEor3 needs AesSha3: Neon1xEor3 of 1, apart, expand, aes_ctr::aarch64::aes::apply }
