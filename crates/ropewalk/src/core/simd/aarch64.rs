//! AArch64 vectors.

use core::arch::aarch64::*;

use super::piece;
use crate::core::text::Text;

words! {
    /// Four lanes.
    U32x4(uint32x4_t, 4 of u32) needs Neon {
        add: vaddq_u32, xor: veorq_u32, and: vandq_u32, or: vorrq_u32,
        splat: vdupq_n_u32, load: load_u32x4, store: store_u32x4,
        rotr: rotr, shr: shr, swap_bytes: swap_bytes, words: words, bytes: bytes,
    }
}

#[cfg(feature = "sha3")]
words! {
    /// Two lanes, with the instructions that Keccak is made of.
    U64x2(uint64x2_t, 2 of u64) needs Sha3 {
        add: vaddq_u64, xor: veorq_u64, and: vandq_u64, or: vorrq_u64,
        splat: vdupq_n_u64, load: load_u64x2, store: store_u64x2,
        rotr: rotr_64, shr: shr_64, swap_bytes: swap_bytes_64, words: words_64, bytes: bytes_64,
        sum: veor3q_u64, add_where_not: add_where_not_64, add_rotr: vxarq_u64, add_rotl_1: vrax1q_u64,
    }
}

#[cfg(feature = "chacha20")]
rows! {
    U32x4(uint32x4_t, 4) needs Neon, many registers true {
        repeat: load_u32x4, turn: turn, rows_to_blocks: rows_to_blocks,
        quarter: transpose, gather: gather, xor: veorq_u32, and: vandq_u32, load: load_words, store: store_words,
        add_part: add_part, first_number: first_number,
    }
}

bytes! {
    /// One block.
    U8x16(uint8x16_t, 1) needs Neon {
        xor: veorq_u8, add_words: add_words, look_up: vqtbl1q_u8,
        shift_in: shift_in, low_nibbles: low_nibbles, high_nibbles: high_nibbles,
        splat: load_u8x16, load: load_block, store: store_block,
    }
}

lanes! {
    /// One block.
    Aes1x(uint8x16_t, 1) needs Aes {
        splat: load_u8x16, load: load_1x, store: store_1x, gather: gather_1x, put: put_1x, xor: veorq_u8, add_bytes: vaddq_u8,
        whiten: first_of, round: round_1x, last_round: last_round_1x,
    }
}

counter_lanes! {
    Aes1x(uint8x16_t, 1) needs Aes {
        from_numbers: from_number_1x, and: vandq_u8, reverse_halves: vrev64q_u8, count_up: count_up_1x,
    }
}

blocks! {
    /// A block.
    Neon1x(uint8x16_t, 1) needs Aes {
        zero: zero_1x, splat: load_u8x16, load: load_1x, store: store_1x,
        from_numbers: from_numbers_1x, numbers: numbers_1x,
        xor: veorq_u8, and: vandq_u8, reverse: reverse_1x, sum_lanes: itself, last_lane: itself, with_last: second,
        whiten: first_of, round: round_1x, last_round: last_round_1x,
        last_round_onto: last_round_onto_1x,
        inv_round: inv_round_1x, inv_last_round: inv_last_round_1x,
        add_product: add_product_1x, fold: fold_1x,
    }
}

blocks! {
    /// A block, with three-way XOR.
    Neon1xEor3(uint8x16_t, 1) needs AesSha3 {
        zero: zero_1x, splat: load_u8x16, load: load_1x, store: store_1x,
        from_numbers: from_numbers_1x, numbers: numbers_1x,
        xor: veorq_u8, and: vandq_u8, reverse: reverse_1x, sum_lanes: itself, last_lane: itself, with_last: second,
        whiten: first_of, round: round_1x, last_round: last_round_1x,
        last_round_onto: last_round_onto_eor3,
        inv_round: inv_round_1x, inv_last_round: inv_last_round_1x,
        add_product: add_product_eor3, fold: fold_eor3,
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn zero_1x() -> uint8x16_t {
    vdupq_n_u8(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn load_1x([block]: &[[u8; 16]; 1]) -> uint8x16_t {
    load_u8x16(block)
}

#[inline]
#[target_feature(enable = "neon")]
fn store_1x([block]: &mut [[u8; 16]; 1], v: uint8x16_t) {
    store_u8x16(block, v);
}

#[inline]
#[target_feature(enable = "neon")]
fn gather_1x([block]: [&[u8; 16]; 1]) -> uint8x16_t {
    load_u8x16(block)
}

#[inline]
#[target_feature(enable = "neon")]
fn put_1x(_: usize, to: &mut [u8; 16], v: uint8x16_t) {
    store_u8x16(to, v);
}

#[inline]
#[target_feature(enable = "neon")]
fn from_number_1x([number]: [u128; 1]) -> uint8x16_t {
    from_u128(number)
}

#[inline]
#[target_feature(enable = "neon")]
fn count_up_1x(v: uint8x16_t) -> uint8x16_t {
    let one = vcombine_u64(vcreate_u64(0), vcreate_u64(1));
    vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(v), one))
}

#[inline]
#[target_feature(enable = "neon")]
fn from_numbers_1x([number, _]: [u128; 2]) -> uint8x16_t {
    from_u128(number)
}

#[inline]
#[target_feature(enable = "neon")]
fn numbers_1x(v: uint8x16_t) -> [u128; 2] {
    [to_u128(v), 0]
}

#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn from_u128(number: u128) -> uint8x16_t {
    let (low, high) = (vcreate_u64(number as u64), vcreate_u64((number >> 64) as u64));
    vreinterpretq_u8_u64(vcombine_u64(low, high))
}

#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn to_u128(v: uint8x16_t) -> u128 {
    let v = vreinterpretq_u64_u8(v);
    let (low, high) = (vgetq_lane_u64::<0>(v), vgetq_lane_u64::<1>(v));
    u128::from(high) << 64 | u128::from(low)
}

#[inline]
#[target_feature(enable = "neon")]
fn reverse_1x(v: uint8x16_t) -> uint8x16_t {
    let halves = vrev64q_u8(v);
    vextq_u8::<8>(halves, halves)
}

#[inline]
fn itself(v: uint8x16_t) -> uint8x16_t {
    v
}

#[inline]
fn second(_: uint8x16_t, v: uint8x16_t) -> uint8x16_t {
    v
}

/// AESE adds the round key before the round.
#[inline]
fn first_of(v: uint8x16_t, _: uint8x16_t) -> uint8x16_t {
    v
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn round_1x(v: uint8x16_t, before: uint8x16_t, _: uint8x16_t) -> uint8x16_t {
    vaesmcq_u8(vaeseq_u8(v, before))
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn last_round_1x(v: uint8x16_t, before: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    veorq_u8(vaeseq_u8(v, before), key)
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn inv_round_1x(v: uint8x16_t, before: uint8x16_t, _: uint8x16_t) -> uint8x16_t {
    vaesimcq_u8(vaesdq_u8(v, before))
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn inv_last_round_1x(v: uint8x16_t, before: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    veorq_u8(vaesdq_u8(v, before), key)
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn last_round_onto_1x(
    v: uint8x16_t,
    before: uint8x16_t,
    key: uint8x16_t,
    text: uint8x16_t,
) -> uint8x16_t {
    veorq_u8(vaeseq_u8(v, before), veorq_u8(key, text))
}

#[inline]
#[target_feature(enable = "aes,sha3,neon")]
fn last_round_onto_eor3(
    v: uint8x16_t,
    before: uint8x16_t,
    key: uint8x16_t,
    text: uint8x16_t,
) -> uint8x16_t {
    veor3q_u8(vaeseq_u8(v, before), key, text)
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn add_product_1x(
    [low, middle, high]: [uint8x16_t; 3],
    a: uint8x16_t,
    b: uint8x16_t,
) -> [uint8x16_t; 3] {
    let swapped = vextq_u8::<8>(b, b);
    let cross = veorq_u8(product_low(a, swapped), product_high(a, swapped));
    [veorq_u8(low, product_low(a, b)), veorq_u8(middle, cross), veorq_u8(high, product_high(a, b))]
}

#[inline]
#[target_feature(enable = "aes,sha3,neon")]
fn add_product_eor3(
    [low, middle, high]: [uint8x16_t; 3],
    a: uint8x16_t,
    b: uint8x16_t,
) -> [uint8x16_t; 3] {
    let swapped = vextq_u8::<8>(b, b);
    [
        veorq_u8(low, product_low(a, b)),
        veor3q_u8(middle, product_low(a, swapped), product_high(a, swapped)),
        veorq_u8(high, product_high(a, b)),
    ]
}

#[inline]
#[target_feature(enable = "aes,neon")]
fn fold_1x(v: uint8x16_t, onto: uint8x16_t) -> uint8x16_t {
    let poly = vreinterpretq_u8_u64(vdupq_n_u64(0xc200_0000_0000_0000));
    veorq_u8(veorq_u8(onto, vextq_u8::<8>(v, v)), product_low(v, poly))
}

#[inline]
#[target_feature(enable = "aes,sha3,neon")]
fn fold_eor3(v: uint8x16_t, onto: uint8x16_t) -> uint8x16_t {
    let poly = vreinterpretq_u8_u64(vdupq_n_u64(0xc200_0000_0000_0000));
    veor3q_u8(onto, vextq_u8::<8>(v, v), product_low(v, poly))
}

/// The product of the low halves.
#[inline]
#[target_feature(enable = "aes,neon")]
fn product_low(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let low = |x| vgetq_lane_u64::<0>(vreinterpretq_u64_u8(x));
    vreinterpretq_u8_p128(vmull_p64(low(a), low(b)))
}

/// The product of the high halves.
#[inline]
#[target_feature(enable = "aes,neon")]
fn product_high(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_p128(vmull_high_p64(vreinterpretq_p64_u8(a), vreinterpretq_p64_u8(b)))
}

#[inline]
#[target_feature(enable = "neon")]
fn shift_in(x: uint8x16_t, low: uint8x16_t) -> uint8x16_t {
    vextq_u8::<15>(low, x)
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
    if R == 16 {
        return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)));
    }
    vorrq_u32(shr::<R>(x), vshlq_u32(x, vdupq_n_s32(32 - R)))
}

#[inline]
#[target_feature(enable = "neon")]
fn shr<const R: i32>(x: uint32x4_t) -> uint32x4_t {
    vshlq_u32(x, vdupq_n_s32(-R))
}

#[inline]
#[target_feature(enable = "neon")]
fn turn<const N: i32>(x: uint32x4_t) -> uint32x4_t {
    match N {
        1 => vextq_u32::<1>(x, x),
        2 => vextq_u32::<2>(x, x),
        _ => vextq_u32::<3>(x, x),
    }
}

#[inline]
fn rows_to_blocks(rows: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
    rows
}

#[inline]
#[target_feature(enable = "neon")]
fn load_words(bytes: &[u8; 16]) -> uint32x4_t {
    vreinterpretq_u32_u8(load_u8x16(bytes))
}

#[inline]
#[target_feature(enable = "neon")]
fn store_words(bytes: &mut [u8; 16], v: uint32x4_t) {
    store_u8x16(bytes, vreinterpretq_u8_u32(v));
}

#[inline]
#[target_feature(enable = "neon")]
fn add_part(key_stream: uint32x4_t, mut text: Text<'_>) {
    xor_part(&mut text, vreinterpretq_u8_u32(key_stream));
}

#[inline]
#[target_feature(enable = "neon")]
fn first_number(v: uint32x4_t) -> u128 {
    numbers_1x(vreinterpretq_u8_u32(v))[0]
}

#[inline]
#[target_feature(enable = "neon")]
fn swap_bytes(x: uint32x4_t) -> uint32x4_t {
    vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(x)))
}

/// Four words of four blocks.
#[inline]
#[target_feature(enable = "neon")]
fn words<const BLOCK: usize, const BIG_ENDIAN: bool>(
    blocks: &[&[u8; BLOCK]; 4],
    at: usize,
) -> [uint32x4_t; 4] {
    let row = |i: usize| {
        let row = load_words(piece(blocks[i], at));
        if BIG_ENDIAN { swap_bytes(row) } else { row }
    };
    transpose([row(0), row(1), row(2), row(3)])
}

#[cfg(feature = "chacha20-poly1305")]
#[inline]
#[target_feature(enable = "neon")]
fn gather([a, b, c, d]: &[&[u32; 4]; 4]) -> [uint32x4_t; 4] {
    transpose([load_u32x4(a), load_u32x4(b), load_u32x4(c), load_u32x4(d)])
}

#[inline]
#[target_feature(enable = "neon")]
fn bytes(words: [uint32x4_t; 4]) -> [[u8; 16]; 4] {
    let mut out = [[0; 16]; 4];
    for (bytes, lane) in out.iter_mut().zip(transpose(words)) {
        store_words(bytes, lane);
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

#[cfg(feature = "sha3")]
#[inline]
#[target_feature(enable = "sha3,neon")]
fn rotr_64<const R: i32>(x: uint64x2_t) -> uint64x2_t {
    vxarq_u64::<R>(x, vdupq_n_u64(0))
}

#[cfg(feature = "sha3")]
#[inline]
#[target_feature(enable = "neon")]
fn shr_64<const R: i32>(x: uint64x2_t) -> uint64x2_t {
    vshlq_u64(x, vdupq_n_s64(-i64::from(R)))
}

#[cfg(feature = "sha3")]
#[inline]
#[target_feature(enable = "sha3,neon")]
fn add_where_not_64(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    vbcaxq_u64(a, c, b)
}

#[cfg(feature = "sha3")]
#[inline]
#[target_feature(enable = "neon")]
fn swap_bytes_64(x: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(x)))
}

/// Four words of two blocks.
#[cfg(feature = "sha3")]
#[inline]
#[target_feature(enable = "neon")]
fn words_64<const BLOCK: usize, const BIG_ENDIAN: bool>(
    blocks: &[&[u8; BLOCK]; 2],
    at: usize,
) -> [uint64x2_t; 4] {
    let pair = |i: usize, at: usize| {
        let pair = vreinterpretq_u64_u8(load_u8x16(piece(blocks[i], at)));
        if BIG_ENDIAN { swap_bytes_64(pair) } else { pair }
    };
    let [a, b] = [pair(0, at), pair(1, at)];
    let [c, d] = [pair(0, at + 16), pair(1, at + 16)];
    [vtrn1q_u64(a, b), vtrn2q_u64(a, b), vtrn1q_u64(c, d), vtrn2q_u64(c, d)]
}

#[cfg(feature = "sha3")]
#[inline]
#[target_feature(enable = "neon")]
fn bytes_64([a, b, c, d]: [uint64x2_t; 4]) -> [[u8; 32]; 2] {
    let mut out = [[0; 32]; 2];
    let lanes = [[vtrn1q_u64(a, b), vtrn1q_u64(c, d)], [vtrn2q_u64(a, b), vtrn2q_u64(c, d)]];
    for (bytes, pairs) in out.iter_mut().zip(lanes) {
        for (bytes, pair) in bytes.as_chunks_mut().0.iter_mut().zip(pairs) {
            store_u8x16(bytes, vreinterpretq_u8_u64(pair));
        }
    }
    out
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
    load_u64x2, store_u64x2, uint64x2_t as [u64; 2] = vld1q_u64, vst1q_u64;
}

/// XORs the low bytes of `key_stream` into less than a block of text.
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
