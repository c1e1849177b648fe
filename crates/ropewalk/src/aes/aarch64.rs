//! AES instructions: key schedules and blocks.

use core::arch::aarch64::*;

use super::{
    Block, RoundKeys, Rounds, middle_rounds,
    schedule::{PICK, RCON, schedule},
};
use crate::core::simd::aarch64::{self as simd, load_u8x16 as load, store_u8x16 as store};

schedule! { "aes,neon", uint8x16_t }

/// Encrypts `N` blocks in parallel (section 5.1). `Mode` is a type that names the caller: each caller has an instance of its own,
/// which is inlined there. A call would pass all blocks through memory.
#[inline]
#[target_feature(enable = "aes,neon")]
#[allow(clippy::extra_unused_type_parameters, reason = "an instance for each")]
pub(crate) fn encrypt<Mode, const N: usize>(
    keys: Rounds<'_>,
    mut x: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    // AESE adds a round key before SubBytes and ShiftRows: the keys are one round ahead of the
    // standard's, and MixColumns comes after.
    middle_rounds!(keys.rounds; r => {
        let k = simd::load_u8x16(keys.key(r - 1));
        for i in 0..N {
            x[i] = vaesmcq_u8(vaeseq_u8(x[i], k));
        }
    });
    let (before_last, last) = (simd::load_u8x16(keys.before_last()), simd::load_u8x16(keys.last()));
    for i in 0..N {
        x[i] = veorq_u8(vaeseq_u8(x[i], before_last), last);
    }
    x
}

/// Decrypts `N` blocks in parallel (section 5.3.5), with the second key schedule of `expand_both`.
#[inline]
#[target_feature(enable = "aes,neon")]
#[allow(clippy::extra_unused_type_parameters, reason = "an instance for each")]
pub(crate) fn decrypt<Mode, const N: usize>(
    keys: Rounds<'_>,
    mut x: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    middle_rounds!(keys.rounds; r => {
        let k = simd::load_u8x16(keys.key(r - 1));
        for i in 0..N {
            x[i] = vaesimcq_u8(vaesdq_u8(x[i], k));
        }
    });
    let (before_last, last) = (simd::load_u8x16(keys.before_last()), simd::load_u8x16(keys.last()));
    for i in 0..N {
        x[i] = veorq_u8(vaesdq_u8(x[i], before_last), last);
    }
    x
}

/// Encrypts `N` blocks in parallel, or decrypts them with the second key schedule of `expand_both`; `around` is added before and
/// after.
#[inline]
#[target_feature(enable = "aes,neon")]
#[allow(clippy::extra_unused_type_parameters, reason = "an instance for each")]
pub(crate) fn xex<Mode, const N: usize, const ENCRYPT: bool>(
    keys: Rounds<'_>,
    mut x: [uint8x16_t; N],
    around: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    for i in 0..N {
        x[i] = veorq_u8(x[i], around[i]);
    }
    x = if ENCRYPT { encrypt::<Mode, N>(keys, x) } else { decrypt::<Mode, N>(keys, x) };
    for i in 0..N {
        x[i] = veorq_u8(x[i], around[i]);
    }
    x
}

/// A counter block, and the counter of the next block, which replaces its last word.
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

    /// The next `N` counter blocks, in the byte order of AES.
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

/// The functions that `schedule!` requires, on four words, the first one lowest.
macro_rules! lanes {
    ($( $name:ident($($x:ident),+) = $body:expr; )+) => { $(
        #[inline]
        #[target_feature(enable = "aes,neon")]
        fn $name($($x: uint8x16_t),+) -> uint8x16_t {
            $body
        }
    )+ };
}

lanes! {
    xor(a, b) = veorq_u8(a, b);
    // On four equal columns ShiftRows is the identity, so AESE is SubBytes alone.
    sub_bytes_add(x, sum) = veorq_u8(vaeseq_u8(x, vdupq_n_u8(0)), sum);
    inv_mix_columns(x) = vaesimcq_u8(x);
    shuffle(x, bytes) = vqtbl1q_u8(x, bytes);
    even_words(x) = vandq_u8(x, vreinterpretq_u8_u64(vdupq_n_u64(0xffff_ffff)));
    odd_words(x) = vreinterpretq_u8_u64(vshrq_n_u64::<32>(vreinterpretq_u64_u8(x)));
    low_half(x) = vcombine_u8(vget_low_u8(x), vdup_n_u8(0));
    high_half(x) = vextq_u8::<8>(x, vdupq_n_u8(0));
    halves(low, high) = vcombine_u8(vget_low_u8(low), vget_high_u8(high));
    low_halves(a, b) = vcombine_u8(vget_low_u8(a), vget_low_u8(b));
    high_halves(a, b) = vcombine_u8(vget_high_u8(a), vget_high_u8(b));
}

#[inline]
#[target_feature(enable = "neon")]
fn splat(word: u32) -> uint8x16_t {
    vreinterpretq_u8_u32(vdupq_n_u32(word))
}
