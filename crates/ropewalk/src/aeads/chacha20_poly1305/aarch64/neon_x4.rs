//! ChaCha20-Poly1305 of many messages on 128 bits: four blocks at a time.

use super::super::{
    lanes::{self, Plain, many},
    many::Message,
};
use crate::{
    chacha::poly1305::Words,
    core::{simd::aarch64::U32x4, tag::Tag},
};

many! { Neonx4 needs Neon: U32x4 of 4, 24 blocks of 8, |cpu| Plain(Words), "neon" }
