//! AArch64 vectors.

use core::arch::aarch64::*;

use crate::text::Text;

words! {
    /// Four lanes.
    U32x4(uint32x4_t, 4) needs Neon {
        add: vaddq_u32, xor: veorq_u32, and: vandq_u32, or: vorrq_u32,
        splat: vdupq_n_u32, load: load_u32x4, store: store_u32x4,
        rotr: rotr, shr: shr, big_endian_words: big_endian_words, big_endian_bytes: big_endian_bytes,
    }
}

bytes! {
    /// One block.
    U8x16(uint8x16_t, 1) needs Neon {
        xor: veorq_u8, add_words: add_words, look_up: vqtbl1q_u8,
        low_nibbles: low_nibbles, high_nibbles: high_nibbles,
        splat: load_u8x16, load: load_block, store: store_block,
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn add_words(x: uint8x16_t, y: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(x), vreinterpretq_u32_u8(y)))
}

#[inline]
#[target_feature(enable = "neon")]
fn low_nibbles(x: uint8x16_t) -> uint8x16_t {
    vandq_u8(x, vdupq_n_u8(15))
}

#[inline]
#[target_feature(enable = "neon")]
fn high_nibbles(x: uint8x16_t) -> uint8x16_t {
    vshrq_n_u8::<4>(x)
}

#[inline]
#[target_feature(enable = "neon")]
fn load_block([block]: &[[u8; 16]; 1]) -> uint8x16_t {
    load_u8x16(block)
}

#[inline]
#[target_feature(enable = "neon")]
fn store_block([block]: &mut [[u8; 16]; 1], v: uint8x16_t) {
    store_u8x16(block, v);
}

#[inline]
#[target_feature(enable = "neon")]
fn rotr<const R: i32>(x: uint32x4_t) -> uint32x4_t {
    vorrq_u32(shr::<R>(x), vshlq_u32(x, vdupq_n_s32(32 - R)))
}

#[inline]
#[target_feature(enable = "neon")]
fn shr<const R: i32>(x: uint32x4_t) -> uint32x4_t {
    vshlq_u32(x, vdupq_n_s32(-R))
}

/// Four words of four blocks.
#[inline]
#[target_feature(enable = "neon")]
fn big_endian_words(blocks: &[&[u8; 64]; 4], quarter: usize) -> [uint32x4_t; 4] {
    let row =
        |i: usize| vreinterpretq_u32_u8(vrev32q_u8(load_u8x16(&blocks[i].as_chunks().0[quarter])));
    transpose([row(0), row(1), row(2), row(3)])
}

#[inline]
#[target_feature(enable = "neon")]
fn big_endian_bytes(words: [uint32x4_t; 4]) -> [[u8; 16]; 4] {
    let mut out = [[0; 16]; 4];
    for (bytes, lane) in out.iter_mut().zip(transpose(words)) {
        store_u8x16(bytes, vrev32q_u8(vreinterpretq_u8_u32(lane)));
    }
    out
}

#[inline]
#[target_feature(enable = "neon")]
fn transpose([a, b, c, d]: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
    let (ab, cd) = (pairs(vtrn1q_u32(a, b)), pairs(vtrn1q_u32(c, d)));
    let (ab_odd, cd_odd) = (pairs(vtrn2q_u32(a, b)), pairs(vtrn2q_u32(c, d)));
    [
        vreinterpretq_u32_u64(vtrn1q_u64(ab, cd)),
        vreinterpretq_u32_u64(vtrn1q_u64(ab_odd, cd_odd)),
        vreinterpretq_u32_u64(vtrn2q_u64(ab, cd)),
        vreinterpretq_u32_u64(vtrn2q_u64(ab_odd, cd_odd)),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
fn pairs(words: uint32x4_t) -> uint64x2_t {
    vreinterpretq_u64_u32(words)
}

/// Loads and stores of whole vectors.
macro_rules! memory {
    ($( $load:ident, $store:ident, $V:ty as [$T:ty; $N:literal] = $ld1:ident, $st1:ident; )+) => { $(
        #[inline]
        #[allow(unsafe_code, dead_code)]
        #[target_feature(enable = "neon")]
        pub(crate) fn $load(from: &[$T; $N]) -> $V {
            // SAFETY: `from` is as many readable bytes as the vector has.
            unsafe { $ld1(from.as_ptr()) }
        }

        #[inline]
        #[allow(unsafe_code, dead_code)]
        #[target_feature(enable = "neon")]
        pub(crate) fn $store(to: &mut [$T; $N], v: $V) {
            // SAFETY: `to` is as many writable bytes as the vector has.
            unsafe { $st1(to.as_mut_ptr(), v) }
        }
    )+ };
}

memory! {
    load_u8x16, store_u8x16, uint8x16_t as [u8; 16] = vld1q_u8, vst1q_u8;
    load_u32x4, store_u32x4, uint32x4_t as [u32; 4] = vld1q_u32, vst1q_u32;
}

/// Adds the low bytes of `key_stream` to less than a block of text.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn xor_part(text: &mut Text<'_>, key_stream: uint8x16_t) {
    let mut block = [0; 16];
    block[..text.len()].copy_from_slice(text.input());
    let sum = veorq_u8(key_stream, load_u8x16(&block));
    store_u8x16(&mut block, sum);
    let len = text.len();
    text.output().copy_from_slice(&block[..len]);
}
