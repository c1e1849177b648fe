//! Blocks of AES, each of another message.

use core::arch::x86_64::*;

use super::{
    blocks::{last_round_1x, last_round_2x, round_1x, round_2x},
    keep_order_512, load_1x, load_2x, load_128, load_512, splat_2x, splat_4x, store_1x, store_2x,
    store_128, store_512,
};

lanes! {
    /// One block.
    Aes1x(__m128i, 1) needs Aesni {
        splat: load_128, load: load_1x, store: store_1x, gather: gather_1x, put: put_1x, xor: _mm_xor_si128,
        whiten: _mm_xor_si128, round: round_1x, last_round: last_round_1x,
    }
}

lanes! {
    /// Two blocks.
    Aes2x(__m256i, 2) needs Vaes256 {
        splat: splat_2x, load: load_2x, store: store_2x, gather: gather_2x, put: put_2x, xor: _mm256_xor_si256,
        whiten: _mm256_xor_si256, round: round_2x, last_round: last_round_2x,
    }
}

lanes! {
    /// Four blocks.
    Aes4x(__m512i, 4) needs Vaes512 {
        splat: splat_4x, load: load_4x, store: store_4x, gather: gather_4x, put: put_4x, xor: _mm512_xor_si512,
        whiten: _mm512_xor_si512, round: round_4x, last_round: last_round_4x, keep_order: keep_order_512,
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn gather_1x([block]: [&[u8; 16]; 1]) -> __m128i {
    load_128(block)
}

#[inline]
#[target_feature(enable = "sse2")]
fn put_1x(_: usize, to: &mut [u8; 16], v: __m128i) {
    store_128(to, v);
}

#[inline]
#[target_feature(enable = "avx2")]
fn gather_2x([a, b]: [&[u8; 16]; 2]) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(load_128(a)), load_128(b))
}

#[inline]
#[target_feature(enable = "avx2")]
fn put_2x(lane: usize, to: &mut [u8; 16], v: __m256i) {
    match lane {
        0 => store_128(to, _mm256_castsi256_si128(v)),
        _ => store_128(to, _mm256_extracti128_si256::<1>(v)),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_4x(blocks: &[[u8; 16]; 4]) -> __m512i {
    load_512(&blocks.as_flattened().as_chunks().0[0])
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_4x(blocks: &mut [[u8; 16]; 4], v: __m512i) {
    store_512(&mut blocks.as_flattened_mut().as_chunks_mut().0[0], v);
}

/// Three of them come in from memory, through the two ports that are not that of AES.
#[inline]
#[target_feature(enable = "avx512f")]
fn gather_4x([a, b, c, d]: [&[u8; 16]; 4]) -> __m512i {
    let v = _mm512_castsi128_si512(load_128(a));
    let v = _mm512_inserti32x4::<1>(v, load_128(b));
    let v = _mm512_inserti32x4::<2>(v, load_128(c));
    _mm512_inserti32x4::<3>(v, load_128(d))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn put_4x(lane: usize, to: &mut [u8; 16], v: __m512i) {
    match lane {
        0 => store_128(to, _mm512_castsi512_si128(v)),
        1 => store_128(to, _mm512_extracti32x4_epi32::<1>(v)),
        2 => store_128(to, _mm512_extracti32x4_epi32::<2>(v)),
        _ => store_128(to, _mm512_extracti32x4_epi32::<3>(v)),
    }
}

#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn round_4x(v: __m512i, _: __m512i, key: __m512i) -> __m512i {
    _mm512_aesenc_epi128(v, key)
}

#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn last_round_4x(v: __m512i, _: __m512i, key: __m512i) -> __m512i {
    _mm512_aesenclast_epi128(v, key)
}
