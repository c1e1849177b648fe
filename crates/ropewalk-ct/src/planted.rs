//! Leaks on purpose: a tool that does not report one of them is not looking.
#![allow(unsafe_code)]

use std::hint::black_box;

use subtle::ConstantTimeEq;

use crate::{marks, operations};

/// One leak.
pub(crate) struct Leak {
    /// What depends on a secret.
    pub(crate) name: &'static str,
    /// The tools that see it.
    pub(crate) tools: &'static [&'static str],
    /// Whether this processor can run it.
    pub(crate) available: fn() -> bool,
    /// Leaks.
    pub(crate) run: fn(),
}

#[rustfmt::skip]
pub(crate) const LEAKS: &[Leak] = &[
    Leak { name: "branch", tools: ALL, available: || true, run: || branch(&secret()) },
    Leak { name: "index into a table", tools: ALL, available: || true, run: || index(&secret()) },
    Leak { name: "end of a loop", tools: ALL, available: || true, run: || loop_end(&secret()) },
    // With most classes of secrets it ends the program.
    Leak { name: "length of a slice", tools: &["memcheck", "msan"], available: || true, run: || length(&secret()) },
    Leak { name: "comparison that stops early", tools: ALL, available: || true, run: || comparison(&secret()) },
    Leak { name: "verdict that nobody declared", tools: ALL, available: || true, run: || verdict(&secret()) },
    // Memcheck follows no time of a single instruction.
    Leak { name: "division", tools: &["msan", "trace"], available: || true, run: || division(&secret()) },
    #[cfg(target_arch = "x86_64")]
    Leak { name: "lane of 128 bits", tools: ALL, available: x86_64::has_128, run: || x86_64::lane_128(&secret()) },
    #[cfg(target_arch = "x86_64")]
    Leak { name: "lane of 256 bits", tools: ALL, available: x86_64::has_256, run: || x86_64::lane_256(&secret()) },
    #[cfg(target_arch = "x86_64")]
    Leak { name: "lane of 512 bits", tools: ALL, available: x86_64::has_512, run: || x86_64::lane_512(&secret()) },
    #[cfg(target_arch = "x86_64")]
    Leak { name: "gather of 256 bits", tools: &["trace", "lint"], available: x86_64::has_gather, run: || x86_64::gather(&secret()) },
    #[cfg(target_arch = "x86_64")]
    Leak { name: "gather of 512 bits", tools: &["trace", "lint"], available: x86_64::has_gather_512, run: || x86_64::gather_512(&secret()) },
    #[cfg(target_arch = "x86_64")]
    Leak { name: "masked store of 512 bits", tools: &["trace"], available: x86_64::has_masked, run: || x86_64::masked(&secret()) },
    #[cfg(target_arch = "x86_64")]
    Leak { name: "index from 512 bits", tools: ALL, available: x86_64::has_index, run: || x86_64::index_512(&secret()) },
    #[cfg(target_arch = "x86_64")]
    Leak { name: "lane after rounds of AES", tools: ALL, available: x86_64::has_aes, run: || x86_64::lane_aes(&secret()) },
];

const ALL: &[&str] = &["memcheck", "msan", "trace"];

fn secret() -> [u8; 64] {
    let mut secret = operations::some_bytes();
    marks::mark(&mut secret);
    secret
}

#[inline(never)]
fn branch(secret: &[u8; 64]) {
    if secret[5] == 7 {
        seen();
    }
}

#[inline(never)]
fn index(secret: &[u8; 64]) {
    let table = black_box([1_u8; 256]);
    black_box(table[usize::from(secret[5])]);
}

#[inline(never)]
fn loop_end(secret: &[u8; 64]) {
    for _ in 0..secret[5] % 8 {
        seen();
    }
}

#[inline(never)]
fn length(secret: &[u8; 64]) {
    let text = black_box([1_u8; 64]);
    black_box(&text[..usize::from(secret[5])]);
}

#[inline(never)]
fn comparison(secret: &[u8; 64]) {
    if secret[..16] == *black_box(&[7; 16]) {
        seen();
    }
}

#[inline(never)]
fn verdict(secret: &[u8; 64]) {
    if bool::from(secret[..16].ct_eq(&[7; 16])) {
        seen();
    }
}

#[inline(never)]
fn division(secret: &[u8; 64]) {
    black_box(black_box(1000_u32) / (u32::from(secret[5]) | 1));
}

/// What must not be computed either way.
#[inline(never)]
fn seen() {
    black_box(());
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::{arch::x86_64::*, hint::black_box};

    use super::seen;

    /// A leak in a kernel, and whether this processor can run it.
    macro_rules! kernel {
        ($feature:tt: $has:ident, $run:ident($secret:ident) $body:block) => {
            pub(super) fn $has() -> bool {
                is_x86_feature_detected!($feature)
            }

            pub(super) fn $run(secret: &[u8; 64]) {
                #[inline(never)]
                #[target_feature(enable = $feature)]
                fn kernel($secret: &[u8; 64]) {
                    if $body {
                        seen();
                    }
                }
                assert!($has());
                // SAFETY: the processor has just been asked.
                unsafe { kernel(secret) }
            }
        };
    }

    kernel! { "sse4.1": has_128, lane_128(secret) {
        // SAFETY: the first 16 of 64 readable bytes.
        let v = unsafe { _mm_loadu_si128(secret.as_ptr().cast()) };
        _mm_extract_epi32::<3>(_mm_add_epi32(v, v)) == 0
    } }

    kernel! { "avx2": has_256, lane_256(secret) {
        // SAFETY: the first 32 of 64 readable bytes.
        let v = unsafe { _mm256_loadu_si256(secret.as_ptr().cast()) };
        _mm256_extract_epi32::<5>(_mm256_shuffle_epi8(v, v)) == 0
    } }

    kernel! { "avx512f": has_512, lane_512(secret) {
        // SAFETY: 64 readable bytes.
        let v = unsafe { _mm512_loadu_si512(secret.as_ptr().cast()) };
        _mm512_cmpeq_epi32_mask(v, _mm512_ror_epi32::<7>(v)) == 0
    } }

    kernel! { "aes": has_aes, lane_aes(secret) {
        // SAFETY: the first 16 of 64 readable bytes.
        let key = unsafe { _mm_loadu_si128(secret.as_ptr().cast()) };
        let v = _mm_aesenc_si128(_mm_setzero_si128(), key);
        _mm_cvtsi128_si32(_mm_aesenclast_si128(v, key)) & 1 == 0
    } }

    kernel! { "avx2": has_gather, gather(secret) {
        let table = black_box([1_i32; 64]);
        // SAFETY: 32 readable bytes.
        let v = unsafe { _mm256_loadu_si256(secret.as_ptr().cast()) };
        let index = _mm256_and_si256(v, _mm256_set1_epi32(63));
        // SAFETY: indices below 64 of 64 words.
        let found = unsafe { _mm256_i32gather_epi32::<4>(table.as_ptr(), index) };
        black_box(found);
        false
    } }

    kernel! { "avx512f": has_gather_512, gather_512(secret) {
        let table = black_box([1_i64; 64]);
        // SAFETY: 64 readable bytes.
        let v = unsafe { _mm512_loadu_si512(secret.as_ptr().cast()) };
        let index = _mm512_and_si512(v, _mm512_set1_epi64(63));
        // SAFETY: indices below 64 of 64 words.
        let found = unsafe { _mm512_i64gather_epi64::<8>(index, table.as_ptr()) };
        black_box(found);
        false
    } }

    kernel! { "avx512f": has_masked, masked(secret) {
        let mut place = black_box([1_i64; 8]);
        // SAFETY: 64 readable bytes.
        let v = unsafe { _mm512_loadu_si512(secret.as_ptr().cast()) };
        let mask = _mm512_cmpeq_epi64_mask(v, _mm512_setzero_si512());
        // SAFETY: 64 bytes that can be written.
        unsafe { _mm512_mask_storeu_epi64(place.as_mut_ptr(), mask, v) };
        black_box(&mut place);
        false
    } }

    kernel! { "avx512f": has_index, index_512(secret) {
        let table = black_box([1_u8; 256]);
        // SAFETY: 64 readable bytes.
        let v = unsafe { _mm512_loadu_si512(secret.as_ptr().cast()) };
        let lane = _mm512_cvtsi512_si32(_mm512_ror_epi32::<7>(v));
        black_box(table[lane as usize % 256]);
        false
    } }
}
