//! Messages of a few blocks on 256 bits, with products of 52.
//!
//! For processors on which a 512-bit instruction takes the slots of two. Vectors of rows that hold two blocks of key stream waste
//! fewer blocks than those of four, and the rounds of up to four vectors compete less for ports. On Intel's processors, three
//! such vectors take longer than two of 512 bits, and the code after the rounds delays the next message more than scalar code
//! interleaved with the second vector does.

use core::{arch::x86_64::*, hint::black_box, ops::RangeInclusive};

use super::{super::Nonce, short256::add_two_blocks};
use crate::{
    chacha::{
        chacha20::{KeyWords, nonce_words, wide},
        poly1305::{
            Block, Short,
            x86_64::{
                by4::{By4, Factors, Numbers, Powers},
                short44::InMemory,
            },
        },
    },
    core::{
        cpu::Avx512Ifma,
        simd::{
            each,
            x86_64::{U32x8Turning, keep_order_256, load_256, load_part_128, store_256, to_u128},
        },
        text::Text,
    },
};

/// Lengths of texts in bytes: shorter ones do not justify powers of r, and more than seven blocks of key stream, in addition to
/// the one that is a key, do not fit in four vectors.
pub(super) const LENGTHS: RangeInclusive<usize> = 97..=64 * 7;

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
    let len = text.len();
    let (vectors, place) = (len.div_ceil(64) / 2 + 1, nonce_words(0, nonce));
    let blocks = wide::up_to_four_in_rows::<U32x8Turning, 8>(cpu.into(), key, place, vectors);
    let block = |i: usize| blocks[i / 4][i % 4].vector();
    let [mut first, _, a, b, mut ahead @ ..]: [_; 16] = each(block);
    // The key of Poly1305 (section 2.6).
    keep_order_256(&mut first);
    let (r, s) = (_mm256_castsi256_si128(first), _mm256_extracti128_si256::<1>(first));
    let mut numbers = Numbers::place();
    numbers.fill(
        Short::from_loaded(to_u128(r), 0, aad, |block| to_u128(load_part_128(block))),
        [aad.len() as u64, len as u64],
    );

    // All ones if the output is authenticated.
    let mask = _mm256_set1_epi64x(-i64::from(seal));
    let by_4 = Factors::by_4(&numbers);
    let mut sums = By4::of(add_four([a, b], &mut text, mask)).after(&numbers);
    // With two vectors, all blocks have been computed ahead, or twelve in all; with each further iteration, eight more. A loop
    // with an opaque count: otherwise LLVM would unroll the rotation of variables to twice the code.
    if len > 192 {
        let by_8 = by_4.squared();
        for _ in 0..black_box(if len > 320 { 2 } else { 1 }) {
            let [a, b, c, d, e, f, g, h, i, j, k, l] = ahead;
            let more = By4::of(add_four([a, b], &mut text, mask));
            let last = By4::of(add_four([c, d], &mut text, mask));
            sums = sums.times_plus_both(&by_8, &by_4, more, last);
            ahead = [e, f, g, h, i, j, k, l, a, b, c, d];
        }
    }
    let [a, b, c, d, ..] = ahead;
    let mut key_stream = [a, b];
    if text.len() > 64 {
        sums = sums.times_plus(&by_4, By4::of(add_four(key_stream, &mut text, mask)));
        key_stream = [c, d];
    }
    let powers = Powers::of(&numbers, &by_4);
    let blocks = text.len().div_ceil(16);
    let mut last = [_mm256_setzero_si256(); 2];
    let [mut now, next] = key_stream;
    let two = text.len() > 32;
    if two {
        last[0] = add_two_blocks(now, &mut text, seal);
        now = next;
    }
    last[usize::from(two)] = add_two_blocks(now, &mut text, seal);
    let mut place = InMemory::place();
    *tag = powers.tag(sums, last, blocks, &numbers, s, &mut place);
}

/// XORs key stream into four blocks of text, which exist, and returns the data to authenticate: the output where the mask has
/// ones, otherwise the input.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx2")]
fn add_four(key_stream: [__m256i; 2], text: &mut Text<'_>, mask: __m256i) -> [__m256i; 2] {
    let mut blocks = [mask; 2];
    unroll!(i in 0 1 => {
        let Some(mut piece) = text.next() else { return blocks };
        let from = load_256(piece.input());
        store_256(piece.output(), _mm256_xor_si256(from, key_stream[i]));
        blocks[i] = _mm256_xor_si256(from, _mm256_and_si256(key_stream[i], mask));
    });
    blocks
}
