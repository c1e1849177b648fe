//! AES instructions: key schedules.

use core::arch::x86_64::*;

use super::RoundKeys;

/// The round keys of a key of 16, 24 or 32 bytes.
#[inline]
#[target_feature(enable = "aes,sse4.1")]
pub(crate) fn expand(secret: &[u8]) -> RoundKeys {
    RoundKeys::expand(secret, |word| {
        // On four equal columns ShiftRows is the identity, so the last round is SubBytes alone.
        let word = _mm_set1_epi32(i32::from_ne_bytes(word));
        _mm_cvtsi128_si32(_mm_aesenclast_si128(word, _mm_setzero_si128())).to_ne_bytes()
    })
}
