//! x86-64 vectors.

use core::arch::x86_64::*;

pub(crate) use crate::core::opaque::unseen;
#[cfg(feature = "chacha20")]
pub(crate) use u32x4::U32x4;
#[cfg(feature = "chacha20-poly1305")]
pub(crate) use u32x8::U32x8Turning;
#[cfg(all(feature = "chacha20-poly1305", not(ropewalk_ct = "msan")))]
pub(crate) use u32x8::{TURNED_BY_16, TURNED_BY_24};
pub(crate) use {
    blocks::{
        Avx1x, Avx2x, Sse1x, add_product_1x, add_product_2x, fold_1x, fold_2x, reverse_1x,
        reverse_2x,
    },
    bytes::{U8x16, U8x16Avx, U8x32},
    ghash::hash_groups_1x,
    lanes::{Aes1of2x, Aes1x, Aes2x, Aes4x, Gcm2x, Gcm4x, gather_4x, put_4x},
    quads::{Quads1x, Quads2x},
    tail::Tail,
    u32x8::U32x8,
    u32x16::U32x16,
    u64x4::U64x4,
    u64x8::U64x8,
};

use super::each;
use crate::core::{block::load_short, text::Text};

mod blocks;
mod bytes;
mod ghash;
mod lanes;
mod quads;
#[cfg(all(feature = "chacha20", not(ropewalk_ct = "msan")))]
mod quarter_rounds;
mod tail;
mod u32x16;
#[cfg(feature = "chacha20")]
mod u32x4;
mod u32x8;
mod u64x4;
mod u64x8;

/// Bytes between a prefetch and the position that lanes read. Hardware prefetchers do not follow as many streams as there are
/// lanes.
const AHEAD: usize = 256;

/// Prefetches the cache line `ahead` bytes further. The address may be past the end: a prefetch reads nothing.
#[inline]
#[target_feature(enable = "sse")]
fn ask_for(block: &[u8], ahead: usize) {
    _mm_prefetch::<_MM_HINT_T0>(block.as_ptr().wrapping_add(ahead).cast());
}

/// The same vector, of which the compiler does not know that it is a sum.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code, unused_mut)]
pub(crate) fn summed_512(mut v: __m512i) -> __m512i {
    // MemorySanitizer takes operands of assembly for used.
    #[cfg(not(ropewalk_ct = "msan"))]
    // SAFETY: there is no instruction in it.
    unsafe {
        core::arch::asm!("/* {} */", inout(zmm_reg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}

#[inline]
#[target_feature(enable = "sse2")]
fn load_1x([block]: &[[u8; 16]; 1]) -> __m128i {
    load_128(block)
}

#[inline]
#[target_feature(enable = "sse2")]
fn store_1x([block]: &mut [[u8; 16]; 1], v: __m128i) {
    store_128(block, v);
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn splat_2x(block: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_128(block))
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn splat_4x(block: &[u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load_128(block))
}

#[inline]
#[target_feature(enable = "avx")]
fn load_2x(blocks: &[[u8; 16]; 2]) -> __m256i {
    let (chunks, _) = blocks.as_flattened().as_chunks();
    load_256(&chunks[0])
}

#[inline]
#[target_feature(enable = "avx")]
fn store_2x(blocks: &mut [[u8; 16]; 2], v: __m256i) {
    let (chunks, _) = blocks.as_flattened_mut().as_chunks_mut();
    store_256(&mut chunks[0], v);
}

/// Indices that reverse all sixteen bytes.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn reversal() -> __m128i {
    _mm_set_epi64x(0x00010203_04050607, 0x08090a0b_0c0d0e0f)
}

/// Declares a function of three bits, by its truth table: bit `4 a + 2 b + c` of `TABLE`.
macro_rules! ternary {
    ($( $name:ident($V:ty), $features:literal: $ternary:ident, $set:ident, $zero:ident, $and:ident, $or:ident, $xor:ident; )+) => { $(
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn $name<const TABLE: i32>(a: $V, b: $V, c: $V) -> $V {
            #[cfg(not(ropewalk_ct = "msan"))]
            return $ternary::<TABLE>(a, b, c);
            // MemorySanitizer does not know the instruction: it takes any secret operand for a leak, and the result for public.
            #[cfg(ropewalk_ct = "msan")]
            {
                let ones = $set(-1);
                let mut sum = $zero();
                for row in (0..8).filter(|row| TABLE >> row & 1 == 1) {
                    let of = |x, bit| if row & bit == 0 { $xor(x, ones) } else { x };
                    let ab = $and(of(a, 4), of(b, 2));
                    sum = $or(sum, $and(ab, of(c, 1)));
                }
                sum
            }
        }
    )+ };
}

ternary! {
    ternary_128(__m128i), "avx512f,avx512vl": _mm_ternarylogic_epi32, _mm_set1_epi32, _mm_setzero_si128, _mm_and_si128, _mm_or_si128, _mm_xor_si128;
    ternary_256(__m256i), "avx512f,avx512vl": _mm256_ternarylogic_epi32, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256;
    ternary_512(__m512i), "avx512f": _mm512_ternarylogic_epi32, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512;
}

/// The bytes of each 32-bit word, reversed.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn big_endian() -> __m128i {
    _mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203)
}

/// The bytes of each 64-bit word, reversed.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn big_endian_64() -> __m128i {
    _mm_set_epi64x(0x08090a0b_0c0d0e0f, 0x00010203_04050607)
}

/// Loads and stores of whole vectors.
macro_rules! memory {
    ($( $feature:literal: $load:ident, $store:ident, $V:ty as [$T:ty; $N:literal] = $loadu:ident, $storeu:ident; )+) => { $(
        #[inline]
        #[allow(unsafe_code, dead_code)]
        #[target_feature(enable = $feature)]
        pub(crate) fn $load(from: &[$T; $N]) -> $V {
            // SAFETY: `from` is as many readable bytes as the vector has; no alignment is required.
            unsafe { $loadu(from.as_ptr().cast()) }
        }

        #[inline]
        #[allow(unsafe_code, dead_code)]
        #[target_feature(enable = $feature)]
        pub(crate) fn $store(to: &mut [$T; $N], v: $V) {
            // SAFETY: `to` is as many writable bytes as the vector has; no alignment is required.
            unsafe { $storeu(to.as_mut_ptr().cast(), v) }
        }
    )+ };
}

memory! {
    "sse2": load_128, store_128, __m128i as [u8; 16] = _mm_loadu_si128, _mm_storeu_si128;
    "sse2": load_u32x4, store_u32x4, __m128i as [u32; 4] = _mm_loadu_si128, _mm_storeu_si128;
    "sse2": load_u64x2, store_u64x2, __m128i as [u64; 2] = _mm_loadu_si128, _mm_storeu_si128;
    "avx": load_256, store_256, __m256i as [u8; 32] = _mm256_loadu_si256, _mm256_storeu_si256;
    "avx": load_u32x8, store_u32x8, __m256i as [u32; 8] = _mm256_loadu_si256, _mm256_storeu_si256;
    "avx": load_u64x4, store_u64x4, __m256i as [u64; 4] = _mm256_loadu_si256, _mm256_storeu_si256;
    "avx512f": load_512, store_512, __m512i as [u8; 64] = _mm512_loadu_si512, _mm512_storeu_si512;
    "avx512f": load_u64x8, store_u64x8, __m512i as [u64; 8] = _mm512_loadu_si512, _mm512_storeu_si512;
    "avx512f": load_u32x16, store_u32x16, __m512i as [u32; 16] = _mm512_loadu_si512, _mm512_storeu_si512;
}

/// The four quarters of a block.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn load_128x4(block: &[u8; 64]) -> [__m128i; 4] {
    each(|i| load_128(&block.as_chunks().0[i]))
}

/// The last block or two of a message of `len` bytes (FIPS 180-4, section 5.1.1), assembled in registers: wide loads would stall
/// on bytes that were stored singly.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(crate) fn padded_64(rest: &[u8], len: u64) -> ([[__m128i; 4]; 2], usize) {
    let (quarters, short) = rest.as_chunks();
    // The marker at each position: shifting it there would take eight instructions.
    const MARKERS: [u8; 31] = {
        let mut markers = [0; 31];
        markers[15] = 0x80;
        markers
    };
    let marker = MARKERS[15 - short.len()..].first_chunk().unwrap_or(&[0; 16]);
    let end = _mm_or_si128(from_u128(load_short(short)), load_128(marker));
    let length = _mm_set_epi64x((len << 3).swap_bytes().cast_signed(), 0);
    let mut tail = [[_mm_setzero_si128(); 4]; 2];
    let [first, second] = &mut tail;
    for i in 0..4 {
        if let Some(quarter) = quarters.get(i) {
            first[i] = load_128(quarter);
        } else if i == quarters.len() {
            first[i] = end;
        }
    }
    if rest.len() < 56 {
        first[3] = _mm_or_si128(first[3], length);
        return (tail, 1);
    }
    second[3] = length;
    (tail, 2)
}

/// Declares a compiler barrier for one value, without an instruction: its computation stays before later barriers, and its uses
/// stay after earlier ones.
macro_rules! keep_order {
    ($name:ident($V:ty => $reg:ident), $features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        #[allow(unsafe_code)]
        pub(crate) fn $name(x: &mut $V) {
            // MemorySanitizer takes results of assembly for initialised, and so for public.
            #[cfg(ropewalk_ct = "msan")]
            let _ = x;
            // SAFETY: there is no instruction in it.
            #[cfg(not(ropewalk_ct = "msan"))]
            unsafe {
                core::arch::asm!(
                    "/* {} */",
                    inout($reg) * x,
                    options(nomem, nostack, preserves_flags)
                );
            }
        }
    };
}

keep_order! { keep_order_128(__m128i => xmm_reg), "sse2" }
keep_order! { keep_order_256(__m256i => ymm_reg), "avx2" }
keep_order! { keep_order_512(__m512i => zmm_reg), "avx512f" }

#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn from_u128(x: u128) -> __m128i {
    _mm_set_epi64x((x >> 64) as i64, x as i64)
}

#[inline]
#[target_feature(enable = "sse4.1")]
pub(crate) fn to_u128(v: __m128i) -> u128 {
    let (low, high) = (_mm_cvtsi128_si64(v), _mm_extract_epi64::<1>(v));
    u128::from(high.cast_unsigned()) << 64 | u128::from(low.cast_unsigned())
}

/// A mask of the first `n` bytes of 64. Only the low 8 bits of `n` count: the mask may have fewer bytes than
/// `n`, never more.
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn first_bytes(n: usize) -> u64 {
    _bzhi_u64(u64::MAX, n as u32)
}

/// The lower half of each 128 bits, twice, by a load: LLVM, which has loaded the bytes for another use, would take a shuffle.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)]
pub(crate) fn load_lower_halves_512(bytes: &[u8; 64]) -> __m512i {
    // MemorySanitizer takes results of assembly for initialised, and so for public.
    #[cfg(ropewalk_ct = "msan")]
    let v = _mm512_unpacklo_epi64(load_512(bytes), load_512(bytes));
    #[cfg(not(ropewalk_ct = "msan"))]
    let v;
    // SAFETY: it reads the bytes, of any alignment, and the caller has the instruction.
    #[cfg(not(ropewalk_ct = "msan"))]
    unsafe {
        core::arch::asm!(
            "vmovddup {}, zmmword ptr [{}]",
            out(zmm_reg) v,
            in(reg) bytes,
            options(readonly, nostack, preserves_flags)
        );
    }
    v
}

/// The bytes, at most 64, and zeros above them.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn load_part_512(bytes: &[u8]) -> __m512i {
    match bytes.try_into() {
        Ok(bytes) => load_512(bytes),
        Err(_) => load_less_512(bytes),
    }
}

/// The bytes, less than 64, and zeros above them.
#[inline]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn load_less_512(bytes: &[u8]) -> __m512i {
    // A load with an empty mask still waits for stores that overlap its 64 bytes, and may take a microcode assist where they are
    // not mapped: no load is cheaper.
    if bytes.is_empty() {
        return _mm512_setzero_si512();
    }
    let mask = first_bytes(bytes.len());
    // SAFETY: the mask admits the readable bytes only.
    unsafe { _mm512_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) }
}

/// The low bytes of `v`, as many as there is room for.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn store_part_512(bytes: &mut [u8], v: __m512i) {
    // A masked store is not forwarded to later loads; nor is an empty one free.
    match <&mut [u8; 64]>::try_from(&mut *bytes) {
        Ok(bytes) => store_512(bytes, v),
        Err(_) => store_less_512(bytes, v),
    }
}

/// The low bytes of `v`, less than 64, as many as there is room for.
#[inline]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512bw,bmi2")]
pub(crate) fn store_less_512(bytes: &mut [u8], v: __m512i) {
    if bytes.is_empty() {
        return;
    }
    let mask = first_bytes(bytes.len());
    // SAFETY: the mask admits the writable bytes only.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), mask, v) }
}

/// The bytes, at most 16, and zeros above them.
#[inline]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512bw,avx512vl,bmi2")]
pub(crate) fn load_part_128(bytes: &[u8]) -> __m128i {
    if let Ok(bytes) = bytes.try_into() {
        return load_128(bytes);
    }
    if bytes.is_empty() {
        return _mm_setzero_si128();
    }
    let mask = _bzhi_u32(u32::MAX, bytes.len() as u32) as u16;
    // SAFETY: the mask admits the readable bytes only.
    unsafe { _mm_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) }
}

/// The low bytes of `v`, as many as there is room for.
#[inline]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512bw,avx512vl,bmi2")]
pub(crate) fn store_part_128(bytes: &mut [u8], v: __m128i) {
    if let Ok(bytes) = <&mut [u8; 16]>::try_from(&mut *bytes) {
        return store_128(bytes, v);
    }
    if bytes.is_empty() {
        return;
    }
    let mask = _bzhi_u32(u32::MAX, bytes.len() as u32) as u16;
    // SAFETY: the mask admits the writable bytes only.
    unsafe { _mm_mask_storeu_epi8(bytes.as_mut_ptr().cast(), mask, v) }
}

/// The low `n` bytes of `v`, and zeros; all of them from 16 on.
#[inline]
#[target_feature(enable = "avx512bw,avx512vl,bmi2")]
pub(crate) fn first_of_128(v: __m128i, n: usize) -> __m128i {
    _mm_maskz_mov_epi8(_bzhi_u32(u32::MAX, n.min(16) as u32) as u16, v)
}

/// XORs the low bytes of `key_stream` into less than a block of text.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn xor_part_128(text: &mut Text<'_>, key_stream: __m128i) {
    let mut block = [0; 16];
    block[..text.len()].copy_from_slice(text.input());
    let sum = _mm_xor_si128(key_stream, load_128(&block));
    store_128(&mut block, sum);
    let len = text.len();
    text.output().copy_from_slice(&block[..len]);
}
