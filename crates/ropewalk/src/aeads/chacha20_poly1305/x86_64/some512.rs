//! Messages of a few blocks on 512 bits, with products of 52.
//!
//! For processors with a port of its own for 512-bit instructions. Two vectors of rows are bound by two ports there. Poly1305 in
//! scalar words leaves these ports free, but it is a chain of products, which delays the next message too. So scalar code
//! computes only the first powers of r.

use core::arch::x86_64::*;

use super::super::{Nonce, wide::lengths};
use crate::{
    chacha::{
        chacha20::{KeyWords, nonce_words, wide},
        poly1305::{
            Block, Short,
            x86_64::by8::{self, Blocks, Numbers},
        },
    },
    core::{
        cpu::Avx512Ifma,
        opaque::unseen_word,
        simd::{
            Rows as _,
            x86_64::{
                U32x16, first_bytes, load_512, load_less_512, load_part_128, store_512,
                store_less_512, ternary_512, to_u128,
            },
        },
        text::Text,
    },
};

/// From this many bytes on, powers of r are used.
const WITH_POWERS: usize = 145;

/// The longest text in bytes whose key stream is in one vector of rows, after the block that is a key; and in two.
const ONE_VECTOR: usize = 64 * 3;
pub(super) const LONGEST: usize = 64 * 7;

/// Processes a message whose key stream is in one vector of rows, or in two.
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
    // All ones if the output is authenticated.
    let mask = _mm512_set1_epi64(-i64::from(seal));
    let (cpu, place) = (cpu.into(), nonce_words(0, nonce));
    let two = len > ONE_VECTOR;
    let (rows, mut others) = wide::rows_ahead::<U32x16, 16>(cpu, key, place, two);
    let (r, s) = (rows[0].first_number(), rows[1].first_number());
    let (mut mac, lengths) = (
        Short::from_loaded(r, s, aad, |block| to_u128(load_part_128(block))),
        lengths(aad.len(), len),
    );
    let mut blocks = Blocks([[0; 64]; 8]);
    let [_, key_stream @ ..] = U32x16::rows_to_blocks(rows);
    // The key stream of the last, partial vector.
    let mut now = key_stream[0].vector();
    unroll!(i in 0 1 2 => if let Some(block) = add(now, &mut text, mask) {
        store_512(&mut blocks.0[i], block);
        now = key_stream[(i + 1) % 3].vector();
    });
    let mut numbers = Numbers::place();
    let count = len.div_ceil(16);
    if len >= WITH_POWERS {
        // An opaque condition: LLVM would duplicate the code between two checks of the same one.
        numbers.fill(mac, count, lengths, |q| {
            if unseen_word(two.into()) == 1 {
                others.part(q % 4);
            }
        });
        if unseen_word(two.into()) == 1 {
            let key_stream = U32x16::rows_to_blocks(others.end());
            now = key_stream[0].vector();
            unroll!(i in 0 1 2 3 => if let Some(block) = add(now, &mut text, mask) {
                store_512(&mut blocks.0[3 + i], block);
                now = key_stream[(i + 1) % 4].vector();
            });
        }
    }
    if text.len() > 0 {
        store_512(&mut blocks.0[len / 64 % 8], add_less(now, text, mask));
    }
    if len >= WITH_POWERS {
        *tag = by8::tag(&numbers, &blocks, count, s);
        return;
    }
    let blocks = blocks.0.as_flattened_mut().as_chunks_mut().0;
    if let Some(block) = blocks.get_mut(count) {
        *block = lengths.to_le_bytes();
    }
    for block in blocks.iter().take(count + 1) {
        mac.absorb_number(u128::from_le_bytes(*block));
    }
    *tag = mac.tag();
}

/// XORs key stream into four blocks of text, if there are so many, and returns the data to authenticate.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn add(key_stream: __m512i, text: &mut Text<'_>, mask: __m512i) -> Option<__m512i> {
    let mut piece = text.next()?;
    let from = load_512(piece.input());
    store_512(piece.output(), _mm512_xor_si512(from, key_stream));
    Some(ternary_512::<0x6c>(mask, from, key_stream))
}

/// The same for less, padded with zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn add_less(key_stream: __m512i, mut text: Text<'_>, mask: __m512i) -> __m512i {
    let from = load_less_512(text.input());
    store_less_512(text.output(), _mm512_xor_si512(from, key_stream));
    let key_stream = _mm512_maskz_mov_epi8(first_bytes(text.len()), key_stream);
    ternary_512::<0x6c>(mask, from, key_stream)
}
