//! Short messages on 256 bits, with products of 52: their key stream is in one vector of rows, so that wider vectors would be
//! half empty.
//!
//! Nothing here is wider, not even a store: code that alternates between 256-bit and 512-bit instructions stalls.

use core::arch::x86_64::*;

use super::super::Nonce;
use crate::{
    chacha::{
        chacha20::{KeyWords, nonce_words, wide},
        poly1305::{
            Block,
            x86_64::short44::{InMemory, Short44, end, limbs, loose_limbs},
        },
    },
    core::{
        cpu::Avx512Ifma,
        simd::x86_64::{
            U32x8Turning, first_bytes, keep_order_128, keep_order_256, load_128, load_256,
            load_part_128, store_128, store_256, store_part_128,
        },
        text::Text,
    },
};

/// The longest text in bytes: one block of key stream, in addition to the one that is a key.
pub(super) const LONGEST: usize = 64;

/// Processes a message with such a text.
#[inline]
#[target_feature(
    enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
)]
pub(super) fn message(
    cpu: Avx512Ifma,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    seal: bool,
) {
    // A local copy stays in registers; an argument of three words is passed and updated in memory.
    let mut text = text.reborrow();
    let (aad_len, len) = (aad.len(), text.len());
    let [rows] = wide::blocks_in_rows::<U32x8Turning, 8, 1>(cpu.into(), key, nonce_words(0, nonce));
    // The key of Poly1305 (section 2.6), and the block for the text. Where only half of a sum is used, LLVM would split it.
    let mut rows = [rows[0].vector(), rows[1].vector(), rows[2].vector(), rows[3].vector()];
    unroll!(i in 0 1 2 3 => keep_order_256(&mut rows[i]));
    let (r, s) = (_mm256_castsi256_si128(rows[0]), _mm256_castsi256_si128(rows[1]));
    let key_stream = [
        _mm256_permute2x128_si256::<0x31>(rows[0], rows[1]),
        _mm256_permute2x128_si256::<0x31>(rows[2], rows[3]),
    ];
    let mut place = InMemory::place();
    let place = &mut *place;
    let mut mac = Short44::new(r, aad, place);
    // LLVM would merge the halves and spread them with one shuffle, which is three instructions.
    let mut lengths = _mm_set_epi64x(len as i64, aad_len as i64);
    keep_order_128(&mut lengths);
    let lengths = limbs(lengths);
    let h = if len <= 16 {
        if len > 0 {
            let block = add_block(_mm256_castsi256_si128(key_stream[0]), &mut text, seal);
            mac.absorb(limbs(block), place);
        }
        mac.absorb(lengths, place);
        mac.last(place)
    } else {
        let square = mac.square(place);
        let [mut now, next] = key_stream;
        // Inlined: a separate function would keep everything in memory.
        if len > 32 {
            let (m, n) = both(add_two_blocks(now, &mut text, seal));
            mac.absorb_two(square, m, n, place);
            now = next;
        }
        let two = text.len() > 16;
        let (m, n) = both(add_two_blocks(now, &mut text, seal));
        if two {
            mac.absorb_two(square, m, n, place);
        } else {
            mac.absorb(m, place);
        }
        mac.last_after(square, lengths, place)
    };
    *tag = end(h, s, place);
}

/// The limbs of two blocks.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512bw,avx512vl,avx2")]
fn both(blocks: __m256i) -> (__m256i, __m256i) {
    (loose_limbs::<false>(blocks), loose_limbs::<true>(blocks))
}

/// XORs key stream into two blocks of the text, or into its rest, and returns the data to authenticate, padded with zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
pub(super) fn add_two_blocks(key_stream: __m256i, text: &mut Text<'_>, seal: bool) -> __m256i {
    if let Some(mut piece) = text.next() {
        let from = load_256(piece.input());
        let to = _mm256_xor_si256(from, key_stream);
        store_256(piece.output(), to);
        return authenticated(from, to, seal);
    }
    let low = add_block(_mm256_castsi256_si128(key_stream), text, seal);
    let high = add_less(_mm256_extracti128_si256::<1>(key_stream), text, seal);
    _mm256_set_m128i(high, low)
}

/// The same for one block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn add_block(key_stream: __m128i, text: &mut Text<'_>, seal: bool) -> __m128i {
    if let Some(mut piece) = text.next() {
        let from = load_128(piece.input());
        let to = _mm_xor_si128(from, key_stream);
        store_128(piece.output(), to);
        let widened = |x| _mm256_zextsi128_si256(x);
        return _mm256_castsi256_si128(authenticated(widened(from), widened(to), seal));
    }
    add_less(key_stream, text, seal)
}

/// The same for less than a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn add_less(key_stream: __m128i, text: &mut Text<'_>, seal: bool) -> __m128i {
    let mut rest = text.take(16);
    let from = load_part_128(rest.input());
    let to = _mm_xor_si128(from, key_stream);
    store_part_128(rest.output(), to);
    let to = _mm_maskz_mov_epi8(first_bytes(rest.len()) as u16, to);
    let widened = |x| _mm256_zextsi128_si256(x);
    _mm256_castsi256_si128(authenticated(widened(from), widened(to), seal))
}

/// The data to authenticate: the output if it is sealed; otherwise the input, which must not wait for the output: hence a jump.
#[inline]
#[target_feature(enable = "avx2")]
fn authenticated(mut from: __m256i, to: __m256i, seal: bool) -> __m256i {
    if seal {
        return to;
    }
    keep_order_256(&mut from);
    from
}
