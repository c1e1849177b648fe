//! ChaCha20-Poly1305 of many messages on 512 bits: sixteen blocks at a time.

use super::super::{
    lanes::{self, Plain, many},
    many::Message,
};
#[cfg(not(ropewalk_ct = "msan"))]
use super::interleaved::Mulx;
#[cfg(ropewalk_ct = "msan")]
use crate::chacha::poly1305::Words;
use crate::core::{simd::x86_64::U32x16, tag::Tag};

#[cfg(not(ropewalk_ct = "msan"))]
many! { Avx512x16 needs Avx512: U32x16 of 16, 72 blocks of 32, |cpu| Plain(Mulx(cpu)), "avx512f,avx512bw,avx512dq,avx512vl,bmi2" }

// For MemorySanitizer, which does not track assembly.
#[cfg(ropewalk_ct = "msan")]
many! { Avx512x16 needs Avx512: U32x16 of 16, 72 blocks of 32, |cpu| Plain(Words), "avx512f,avx512bw,avx512dq,avx512vl,bmi2" }
