//! AES instructions: key schedules and blocks.

use core::arch::aarch64::*;

use super::{Block, RoundKeys, middle_rounds};
use crate::simd::aarch64 as simd;

/// The round keys of a key of 16, 24 or 32 bytes.
#[inline]
#[target_feature(enable = "aes,neon")]
pub(crate) fn expand(secret: &[u8]) -> RoundKeys {
    RoundKeys::expand(secret, |word| {
        // On four equal columns ShiftRows is the identity, so AESE is SubBytes alone.
        let word = vreinterpretq_u8_u32(vdupq_n_u32(u32::from_ne_bytes(word)));
        let word = vreinterpretq_u32_u8(vaeseq_u8(word, vdupq_n_u8(0)));
        vgetq_lane_u32::<0>(word).to_ne_bytes()
    })
}

/// The round keys for encrypting, and those of the equivalent inverse cipher (section 5.3.5), last
/// one first.
#[inline]
#[target_feature(enable = "aes,neon")]
pub(crate) fn expand_both(secret: &[u8]) -> [RoundKeys; 2] {
    let forward = expand(secret);
    let RoundKeys { keys, rounds } = &forward;
    let mut inverse = [[0; 16]; 15];
    inverse[0] = keys[*rounds];
    for r in 1..*rounds {
        let key = simd::load_u8x16(&keys[rounds - r]);
        simd::store_u8x16(&mut inverse[r], vaesimcq_u8(key));
    }
    inverse[*rounds] = keys[0];
    let inverse = RoundKeys { keys: inverse, rounds: *rounds };
    [forward, inverse]
}

/// Encrypts `N` blocks side by side (section 5.1).
#[inline]
#[target_feature(enable = "aes,neon")]
pub(crate) fn encrypt<const ROUNDS: usize, const N: usize>(
    keys: &[Block; 15],
    mut x: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    // AESE adds a round key before SubBytes and ShiftRows: the keys are one round ahead of the
    // standard's, and MixColumns comes after.
    let key = |r: usize| simd::load_u8x16(&keys[r]);
    for i in 0..N {
        x[i] = vaesmcq_u8(vaeseq_u8(x[i], key(0)));
    }
    middle_rounds!(ROUNDS: r => if r < ROUNDS - 1 {
        let k = key(r);
        for i in 0..N {
            x[i] = vaesmcq_u8(vaeseq_u8(x[i], k));
        }
    });
    for i in 0..N {
        x[i] = veorq_u8(vaeseq_u8(x[i], key(ROUNDS - 1)), key(ROUNDS));
    }
    x
}

/// Decrypts `N` blocks side by side (section 5.3.5), with the second of `expand_both`.
#[inline]
#[target_feature(enable = "aes,neon")]
pub(crate) fn decrypt<const ROUNDS: usize, const N: usize>(
    keys: &[Block; 15],
    mut x: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    let key = |r: usize| simd::load_u8x16(&keys[r]);
    for i in 0..N {
        x[i] = vaesimcq_u8(vaesdq_u8(x[i], key(0)));
    }
    middle_rounds!(ROUNDS: r => if r < ROUNDS - 1 {
        let k = key(r);
        for i in 0..N {
            x[i] = vaesimcq_u8(vaesdq_u8(x[i], k));
        }
    });
    for i in 0..N {
        x[i] = veorq_u8(vaesdq_u8(x[i], key(ROUNDS - 1)), key(ROUNDS));
    }
    x
}

/// A counter block, and the counter of the block to come, which takes the place of its last word.
pub(crate) struct Counters {
    nonce: uint32x4_t,
    next: u32,
}

impl Counters {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn new(counter: &Block) -> Self {
        let [.., a, b, c, d] = *counter;
        let nonce = vreinterpretq_u32_u8(simd::load_u8x16(counter));
        Self { nonce, next: u32::from_be_bytes([a, b, c, d]) }
    }

    /// The next `N` blocks, as AES takes them.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn next<const N: usize>(&mut self) -> [uint8x16_t; N] {
        let mut x = [vdupq_n_u8(0); N];
        for i in 0..N {
            x[i] = vreinterpretq_u8_u32(vsetq_lane_u32::<3>(self.next.to_be(), self.nonce));
            self.next = self.next.wrapping_add(1);
        }
        x
    }
}
