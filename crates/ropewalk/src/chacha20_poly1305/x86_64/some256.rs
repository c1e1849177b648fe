//! Messages of some blocks on 256 bits, with products of 52.
//!
//! For processors on which an instruction of 512 bits has as many places as two. With two blocks of key stream in a
//! vector of rows fewer are made for nothing than with four, and rounds of up to four vectors wait less for ports. On
//! Intel's processors three such vectors take longer than two of 512 bits, and what follows the rounds keeps out more
//! of the next message than words beside the second do.

use core::{arch::x86_64::*, ops::RangeInclusive};

use super::{super::Nonce, short256::add_two_blocks};
use crate::{
    chacha20::{KeyWords, nonce_words, wide},
    cpu::Avx512Ifma,
    poly1305::{
        Block, Short,
        x86_64::{
            by4::{By4, Factors, Numbers, Powers},
            short44::InMemory,
        },
    },
    simd::{
        Rows as _, each_of,
        x86_64::{U32x8Turning, keep_order_256, load_256, store_256},
    },
    text::Text,
};

/// Bytes of text: less are not worth powers of r, and more than seven blocks of key stream, beside the one that is a
/// key, are not in four vectors.
pub(super) const LENGTHS: RangeInclusive<usize> = 97..=64 * 7;

/// A message with such a text.
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
    // In registers: an argument of three words is in memory, and would be updated there.
    let mut text = text.reborrow();
    let mut numbers = Numbers::place();
    let early = match text.len() {
        ..=192 => early::<1, 2>(cpu, key, nonce, aad, &mut text, &mut numbers, seal),
        193..=320 => early::<2, 3>(cpu, key, nonce, aad, &mut text, &mut numbers, seal),
        _ => early::<3, 4>(cpu, key, nonce, aad, &mut text, &mut numbers, seal),
    };
    let Early { mut sums, powers, key_stream: [a, b, c, d], s } = early;
    let mut key_stream = [a, b];
    if text.len() > 64 {
        sums = sums.plus(By4::of(add_four(key_stream, &mut text, mask(seal))));
        key_stream = [c, d];
    }
    let blocks = text.len().div_ceil(16);
    let mut last = [_mm256_setzero_si256(); 2];
    unroll!(i in 0 1 => if text.len() > 0 {
        last[i] = if seal {
            add_two_blocks::<true>(key_stream[i], &mut text)
        } else {
            add_two_blocks::<false>(key_stream[i], &mut text)
        };
    });
    let mut place = InMemory::place();
    *tag = powers.tag(sums, last, blocks, &numbers, s, &mut place);
}

/// What there is of a message but for the end of its text.
struct Early {
    /// Multiplied by r^4 where more than four blocks follow.
    sums: By4,
    powers: Powers,
    /// For what is left of the text, up to eight blocks.
    key_stream: [__m256i; 4],
    s: __m128i,
}

/// All but the text of the last of `ALL` vectors of rows, which are one more than `N`.
#[inline]
#[target_feature(
    enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
)]
fn early<const N: usize, const ALL: usize>(
    cpu: Avx512Ifma,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    numbers: &mut Numbers,
    seal: bool,
) -> Early {
    let place = nonce_words(0, nonce);
    let rows = wide::blocks_in_step::<U32x8Turning, 8, ALL>(cpu.into(), key, place);
    // The key of Poly1305 (section 2.6). LLVM would make more of a sum of which it sees that half is enough.
    let mut s = rows[0][1].vector();
    keep_order_256(&mut s);
    let short = Short::from_numbers(rows[0][0].first_number(), rows[0][1].first_number(), aad);
    numbers.fill(short, [aad.len() as u64, text.len() as u64]);
    let key_stream =
        each_of(rows, |rows| each_of(U32x8Turning::rows_to_blocks(rows), U32x8Turning::vector));

    let mask = mask(seal);
    let first = By4::of(add_four([key_stream[0][2], key_stream[0][3]], text, mask));
    let mut more = [first; 4];
    unroll!(i in 1 2 => if i < N {
        let [a, b, c, d] = key_stream[i];
        more[2 * i - 2] = By4::of(add_four([a, b], text, mask));
        more[2 * i - 1] = By4::of(add_four([c, d], text, mask));
    });
    let by_4 = Factors::by_4(numbers);
    let sums = By4::sums::<N>(numbers, &by_4, first, more, text.len() > 64);
    let powers = Powers::of(numbers, &by_4);
    Early { sums, powers, key_stream: key_stream[N], s: _mm256_castsi256_si128(s) }
}

/// Ones, if what is authenticated is what comes out.
#[inline]
#[target_feature(enable = "avx2")]
fn mask(seal: bool) -> __m256i {
    _mm256_set1_epi64x(-i64::from(seal))
}

/// Adds key stream to four blocks of text, which there are, and returns what is authenticated: what comes out where
/// the mask has ones, or what comes in.
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
